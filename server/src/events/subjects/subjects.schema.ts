import { type Static, Type } from "typebox";
import { nullable, shape } from "../../platform/http/shapes.ts";

const Reference = shape("SubjectRef", {
  type: Type.String({
    maxLength: 64,
    examples: ["number"],
    description: "Type of the resource, such as `number`, `user` or `connection`. New types may be added.",
  }),
  id: Type.String({
    maxLength: 200,
    examples: ["0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"],
    description: "ID of the resource, the same as `subject`.",
  }),
  label: nullable(
    Type.String({
      maxLength: 2000,
      examples: ["+493010000001"],
      description:
        "Phone number, name or URL of the resource. `null` if it is unknown or the resource is deleted.",
    }),
  ),
});
export type SubjectRef = Static<typeof Reference>;

export const SubjectRef = Type.Unsafe<SubjectRef | null>({
  anyOf: [Reference, { type: "null" }],
  description: "Resource that is affected, with its type and name. `null` if there is none.",
});

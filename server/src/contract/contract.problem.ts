import { Type } from "typebox";
import { shape } from "../platform/http/shapes.ts";

const Part = shape("ProblemPart", {
  pointer: Type.Optional(
    Type.String({ maxLength: 1000, description: "Where in the body, as a JSON Pointer." }),
  ),
  parameter: Type.Optional(Type.String({ maxLength: 200, description: "Which query parameter." })),
  header: Type.Optional(Type.String({ maxLength: 200, description: "Which request header." })),
  code: Type.String({ maxLength: 100, description: "What is wrong with it, for programs." }),
  detail: Type.String({ maxLength: 1000, description: "The same for people." }),
});

/** A refusal as it goes over the wire; problem.ts of platform/http makes them. */
export const Problem = shape("Problem", {
  type: Type.String({ format: "uri", maxLength: 500, description: "Address of this code's documentation." }),
  title: Type.String({ maxLength: 200, description: "The same for every refusal with this code." }),
  status: Type.Integer({ minimum: 400, maximum: 599, format: "int32" }),
  detail: Type.String({ maxLength: 2000, description: "What was wrong with this very request." }),
  instance: Type.String({ format: "uri", maxLength: 100, description: "This very refusal." }),
  code: Type.String({ maxLength: 100, description: "Stable; decide by it. More codes may come." }),
  request_id: Type.String({ format: "uuid", maxLength: 36 }),
  retryable: Type.Boolean({ description: "Whether the very same request can succeed later." }),
  errors: Type.Optional(
    Type.Array(Part, { maxItems: 100, description: "One entry for each part that was wrong." }),
  ),
});

import { type Static, Type } from "typebox";
import { DateTime, nullable, openEnum, pageShape, shape } from "../../platform/http/shapes.ts";

const EpochId = Type.String({
  maxLength: 200,
  pattern: "^[0-9A-Za-z-]+$",
  examples: ["7f7c3d1e-5a0e-4c55-9d0b-2f6f1f0a8a51"],
});

export const ByEpoch = Type.Object({ id: EpochId }, { additionalProperties: false });

export const Epoch = shape("Epoch", {
  id: EpochId,
  cause: openEnum(["first", "rollback", "operator"]),
  began_at: DateTime,
  newest_row_at: nullable({
    ...DateTime,
    description:
      "For a rollback, the time of the newest change that the database still had: what was changed later is lost. `null` if unknown.",
  }),
  evidence: Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: true,
    description:
      "For a rollback, the version that is not part of the history of this database, and the switch that presented it.",
    examples: [{ switch: "edge-1", shard: 17, version: 13, head: 5 }],
  }),
  is_held: Type.Boolean({
    description: "Whether switches are left as they are until the rollback is resolved.",
  }),
  resolved_at: nullable({ ...DateTime, description: "`null` while an operator has to look at a rollback." }),
  resolved_by: nullable(Type.String({ maxLength: 200 })),
});
export type Epoch = Static<typeof Epoch>;

export const EpochPage = pageShape("EpochPage", Epoch);

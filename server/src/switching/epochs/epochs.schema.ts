import { type Static, Type } from "typebox";
import { DateTime, described, nullable, openEnum, pageShape, shape } from "../../platform/http/shapes.ts";

const EpochId = Type.String({
  maxLength: 200,
  pattern: "^[0-9A-Za-z-]+$",
  examples: ["7f7c3d1e-5a0e-4c55-9d0b-2f6f1f0a8a51"],
  description: "ID of the epoch.",
});

export const ByEpoch = Type.Object({ id: EpochId }, { additionalProperties: false });

export const Epoch = shape("Epoch", {
  id: EpochId,
  cause: described(
    openEnum(["first", "rollback", "operator"]),
    "`first`: the installation was created. `rollback`: the database lost changes that switches already had. `operator`: an operator started the epoch. New values may be added.",
  ),
  began_at: described(DateTime, "Time when the epoch started."),
  newest_row_at: nullable({
    ...DateTime,
    description:
      "Time of the newest change that survived a rollback. Later changes are lost. `null` if unknown.",
  }),
  evidence: Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: true,
    description:
      "Evidence of a rollback: the version that is missing from the database's history, and the switch that reported it.",
    examples: [{ switch: "edge-1", shard: 17, version: 13, head: 5 }],
  }),
  is_held: Type.Boolean({
    description: "Whether switches keep their state until the rollback is resolved.",
  }),
  resolved_at: nullable({
    ...DateTime,
    description: "Time when an operator resolved the rollback. `null` until then.",
  }),
  resolved_by: nullable(
    Type.String({ maxLength: 200, description: "Operator who resolved the rollback. `null` until then." }),
  ),
});
export type Epoch = Static<typeof Epoch>;

export const EpochPage = pageShape("EpochPage", Epoch);

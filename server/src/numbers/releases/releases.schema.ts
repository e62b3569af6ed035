import type { Static } from "typebox";
import { Id, openEnum, shape } from "../../platform/http/shapes.ts";

export const Release = shape("Release", {
  job_id: Id,
  number_id: Id,
  status: openEnum(["releasing", "restoring", "quarantined", "released", "active", "suspended"]),
});
export type Release = Static<typeof Release>;

import type { Static } from "typebox";
import { described, Id, openEnum, shape } from "../../platform/http/shapes.ts";

export const Release = shape("Release", {
  job_id: described(Id, "ID of the job."),
  number_id: described(Id, "ID of the number."),
  status: openEnum(
    ["releasing", "restoring", "quarantined", "released", "active", "suspended"],
    "Status of the number. `restoring` means that the restore is in progress.",
  ),
});
export type Release = Static<typeof Release>;

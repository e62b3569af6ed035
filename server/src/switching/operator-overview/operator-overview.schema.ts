import { type Static, Type } from "typebox";
import { DateTime, described, nullable, openEnum, shape } from "../../platform/http/shapes.ts";

const OPERATOR_PROBLEM_KINDS = [
  "rollback",
  "rollback_held",
  "restore_open",
  "switch_silent",
  "switch_clock_wrong",
  "switch_disk_full",
  "switch_exceptions",
  "switch_trunks",
  "reconciliation_failed",
  "carrier_mismatch",
  "organisation_pending",
] as const;
export type OperatorProblemKind = (typeof OPERATOR_PROBLEM_KINDS)[number];

const SUBJECT_TYPES = ["epoch", "switch", "reconciliation", "organisation"] as const;

const Count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64", description });

const OperatorProblem = shape("OperatorProblem", {
  kind: openEnum(
    OPERATOR_PROBLEM_KINDS,
    "`rollback`: the database lost changes that switches already had. `rollback_held`: the same, and switches keep their state until you resolve it. `restore_open`: the database is being restored, and much work waits until you finish the restore. `switch_silent`: a switch has stopped reporting. `switch_clock_wrong`, `switch_disk_full`: an alarm of a switch. `switch_exceptions`: items of a switch do not have the expected value. `switch_trunks`: a switch does not hold its trunks, because it could not set them, they drifted, or it has not applied them for a minute. `reconciliation_failed`: the last reconciliation with a carrier failed. `carrier_mismatch`: it left findings. `organisation_pending`: numbers of an organisation are still being suspended or resumed.",
  ),
  since: nullable({ ...DateTime, description: "Start of the problem. `null` if unknown." }),
  subject: described(
    shape("OperatorProblemSubject", {
      type: openEnum(SUBJECT_TYPES, "Type of the resource."),
      id: Type.String({ maxLength: 200, description: "ID of the resource." }),
      label: nullable(
        Type.String({
          maxLength: 200,
          description: "Name of the switch, carrier or organisation. `null` for an epoch.",
        }),
      ),
    }),
    "Affected resource.",
  ),
  count: Count("Count of exceptions, trunks, findings or pending changes. 1 for other kinds."),
  error: nullable(Type.String({ maxLength: 500, description: "Cause. `null` if there is none." })),
});

export const OperatorOverview = shape("OperatorOverview", {
  as_of: described(DateTime, "Time of the response."),
  problems: Type.Array(OperatorProblem, {
    maxItems: 200,
    description:
      "Open problems: rollbacks first, then silent switches, alarms, exceptions, trunks, carriers and organisations. The longest first in each kind.",
  }),
  problems_total: Count("Count of open problems, which can be more than the list has."),
  switches: described(
    shape("OperatorOverviewSwitches", {
      total: Count("Switches that are not retired."),
      reporting: Count("Switches that report."),
      lag: Count("Changes that reporting switches have not read back yet."),
      exceptions: Count("Items without the expected value on the switches that report."),
    }),
    "Switches of the installation.",
  ),
  active_calls: described(
    nullable(Count("")),
    "Active calls on the switches that report. `null` if there are switches and none reports.",
  ),
});
export type OperatorOverview = Static<typeof OperatorOverview>;

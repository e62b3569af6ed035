import { type Static, Type } from "typebox";
import {
  DateTime,
  described,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";

const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" });
const Carrier = Type.String({
  minLength: 1,
  maxLength: 40,
  examples: ["pool"],
  description: "Name of the carrier.",
});

export const Reconcile = shape("Reconcile", { carrier: Carrier });

export const Reconciliation = shape("Reconciliation", {
  id: described(Id, "ID of the reconciliation."),
  carrier: Carrier,
  status: openEnum(["running", "finished", "failed"], "Status of the reconciliation."),
  held: nullable({
    ...Count,
    description:
      "Count of the carrier's numbers in this installation, including orders in progress. `null` until finished.",
  }),
  owned: nullable({
    ...Count,
    description: "Count of numbers that the carrier lists for this installation. `null` until finished.",
  }),
  open_findings: described(Count, "Count of mismatches that are not repaired."),
  error: nullable(
    Type.String({ maxLength: 500, description: "Reason for a failure. `null` if there is none." }),
  ),
  started_at: described(DateTime, "Time when the reconciliation started."),
  finished_at: described(nullable(DateTime), "Time when the reconciliation finished. `null` until then."),
});
export type Reconciliation = Static<typeof Reconciliation>;
export const ReconciliationPage = pageShape("ReconciliationPage", Reconciliation);
export const ReconciliationsQuery = Type.Object(PageQuery, { additionalProperties: false });

export const AdoptFinding = shape("AdoptFinding", {
  organisation_id: Type.String({ ...Id, description: "ID of the organisation that receives the number." }),
});

export const Finding = shape("Finding", {
  id: described(Id, "ID of the finding."),
  kind: described(
    openEnum(["not_at_carrier", "not_here", "delivered_elsewhere"]),
    "`not_at_carrier`: an organisation holds the number, but the carrier does not list it. `not_here`: the carrier lists the number, but no organisation holds it. `delivered_elsewhere`: the carrier sends the number's calls to another trunk. New values may be added.",
  ),
  e164: Type.String({ maxLength: 16, description: "Phone number in E.164 format." }),
  organisation_id: described(
    nullable(Id),
    "ID of the organisation that holds the number. `null` if there is none.",
  ),
  number_id: described(nullable(Id), "ID of the number. `null` if no organisation holds it."),
  found_trunk: nullable(
    Type.String({
      maxLength: 100,
      description:
        "Trunk that receives the calls of a number that is `delivered_elsewhere`. `null` if there is none, and for other kinds.",
    }),
  ),
  expected_trunk: nullable(
    Type.String({
      maxLength: 100,
      description:
        "Trunk that should receive the calls of a number that is `delivered_elsewhere`. `null` for other kinds.",
    }),
  ),
  repaired_at: described(nullable(DateTime), "Time when the finding was repaired. `null` if it is open."),
});
export type Finding = Static<typeof Finding>;
export const FindingPage = pageShape("FindingPage", Finding);

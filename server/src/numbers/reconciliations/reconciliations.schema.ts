import { type Static, Type } from "typebox";
import { DateTime, Id, nullable, openEnum, PageQuery, pageShape, shape } from "../../platform/http/shapes.ts";

const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" });
const Carrier = Type.String({ minLength: 1, maxLength: 40, examples: ["pool"] });

export const Reconcile = shape("Reconcile", { carrier: Carrier });

export const Reconciliation = shape("Reconciliation", {
  id: Id,
  carrier: Carrier,
  status: openEnum(["running", "finished", "failed"]),
  held: nullable({ ...Count, description: "Numbers that we hold from it, or that are on their way." }),
  owned: nullable({ ...Count, description: "Numbers that it says we have." }),
  open_findings: Count,
  error: nullable(Type.String({ maxLength: 500 })),
  started_at: DateTime,
  finished_at: nullable(DateTime),
});
export type Reconciliation = Static<typeof Reconciliation>;
export const ReconciliationPage = pageShape("ReconciliationPage", Reconciliation);
export const ReconciliationsQuery = Type.Object(PageQuery, { additionalProperties: false });

export const AdoptFinding = shape("AdoptFinding", {
  organisation_id: Type.String({ ...Id, description: "The organisation that gets the number." }),
});

export const Finding = shape("Finding", {
  id: Id,
  kind: openEnum(["not_at_carrier", "not_here"]),
  e164: Type.String({ maxLength: 16 }),
  organisation_id: nullable(Id),
  number_id: nullable(Id),
  repaired_at: nullable(DateTime),
});
export type Finding = Static<typeof Finding>;
export const FindingPage = pageShape("FindingPage", Finding);

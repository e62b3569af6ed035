import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import {
  AdoptFinding,
  Finding,
  FindingPage,
  Reconcile,
  Reconciliation,
  ReconciliationPage,
  ReconciliationsQuery,
} from "./reconciliations.schema.ts";
import {
  adoptFinding,
  type FindingRow,
  listFindings,
  listReconciliations,
  type ReconciliationRow,
  reconcile,
  repairFinding,
} from "./reconciliations.ts";

const PATH = "/operator/v1/reconciliations";
const OF_OPERATOR = { tag: "Reconciliation", access: { callers: "operator" }, idempotency: "none" } as const;

const listReconciliationsOperation = operation({
  ...OF_OPERATOR,
  id: "listReconciliations",
  method: "GET",
  path: PATH,
  summary: "List reconciliations",
  description: "Newest first.",
  query: ReconciliationsQuery,
  answers: { 200: ReconciliationPage },
  async run(app, { query }) {
    return pageOf(app, { path: PATH, of: "installation" }, query, {
      rows: (page) => listReconciliations(app, page),
      item: shownReconciliation,
      position: (row) => row.id,
    });
  },
});

const reconcileOperation = operation({
  ...OF_OPERATOR,
  id: "reconcile",
  method: "POST",
  path: PATH,
  summary: "Start a reconciliation",
  description:
    "Compares the numbers of this installation with those that the carrier lists. It also runs every night. It changes nothing: repair a finding to act on it.",
  body: Reconcile,
  answers: { 201: Reconciliation },
  errors: ["carrier_not_found"],
  async run(app, { caller, body, origin }) {
    const row = await reconcile(app, operatorOf(caller, origin), body.carrier);
    const location = `${app.config.baseUrl}${PATH}/${row.id}/findings`;
    return { status: 201, body: shownReconciliation(row), headers: { location } };
  },
});

const listFindingsOperation = operation({
  ...OF_OPERATOR,
  id: "listFindings",
  method: "GET",
  path: `${PATH}/{id}/findings`,
  summary: "List findings",
  description: "Lists the mismatches between this installation and the carrier.",
  params: ById,
  notFound: "reconciliation_not_found",
  query: ReconciliationsQuery,
  answers: { 200: FindingPage },
  async run(app, { params, query }) {
    return pageOf(app, { path: `${PATH}/${params.id}/findings`, of: "installation" }, query, {
      rows: (page) => listFindings(app, params.id, page),
      item: shownFinding,
      position: (row) => row.id,
    });
  },
});

const repairFindingOperation = operation({
  ...OF_OPERATOR,
  id: "repairFinding",
  method: "POST",
  path: "/operator/v1/findings/{id}/repair",
  summary: "Repair a finding",
  description:
    "`not_at_carrier`: suspends the number. `not_here`: returns the number to the carrier. `delivered_elsewhere`: delivers the number to its desired trunk.",
  params: ById,
  notFound: "finding_not_found",
  answers: { 200: Finding },
  errors: [
    "finding_repaired",
    "finding_outdated",
    "bought_after_rollback",
    "restore_open",
    "carrier_not_found",
    "carrier_refused",
  ],
  async run(app, { caller, params, origin }) {
    const row = await repairFinding(app, operatorOf(caller, origin), params.id);
    return { status: 200, body: shownFinding(row) };
  },
});

const adoptFindingOperation = operation({
  ...OF_OPERATOR,
  id: "adoptFinding",
  method: "POST",
  path: "/operator/v1/findings/{id}/adopt",
  summary: "Assign an unheld number",
  description:
    "For findings of kind `not_here`: the organisation receives the number, unrouted. Use it for customers' numbers that a database rollback lost.",
  params: ById,
  notFound: "finding_not_found",
  body: AdoptFinding,
  answers: { 200: Finding },
  errors: [
    "finding_repaired",
    "finding_outdated",
    "organisation_not_found",
    "carrier_not_found",
    "carrier_refused",
  ],
  async run(app, { caller, params, body, origin }) {
    const row = await adoptFinding(app, operatorOf(caller, origin), params.id, body.organisation_id);
    return { status: 200, body: shownFinding(row) };
  },
});

function shownReconciliation(row: ReconciliationRow): Reconciliation {
  return {
    ...row,
    started_at: row.started_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

function shownFinding(row: FindingRow): Finding {
  return {
    id: row.id,
    kind: row.kind,
    e164: row.e164,
    organisation_id: row.organisation_id,
    number_id: row.holding_id,
    found_trunk: row.found_trunk,
    expected_trunk: row.expected_trunk,
    repaired_at: row.repaired_at?.toISOString() ?? null,
  };
}

export const reconciliationsOperations = [
  listReconciliationsOperation,
  reconcileOperation,
  listFindingsOperation,
  adoptFindingOperation,
  repairFindingOperation,
];

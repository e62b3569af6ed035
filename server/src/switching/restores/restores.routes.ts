import { operation } from "../../app.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import {
  AdoptRestoreFinding,
  FinishRestore,
  ReplayedRevocations,
  ReplayRevocations,
  Restore,
  RestoreFinding,
  RestoreFindingPage,
  RestoreFindingsQuery,
  RestorePage,
  RestoresQuery,
  SuspendedKeys,
} from "./restores.schema.ts";
import {
  adoptFinding,
  compareRestore,
  dropFinding,
  finishRestore,
  getRestore,
  listRestoreFindings,
  listRestores,
  replayRevocations,
  type RestoreFindingRow,
  type RestoreView,
  suspendApiKeys,
} from "./restores.ts";

const PATH = "/operator/v1/restores";
const OF_OPERATOR = { tag: "Restores", access: { callers: "operator" }, idempotency: "none" } as const;
const ONE = { ...OF_OPERATOR, params: ById, notFound: "restore_not_found" } as const;
const FINDING = {
  ...OF_OPERATOR,
  params: ById,
  notFound: "finding_not_found",
  answers: { 200: RestoreFinding },
} as const;

const listRestoresOperation = operation({
  ...OF_OPERATOR,
  id: "listRestores",
  method: "GET",
  path: PATH,
  summary: "List restores",
  description:
    "Newest first. A restore begins with `dialplane-server restore begin`, or automatically if the service notices a rollback and `ROLLBACK_POLICY` is `restore`. Until it is finished, switches keep their state, nothing is bought, returned, deleted or sent to webhook endpoints, and orders wait. Calls, reads, sign-in and changes of single routes continue.",
  query: RestoresQuery,
  answers: { 200: RestorePage },
  async run(app, { query }) {
    return pageOf(app, { path: PATH, of: "installation" }, query, {
      rows: (page) => listRestores(app, page),
      item: shownRestore,
      position: (row) => row.id,
    });
  },
});

const getRestoreOperation = operation({
  ...ONE,
  id: "getRestore",
  method: "GET",
  path: `${PATH}/{id}`,
  summary: "Get a restore",
  description: "Shows what was compared, and counts of findings.",
  answers: { 200: Restore },
  async run(app, { params }) {
    return { status: 200, body: shownRestore(await getRestore(app, params.id)) };
  },
});

const listRestoreFindingsOperation = operation({
  ...ONE,
  id: "listRestoreFindings",
  method: "GET",
  path: `${PATH}/{id}/findings`,
  summary: "List findings of a restore",
  description: "Connections first, because routes name them.",
  query: RestoreFindingsQuery,
  answers: { 200: RestoreFindingPage },
  async run(app, { params, query: { kind, state, ...query } }) {
    const filters = { kind, state };
    return pageOf(app, { path: `${PATH}/${params.id}/findings`, of: "installation", filters }, query, {
      rows: (page) => listRestoreFindings(app, params.id, filters, page),
      item: shownFinding,
      position: (row) => `${row.item_kind} ${row.id}`,
    });
  },
});

const compareRestoreOperation = operation({
  ...ONE,
  id: "compareRestore",
  method: "POST",
  path: `${PATH}/{id}/compare`,
  summary: "Compare with switches and carriers",
  description:
    "Compares the database with the states that switches had when the restore began, and with the numbers of each carrier. Repeat it when another switch has uploaded its state.",
  answers: { 200: Restore },
  errors: ["restore_ended"],
  async run(app, { caller, params, origin }) {
    return {
      status: 200,
      body: shownRestore(await compareRestore(app, operatorOf(caller, origin), params.id)),
    };
  },
});

const adoptRestoreFindingOperation = operation({
  ...FINDING,
  id: "adoptRestoreFinding",
  method: "POST",
  path: "/operator/v1/restore-findings/{id}/adopt",
  summary: "Adopt a finding",
  description:
    "The database takes over what the switches or the carrier have: the later route, the number or connection under the same ID, the release, or the suspension.",
  body: AdoptRestoreFinding,
  errors: [
    "finding_outdated",
    "finding_repaired",
    "finding_without_organisation",
    "organisation_not_found",
    "release_blocked",
    "release_in_progress",
    "number_not_active",
    "carrier_not_found",
    "carrier_refused",
  ],
  async run(app, { caller, params, body, origin }) {
    const row = await adoptFinding(app, operatorOf(caller, origin), params.id, body.organisation_id);
    return { status: 200, body: shownFinding(row) };
  },
});

const dropRestoreFindingOperation = operation({
  ...FINDING,
  id: "dropRestoreFinding",
  method: "POST",
  path: "/operator/v1/restore-findings/{id}/drop",
  summary: "Drop a finding",
  description:
    "The database keeps its value. Switches load it at once if they have the item, and otherwise when the restore is finished.",
  errors: ["finding_outdated", "finding_repaired"],
  async run(app, { caller, params, origin }) {
    return { status: 200, body: shownFinding(await dropFinding(app, operatorOf(caller, origin), params.id)) };
  },
});

const replayRevocationsOperation = operation({
  ...ONE,
  id: "replayRevocations",
  method: "POST",
  path: `${PATH}/{id}/revocations`,
  summary: "Replay revocations",
  description:
    "Repeats revocations from an audit export that the restored database does not have: revoked keys, removed members, changed passwords, removed passkeys, disabled users and rotated switch credentials. Users whose password is revoked reset it by email.",
  body: ReplayRevocations,
  http: { maxBodyBytes: 8 * 1024 * 1024 },
  answers: { 200: ReplayedRevocations },
  errors: ["restore_ended", "organisation_not_found"],
  async run(app, { caller, params, body, origin }) {
    const { entries, organisation_id: organisationId } = body;
    const replayed = await replayRevocations(app, operatorOf(caller, origin), params.id, {
      entries,
      organisationId,
    });
    return { status: 200, body: { entries: replayed } };
  },
});

const suspendApiKeysOperation = operation({
  ...ONE,
  id: "suspendApiKeys",
  method: "POST",
  path: `${PATH}/{id}/suspend-keys`,
  summary: "Suspend all API keys",
  description:
    "For a restore without an audit export. Every API key gets 401 `key_suspended` until an owner confirms it.",
  answers: { 200: SuspendedKeys },
  errors: ["restore_ended"],
  async run(app, { caller, params, origin }) {
    const count = await suspendApiKeys(app, operatorOf(caller, origin), params.id);
    return { status: 200, body: { count } };
  },
});

const finishRestoreOperation = operation({
  ...ONE,
  id: "finishRestore",
  method: "POST",
  path: `${PATH}/{id}/finish`,
  summary: "Finish a restore",
  description: "Switches load the state of the database, and everything that waited continues.",
  body: FinishRestore,
  answers: { 200: Restore },
  errors: ["restore_ended", "restore_unfinished"],
  async run(app, { caller, params, body, origin }) {
    const withoutUnreachable = body.without_unreachable ?? false;
    const author = operatorOf(caller, origin);
    const row = await finishRestore(app, author, params.id, { withoutUnreachable });
    return { status: 200, body: shownRestore(row) };
  },
});

function shownRestore(row: RestoreView): Restore {
  return {
    id: row.id,
    cause: row.cause,
    restored_to: row.restored_to?.toISOString() ?? null,
    began_at: row.began_at.toISOString(),
    began_by: row.began_by,
    compared_at: row.compared_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    ended_by: row.ended_by,
    switches: row.switches.map(({ switch: name, state, items }) => ({ name, state, items })),
    carriers: row.carriers.map(({ carrier: name, state, error }) => ({ name, state, error })),
    findings: row.findings,
  };
}

function shownFinding(row: RestoreFindingRow): RestoreFinding {
  const { id, kind, item_kind, item_id, e164, organisation_id, here, there, switches, carrier, state } = row;
  const decided = { decided_at: row.decided_at?.toISOString() ?? null, decided_by: row.decided_by };
  const item = { item: item_kind, item_id, e164, organisation_id };
  return { id, kind, ...item, here, there, switches, carrier, state, ...decided };
}

export const restoresOperations = [
  listRestoresOperation,
  getRestoreOperation,
  listRestoreFindingsOperation,
  compareRestoreOperation,
  adoptRestoreFindingOperation,
  dropRestoreFindingOperation,
  replayRevocationsOperation,
  suspendApiKeysOperation,
  finishRestoreOperation,
];

import { operation } from "../../app.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import { settingsOf } from "./trunks.document.rules.ts";
import {
  ByTrunk,
  DeleteTrunkQuery,
  ReplaceTrunks,
  RestoreTrunks,
  SetTrunk,
  TrunkRevisionsQuery,
} from "./trunks.schema.ts";
import { TrunkList, type TrunkRevision, TrunkRevisionPage } from "./trunks.shown.schema.ts";
import {
  deleteTrunk,
  getTrunks,
  listRevisions,
  replaceTrunks,
  restoreTrunks,
  type RevisionRow,
  setTrunk,
  syncTrunks,
} from "./trunks.ts";
import { SwitchTrunks, TrunkReport } from "./trunks.wire.schema.ts";

const PATH = "/operator/v1/switch-groups/{id}/trunks";
/** Not below the trunks: a trunk can be called `revisions`. */
const REVISIONS = "/operator/v1/switch-groups/{id}/trunk-revisions";
const OF_OPERATOR = { tag: "Trunks", access: { callers: "operator" }, idempotency: "none" } as const;
const OF_CHANGE = ["trunks_changed", "networks_not_confirmed", "switches_outdated"] as const;
const CONFIRMATION =
  "A change that opens a switch to a network must list it in `confirmed_networks`. It needs a session with a second factor, unless `OPERATOR_SECOND_FACTOR` is `optional`.";

const getTrunksOperation = operation({
  ...OF_OPERATOR,
  id: "getTrunks",
  method: "GET",
  path: PATH,
  summary: "Get trunks",
  description: "Returns the trunks of a switch group, and the trunks that each of its switches holds.",
  params: ById,
  notFound: "switch_group_not_found",
  answers: { 200: TrunkList },
  async run(app, { params }) {
    return { status: 200, body: await getTrunks(app, params.id) };
  },
});

const replaceTrunksOperation = operation({
  ...OF_OPERATOR,
  id: "replaceTrunks",
  method: "PUT",
  path: PATH,
  summary: "Replace all trunks",
  description: `Switches apply the list within seconds, without a restart. After the first list, they no longer use the trunks of their files. ${CONFIRMATION}`,
  params: ById,
  notFound: "switch_group_not_found",
  body: ReplaceTrunks,
  http: { maxBodyBytes: 4 * 1024 * 1024 },
  answers: { 200: TrunkList },
  errors: OF_CHANGE,
  async run(app, { caller, params, body, origin }) {
    return { status: 200, body: await replaceTrunks(app, operatorOf(caller, origin), params.id, body) };
  },
});

const setTrunkOperation = operation({
  ...OF_OPERATOR,
  id: "setTrunk",
  method: "PUT",
  path: `${PATH}/{name}`,
  summary: "Set a trunk",
  description: `Adds the trunk, or replaces all its settings. ${CONFIRMATION}`,
  params: ByTrunk,
  notFound: "switch_group_not_found",
  body: SetTrunk,
  answers: { 200: TrunkList },
  errors: OF_CHANGE,
  async run(app, { caller, params, body, origin }) {
    return { status: 200, body: await setTrunk(app, operatorOf(caller, origin), params, body) };
  },
});

const deleteTrunkOperation = operation({
  ...OF_OPERATOR,
  id: "deleteTrunk",
  method: "DELETE",
  path: `${PATH}/{name}`,
  summary: "Delete a trunk",
  description: "Switches reject its new calls within seconds. Active calls continue.",
  params: ByTrunk,
  query: DeleteTrunkQuery,
  notFound: "switch_group_not_found",
  answers: { 200: TrunkList },
  errors: ["trunk_not_found", "trunk_in_use", "trunks_changed", "switches_outdated"],
  async run(app, { caller, params, query, origin }) {
    return { status: 200, body: await deleteTrunk(app, operatorOf(caller, origin), params, query) };
  },
});

const listTrunkRevisionsOperation = operation({
  ...OF_OPERATOR,
  id: "listTrunkRevisions",
  method: "GET",
  path: REVISIONS,
  summary: "List trunk revisions",
  description: "Newest first, without passwords. The last 200 are kept.",
  params: ById,
  notFound: "switch_group_not_found",
  query: TrunkRevisionsQuery,
  answers: { 200: TrunkRevisionPage },
  async run(app, { params, query }) {
    const path = REVISIONS.replace("{id}", params.id);
    return pageOf(app, { path, of: "installation" }, query, {
      rows: (page) => listRevisions(app, params.id, page),
      item: shownRevision,
      position: ({ revision }) => String(revision),
    });
  },
});

const restoreTrunksOperation = operation({
  ...OF_OPERATOR,
  id: "restoreTrunks",
  method: "POST",
  path: `${REVISIONS}/restore`,
  summary: "Restore trunks",
  description: `Sets the list of an earlier revision again, with its passwords. ${CONFIRMATION}`,
  params: ById,
  notFound: "switch_group_not_found",
  body: RestoreTrunks,
  answers: { 200: TrunkList },
  errors: ["trunk_revision_not_found", ...OF_CHANGE],
  async run(app, { caller, params, body, origin }) {
    return { status: 200, body: await restoreTrunks(app, operatorOf(caller, origin), params.id, body) };
  },
});

const syncTrunksOperation = operation({
  id: "syncTrunks",
  method: "PUT",
  path: "/switch/v1/trunks",
  tag: "Switch feed",
  summary: "Report trunks",
  description:
    "Reports the trunks that the switch has read back. Returns the trunks that it should hold, if they differ from the list with the reported `etag`.",
  access: { callers: "switch" },
  idempotency: "none",
  body: TrunkReport,
  http: { maxBodyBytes: 8 * 1024 * 1024, hasSecret: true },
  answers: { 200: SwitchTrunks },
  async run(app, call) {
    return { status: 200, body: await syncTrunks(app, call.switch, call.body) };
  },
});

function shownRevision(row: RevisionRow): TrunkRevision {
  const { revision, document, opened_networks, restored_from } = row;
  return {
    revision,
    trunks: document.trunks.map(settingsOf),
    forwarding: document.forwarding,
    opened_networks,
    restored_from,
    actor: { id: row.actor_id, name: row.actor_name },
    created_at: row.created_at.toISOString(),
  };
}

export const trunksOperations = [
  getTrunksOperation,
  replaceTrunksOperation,
  setTrunkOperation,
  deleteTrunkOperation,
  listTrunkRevisionsOperation,
  restoreTrunksOperation,
  syncTrunksOperation,
];

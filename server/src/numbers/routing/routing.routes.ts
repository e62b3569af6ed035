import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ByNumber } from "../../platform/http/shapes.ts";
import {
  DiffQuery,
  type Revision,
  RevisionPage,
  RevisionsQuery,
  RollBackRouting,
  Routing,
  RoutingDiff,
} from "./routing.schema.ts";
import { SetRouting } from "./routing.destination.schema.ts";
import {
  diffRevisions,
  foreseeRollback,
  getRouting,
  hasRouting,
  listRevisions,
  rejectModes,
  type RevisionRow,
  rollBackRouting,
  type RoutingRecord,
  setRouting,
  waitUntilApplied,
} from "./routing.ts";

const PEOPLE = { roles: ["owner", "admin", "developer"] } as const;
const READERS = { callers: "organisation", sessions: PEOPLE, keys: ["numbers"] } as const;
const WRITERS = { callers: "organisation", sessions: PEOPLE, keys: ["numbers_write"] } as const;

const OF_NUMBER = { tag: "Routing", params: ByNumber, notFound: "number_not_found" } as const;

const getRoutingOperation = operation({
  ...OF_NUMBER,
  id: "getRouting",
  method: "GET",
  path: "/v1/numbers/{id}/routing",
  summary: "Get routing",
  description:
    "`desired` is the routing that you set. `applied` is the routing that the switches have read back. With several switches, it is the one furthest behind. `status` compares the two.",
  access: READERS,
  idempotency: "none",
  http: { conditional: true },
  answers: { 200: Routing },
  async run(app, { actor, params }) {
    return shown(await getRouting(app, actor, params.id));
  },
});

const setRoutingOperation = operation({
  ...OF_NUMBER,
  id: "setRouting",
  method: "PUT",
  path: "/v1/numbers/{id}/routing",
  summary: "Set desired routing",
  description:
    "Responds when the desired routing is stored. With `Prefer: wait=10`, responds when all switches have confirmed it, or after ten seconds. With `If-Match`, rejects the request if the routing has changed. Setting the same routing again changes nothing, but resends it to switches that have not confirmed it.",
  access: WRITERS,
  idempotency: "required",
  http: { conditional: true, waitsFor: "every switch has confirmed the routing" },
  body: SetRouting,
  answers: { 200: Routing },
  errors: [
    "mode_not_allowed",
    "number_not_active",
    "destination_not_allowed",
    "connection_unknown",
    "forward_loop",
    "switches_outdated",
  ],
  precheck: ({ body, actor }) => rejectModes(actor, body),
  keyed: (app, { actor, params, body, ifMatch }, request) =>
    setRouting(app, actor, { numberId: params.id, body, ifMatch }, request),
  async settle(app, { actor, params }, until) {
    return shown(await waitUntilApplied(app, actor, params.id, until));
  },
});

const rollBackRoutingOperation = operation({
  ...OF_NUMBER,
  id: "rollBackRouting",
  method: "POST",
  path: "/v1/numbers/{id}/routing/rollback",
  summary: "Roll back to a revision",
  description: "Sets the desired routing of an earlier revision as a new revision.",
  access: WRITERS,
  idempotency: "optional",
  http: { conditional: true },
  body: RollBackRouting,
  answers: { 200: Routing },
  errors: [
    "revision_not_found",
    "mode_not_allowed",
    "number_not_active",
    "destination_not_allowed",
    "connection_unknown",
    "forward_loop",
    "switches_outdated",
  ],
  prepare: (app, { actor, params, body }) =>
    foreseeRollback(app, actor, { numberId: params.id, generation: body.generation }),
  isVisible: (tx, { params }) => hasRouting(tx, params.id),
  async change(tx, { actor, params, body, ifMatch }, app) {
    return shown(await rollBackRouting(tx, app, actor, { numberId: params.id, body, ifMatch }));
  },
});

const listRevisionsOperation = operation({
  ...OF_NUMBER,
  id: "listRoutingRevisions",
  method: "GET",
  path: "/v1/numbers/{id}/routing/revisions",
  summary: "List routing revisions",
  description: "Newest first.",
  access: READERS,
  idempotency: "none",
  query: RevisionsQuery,
  answers: { 200: RevisionPage },
  async run(app, { actor, params, query }) {
    return pageOf(app, { path: `/v1/numbers/${params.id}/routing/revisions`, of: actor }, query, {
      rows: (page) => listRevisions(app, actor, params.id, page),
      item: shownRevision,
      position: (row) => row.generation,
    });
  },
});

const diffRoutingOperation = operation({
  ...OF_NUMBER,
  id: "diffRouting",
  method: "GET",
  path: "/v1/numbers/{id}/routing/diff",
  summary: "Compare two revisions",
  description: "Lists the fields in which the desired routing differs.",
  access: READERS,
  idempotency: "none",
  query: DiffQuery,
  answers: { 200: RoutingDiff },
  errors: ["revision_not_found"],
  async run(app, { actor, params, query }) {
    return {
      status: 200,
      body: { ...query, changes: await diffRevisions(app, actor, params.id, query) },
    };
  },
});

function shown({ record, generation }: RoutingRecord): {
  status: number;
  json: string;
  headers: { etag: string };
} {
  return { status: 200, json: record, headers: { etag: `"${generation}"` } };
}

function shownRevision(row: RevisionRow): Revision {
  return {
    generation: Number(row.generation),
    desired: row.desired,
    set_at: row.set_at.toISOString(),
    set_by: { kind: row.set_by_kind as Revision["set_by"]["kind"], id: row.set_by_id, name: row.set_by_name },
    reason: row.reason,
  };
}

export const routingOperations = [
  getRoutingOperation,
  setRoutingOperation,
  rollBackRoutingOperation,
  listRevisionsOperation,
  diffRoutingOperation,
];

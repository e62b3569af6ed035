import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import {
  DiffQuery,
  type Revision,
  RevisionPage,
  RevisionsQuery,
  RollBackRouting,
  Routing,
  RoutingDiff,
  SetRouting,
} from "./routing.schema.ts";
import {
  diffRevisions,
  foreseeRollback,
  getRouting,
  hasRouting,
  listRevisions,
  rejectMode,
  type RevisionRow,
  rollBackRouting,
  type RoutingRecord,
  setRouting,
  waitUntilApplied,
} from "./routing.ts";

const PEOPLE = { roles: ["owner", "admin", "developer"] } as const;
const READERS = { callers: "organisation", sessions: PEOPLE, keys: ["numbers"] } as const;
const WRITERS = { callers: "organisation", sessions: PEOPLE, keys: ["numbers_write"] } as const;

const OF_NUMBER = { tag: "Routing", params: ById, notFound: "number_not_found" } as const;

export const getRoutingOperation = operation({
  ...OF_NUMBER,
  id: "getRouting",
  method: "GET",
  path: "/v1/numbers/{id}/routing",
  summary: "Read where a number's calls should go, and where they go",
  description:
    "`desired` is what was set; `applied` is what the switches answered when they were last asked, and the one furthest behind speaks for all. `status` compares the two.",
  access: READERS,
  idempotency: "none",
  conditional: true,
  answers: { 200: Routing },
  async run(app, { actor, params }) {
    return shown(await getRouting(app, actor, params.id));
  },
});

export const setRoutingOperation = operation({
  ...OF_NUMBER,
  id: "setRouting",
  method: "PUT",
  path: "/v1/numbers/{id}/routing",
  summary: "Set where a number's calls should go",
  description:
    "Answers as soon as it is written down; with `Prefer: wait=10`, when every switch has it or ten seconds have passed. With `If-Match`, only if nobody has changed it meanwhile. Setting what is desired already changes nothing, but tells switches that are behind once more.",
  access: WRITERS,
  idempotency: "required",
  conditional: true,
  body: SetRouting,
  answers: { 200: Routing },
  errors: [
    "mode_not_allowed",
    "number_not_active",
    "destination_not_allowed",
    "connection_unknown",
    "forward_loop",
  ],
  /**
   * Runs as soon as the mode is readable, so that an unauthorised caller gets the role error before validation
   * errors.
   */
  screen: (body, actor) => rejectMode(actor, (body as { mode?: unknown } | null)?.mode),
  keyed: (app, { actor, params, body, ifMatch }, request) =>
    setRouting(app, actor, { numberId: params.id, body, ifMatch }, request),
  async settle(app, { actor, params }, until) {
    return shown(await waitUntilApplied(app, actor, params.id, until));
  },
});

export const rollBackRoutingOperation = operation({
  ...OF_NUMBER,
  id: "rollBackRouting",
  method: "POST",
  path: "/v1/numbers/{id}/routing/rollback",
  summary: "Desire again what an earlier revision says",
  access: WRITERS,
  idempotency: "optional",
  conditional: true,
  body: RollBackRouting,
  answers: { 200: Routing },
  errors: [
    "revision_not_found",
    "mode_not_allowed",
    "number_not_active",
    "destination_not_allowed",
    "connection_unknown",
    "forward_loop",
  ],
  prepare: (app, { actor, params, body }) =>
    foreseeRollback(app, actor, { numberId: params.id, generation: body.generation }),
  isVisible: (tx, { params }) => hasRouting(tx, params.id),
  async change(tx, { actor, params, body, ifMatch }, app) {
    return shown(await rollBackRouting(tx, app, actor, { numberId: params.id, body, ifMatch }));
  },
});

export const listRevisionsOperation = operation({
  ...OF_NUMBER,
  id: "listRoutingRevisions",
  method: "GET",
  path: "/v1/numbers/{id}/routing/revisions",
  summary: "List everything that was ever desired, newest first",
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

export const diffRoutingOperation = operation({
  ...OF_NUMBER,
  id: "diffRouting",
  method: "GET",
  path: "/v1/numbers/{id}/routing/diff",
  summary: "Compare two revisions",
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

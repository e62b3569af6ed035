import { Type } from "typebox";
import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById, PageQuery } from "../../platform/http/shapes.ts";
import { healthOf } from "./connections.health.ts";
import { ChangeConnection, Connection, ConnectionPage, CreateConnection } from "./connections.schema.ts";
import {
  changeConnection,
  type ConnectionRow,
  createConnection,
  deleteConnection,
  foreseeTargets,
  getConnection,
  listConnections,
} from "./connections.ts";

const MAKERS = { roles: ["owner", "admin", "developer"] } as const;
const READERS = { callers: "organisation", sessions: MAKERS, keys: ["numbers"] } as const;
const WRITERS = { callers: "organisation", sessions: MAKERS, keys: "none" } as const;

const listConnectionsOperation = operation({
  id: "listConnections",
  method: "GET",
  path: "/v1/connections",
  tag: "Connections",
  summary: "List connections",
  description: "Lists the connections of the organisation.",
  access: READERS,
  idempotency: "none",
  query: Type.Object(PageQuery, { additionalProperties: false }),
  answers: { 200: ConnectionPage },
  async run(app, { actor, query }) {
    return pageOf(app, { path: "/v1/connections", of: actor }, query, {
      rows: (page) => listConnections(app, actor, page),
      item: shownConnection,
      position: (row) => row.id,
    });
  },
});

const createConnectionOperation = operation({
  id: "createConnection",
  method: "POST",
  path: "/v1/connections",
  tag: "Connections",
  summary: "Create a connection",
  description:
    "A connection is a named SIP trunk to your own system. Numbers in mode `connection` send their calls to its targets.",
  access: WRITERS,
  idempotency: "optional",
  body: CreateConnection,
  answers: { 201: Connection },
  errors: ["connection_name_taken", "destination_not_allowed"],
  prepare: (app, { body }) => foreseeTargets(app, body.targets),
  async change(tx, { actor, body }, app) {
    const connection = await createConnection(tx, app, actor, body);
    return {
      status: 201,
      body: shownConnection(connection),
      headers: { location: `${app.config.baseUrl}/v1/connections/${connection.id}` },
    };
  },
});

const getConnectionOperation = operation({
  id: "getConnection",
  method: "GET",
  path: "/v1/connections/{id}",
  tag: "Connections",
  summary: "Get a connection",
  description: "Includes the health of its targets.",
  access: READERS,
  idempotency: "none",
  http: { conditional: true },
  params: ById,
  notFound: "connection_not_found",
  answers: { 200: Connection },
  async run(app, { actor, params }) {
    return tagged(await getConnection(app, actor, params.id));
  },
});

const changeConnectionOperation = operation({
  id: "changeConnection",
  method: "PATCH",
  path: "/v1/connections/{id}",
  tag: "Connections",
  summary: "Update a connection",
  description:
    "Absent fields keep their value. `targets` replaces the whole list. Numbers that use the connection follow it without a routing change.",
  access: WRITERS,
  idempotency: "none",
  http: { conditional: true },
  params: ById,
  notFound: "connection_not_found",
  body: ChangeConnection,
  answers: { 200: Connection },
  errors: ["connection_name_taken", "destination_not_allowed"],
  prepare: (app, { body }) => foreseeTargets(app, body.targets),
  async change(tx, { actor, params, body, ifMatch }, app) {
    return tagged(await changeConnection(tx, app, actor, { id: params.id, change: body, ifMatch }));
  },
});

const deleteConnectionOperation = operation({
  id: "deleteConnection",
  method: "DELETE",
  path: "/v1/connections/{id}",
  tag: "Connections",
  summary: "Delete a connection",
  description: "Fails if a number uses the connection.",
  access: WRITERS,
  idempotency: "none",
  params: ById,
  notFound: "connection_not_found",
  answers: { 204: null },
  errors: ["connection_in_use"],
  async change(tx, { actor, params }, app) {
    await deleteConnection(tx, app, actor, params.id);
    return { status: 204 };
  },
});

function tagged(row: ConnectionRow): { status: 200; body: Connection; headers: Record<string, string> } {
  return { status: 200, body: shownConnection(row), headers: { etag: `"${row.generation}"` } };
}

function shownConnection(row: ConnectionRow): Connection {
  return {
    id: row.id,
    name: row.name,
    targets: row.targets.map(({ readings, ...target }) => ({ ...target, health: healthOf(readings ?? []) })),
    max_calls: row.max_calls,
    ring_seconds: row.ring_seconds,
    sources: row.sources,
    metadata: row.metadata,
    generation: row.generation,
    in_use_by: row.in_use_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export const connectionsOperations = [
  listConnectionsOperation,
  createConnectionOperation,
  getConnectionOperation,
  changeConnectionOperation,
  deleteConnectionOperation,
];

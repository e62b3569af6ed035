import type { Json, JsonObject } from "./contract.schemas.ts";
import { AT, E164, ID } from "./example-story.ids.ts";

export const NEW_HOST = "pbx.berlin.northwind.example";
export const NEW_ADDRESS = "203.0.113.9:5060";
export const OLD_URI = "sip:sales@pbx.hamburg.northwind.example";
export const REASON = "Sales moves to the new office";
export const ADA = { kind: "session", id: ID.ada, name: "Ada Lovelace" };
const GRACE = { kind: "session", id: ID.grace, name: "Grace Hopper" };
export const TO_BERLIN = { mode: "connection", connection_id: ID.berlin };
const NOT_RELEASED = { released_at: null, restore_until: null };

const sales = {
  id: ID.sales,
  e164: E164.sales,
  country: "DE",
  type: "local",
  capabilities: ["voice"],
  status: "active",
  status_reason: null,
  label: "Sales",
  tags: ["berlin"],
  metadata: { site: "berlin" },
  source: "order",
  order_id: ID.order,
  routing: {
    mode: "connection",
    generation: 3,
    status: "in_sync",
    destination: { mode: "connection", connection: { id: ID.berlin, name: "Berlin office" }, steps: 1 },
    applied_destination: null,
    switches_behind: [],
    switches: 2,
    health: "up",
    flapping: false,
  },
  release_lock: true,
  acquired_at: AT.acquired,
  ...NOT_RELEASED,
  last_call_at: "2026-11-15T09:41:00.000Z",
  calls_24h: 61,
  created_at: AT.acquired,
  updated_at: AT.moved,
};
const support = {
  ...sales,
  id: ID.support,
  e164: E164.support,
  label: "Support",
  release_lock: false,
  last_call_at: "2026-11-15T09:52:00.000Z",
  calls_24h: 148,
  updated_at: "2026-11-15T09:33:00.000Z",
};

const target = { host: NEW_HOST, port: 5060, transport: "udp", priority: 1, weight: 1 };
const settings = {
  max_calls: 30,
  ring_seconds: 20,
  sources: ["203.0.113.0/28"],
  metadata: { site: "berlin" },
};
const berlin = {
  id: ID.berlin,
  name: "Berlin office",
  targets: [{ ...target, health: { state: "unknown", switches: [] } }],
  ...settings,
  generation: 1,
  in_use_by: 0,
  created_at: AT.officeAdded,
  updated_at: AT.officeAdded,
};
const health = {
  state: "up",
  switches: [
    {
      switch: "fra-1",
      state: "up",
      addresses: [{ address: NEW_ADDRESS, state: "up" }],
      since: "2026-11-13T13:20:04.000Z",
      checked_at: "2026-11-15T09:59:50.000Z",
    },
  ],
};
const changedBerlin = {
  ...berlin,
  targets: [{ ...target, health }],
  max_calls: 60,
  generation: 2,
  in_use_by: 2,
  updated_at: "2026-11-15T09:15:00.000Z",
};

/** The number comes from the pool, which delivers nothing. */
function chainOf(generation: number, of: { generation: number; observed_at: string }, status = "in_sync") {
  const none = { desired: null, applied: null, error: null, observed_at: null };
  return [
    { link: "carrier", ...none, status: "unsupported", reason: "no_delivery" },
    {
      link: "switch",
      desired: { generation },
      applied: { generation: of.generation },
      status,
      reason: null,
      error: null,
      observed_at: of.observed_at,
    },
  ];
}
const applied = { ...TO_BERLIN, generation: 3, observed_at: AT.applied };
const routing = {
  number_id: ID.sales,
  desired: { ...TO_BERLIN, generation: 3, set_at: AT.moved, set_by: ADA, reason: REASON },
  applied,
  status: "in_sync",
  since: AT.applied,
  effective_reason: null,
  switches: [
    {
      switch: "fra-1",
      applied,
      observed_at: AT.applied,
      error: null,
      expected: { ...TO_BERLIN, generation: 3 },
      applied_at: AT.applied,
      took_ms: 412,
    },
  ],
  chain: chainOf(3, applied),
  last_error: null,
  flapping: false,
  drift: null,
};
const old = { mode: "sip_uri", sip_uri: OLD_URI };
const rolledBack = {
  ...routing,
  desired: {
    ...old,
    generation: 4,
    set_at: "2026-11-15T09:35:00.000Z",
    set_by: GRACE,
    reason: "The office has no power",
  },
  status: "pending",
  since: "2026-11-15T09:35:00.000Z",
  chain: chainOf(4, applied, "pending"),
  switches: [
    { ...routing.switches[0], expected: { ...old, generation: 4 }, applied_at: null, took_ms: null },
  ],
};
const moved = { generation: 3, desired: TO_BERLIN, set_at: AT.moved, set_by: ADA, reason: REASON };
const revisions = [
  moved,
  { generation: 2, desired: old, set_at: "2026-11-02T09:20:00.000Z", set_by: ADA, reason: null },
  { generation: 1, desired: { mode: "unrouted" }, set_at: AT.acquired, set_by: ADA, reason: null },
];

const bulk = {
  id: ID.bulkChange,
  status: "planned",
  change: { routing: TO_BERLIN },
  reason: "Support moves too",
  progress: { total: 2, set: 0, unchanged: 0, stale: 0, failed: 0 },
  missing: [],
  created_by: ADA,
  created_at: "2026-11-15T09:32:00.000Z",
  expires_at: "2026-11-16T09:32:00.000Z",
  started_at: null,
  finished_at: null,
};
const startedBulk = { ...bulk, status: "applying", started_at: "2026-11-15T09:33:00.000Z" };
const finishedBulk = {
  ...startedBulk,
  status: "finished",
  progress: { total: 2, set: 1, unchanged: 1, stale: 0, failed: 0 },
  finished_at: "2026-11-15T09:33:01.000Z",
};
const plannedItem = { tags: ["berlin"], error: null };
const items = [
  {
    number_id: ID.sales,
    e164: E164.sales,
    from: {
      mode: "connection",
      generation: 3,
      desired: TO_BERLIN,
      tags: plannedItem.tags,
      release_lock: true,
    },
    outcome: "unchanged",
    error: null,
  },
  {
    number_id: ID.support,
    e164: E164.support,
    from: {
      mode: "sip_uri",
      generation: 2,
      desired: old,
      tags: plannedItem.tags,
      release_lock: false,
    },
    outcome: "set",
    error: null,
  },
];

const live = {
  number_id: ID.sales,
  active_calls: 2,
  calls_last_minute: 1,
  last_call_at: "2026-11-15T09:59:31.000Z",
  applied_mode: "connection",
  switch_online: true,
  observed_at: "2026-11-15T09:59:59.000Z",
};
const liveNumbers = { as_of: AT.now, data: [live], missing: [] };
const stream = `id: 5XzYb2bJcVQnX0dE6Sx3rw\nevent: live\ndata: ${JSON.stringify(liveNumbers)}\n\n`;

const csv = [
  "id,number,country,type,status,label,tags,source,mode,sync,generation,release_lock,acquired_at,released_at",
  `${ID.sales},${E164.sales},DE,local,active,Sales,berlin,order,connection,in_sync,3,true,${AT.acquired},`,
  `${ID.support},${E164.support},DE,local,active,Support,berlin,order,connection,in_sync,3,false,${AT.acquired},`,
  "",
].join("\r\n");

/** By title of the schema. */
export const NUMBER_EXAMPLES: Record<string, Json> = {
  Number: sales,
  NumberPage: { data: [sales, support], next_cursor: null, total: 2, total_is_minimum: false },
  ChangeNumber: { label: "Sales", tags: ["berlin"], metadata: { site: "berlin" }, release_lock: true },
  LiveNumbers: liveNumbers,
  Connection: changedBerlin,
  CreateConnection: { name: "Berlin office", targets: [target], ...settings },
  ChangeConnection: { max_calls: 60 },
  Routing: routing,
  SetRouting: { ...TO_BERLIN, reason: REASON },
  RollBackRouting: { generation: 2, reason: "The office has no power" },
  RoutingRevisionPage: { data: revisions, next_cursor: null },
  RoutingDiff: {
    from: 2,
    to: 3,
    changes: [
      { field: "mode", from: "sip_uri", to: "connection" },
      { field: "sip_uri", from: OLD_URI, to: null },
      { field: "connection_id", from: null, to: ID.berlin },
    ],
  },
  RoutingWebhookSecret: {
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    version: 2,
    previous_until: "2026-11-16T09:00:00.000Z",
  },
  PlanBulkChange: {
    select: { filter: { tag: "berlin" } },
    change: { routing: TO_BERLIN },
    reason: "Support moves too",
  },
  BulkChange: finishedBulk,
  BulkChangeItemPage: { data: items, next_cursor: null },
};

/** Successful responses that differ from the example of their schema, by operation. */
export const NUMBER_ANSWERS: Record<string, Json> = {
  createConnection: berlin,
  rollBackRouting: rolledBack,
  planBulkChange: bulk,
  applyBulkChange: startedBulk,
  exportNumbers: csv,
  followLive: stream,
};

const FILTERS = { q: "Sales", country: "DE", type: "local", status: "active", tag: "berlin" };
const LIST_FILTERS: JsonObject = {
  ...FILTERS,
  mode: "connection",
  sync: "in_sync",
  destination: NEW_HOST,
  metadata: { site: "berlin" },
  sort: "acquired_at",
};

/** Parameters by operation. */
export const NUMBER_PARAMETERS: Record<string, JsonObject> = {
  listNumbers: LIST_FILTERS,
  exportNumbers: LIST_FILTERS,
  readLive: { ids: [ID.sales] },
  followLive: { ids: [ID.sales] },
  diffRouting: { from: 2, to: 3 },
  listBulkChangeItems: { outcome: "set" },
};

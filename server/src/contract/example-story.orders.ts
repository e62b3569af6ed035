import type { Json, JsonObject } from "./contract.schemas.ts";
import { AT, E164, ID } from "./example-story.ids.ts";
import { NEW_ADDRESS, NEW_HOST } from "./example-story.numbers.ts";

const NUMBERS = [E164.sales, E164.support];

const reservation = {
  id: ID.reservation,
  status: "ordered",
  numbers: NUMBERS,
  expires_at: "2026-11-02T09:40:00.000Z",
  created_at: AT.reserved,
};

const ordered = {
  id: ID.order,
  job_id: ID.orderJob,
  status: "completed",
  quantity: 2,
  criteria: null,
  reservation_id: ID.reservation,
  all_or_nothing: true,
  routing: null,
  label: null,
  tags: ["berlin"],
  external_ref: "PO-4711",
  metadata: { cost_centre: "4100" },
  created_by: { kind: "session", id: ID.ada, name: "Ada Lovelace" },
  created_at: AT.ordered,
  finished_at: AT.acquired,
};
const NO_EVIDENCE = { requirements: [], action_required_until: null };
const order = {
  ...ordered,
  items: [
    { e164: E164.sales, status: "succeeded", number_id: ID.sales, error: null, ...NO_EVIDENCE },
    { e164: E164.support, status: "succeeded", number_id: ID.support, error: null, ...NO_EVIDENCE },
  ],
};
const placed = {
  ...ordered,
  status: "pending",
  finished_at: null,
  items: NUMBERS.map((e164) => ({ e164, status: "pending", number_id: null, error: null, ...NO_EVIDENCE })),
};

const orderJob = {
  id: ID.orderJob,
  type: "number_order",
  status: "succeeded",
  reason: null,
  progress: { total: 2, succeeded: 2, failed: 0 },
  subject: { order_id: ID.order },
  error: null,
  attempts: 1,
  created_at: AT.ordered,
  started_at: "2026-11-02T09:12:30.240Z",
  finished_at: AT.acquired,
};
const releaseJob = {
  ...orderJob,
  id: ID.releaseJob,
  type: "number_release",
  progress: { total: 1, succeeded: 1, failed: 0 },
  subject: { number_id: ID.fax },
  created_at: "2026-11-10T10:00:00.000Z",
  started_at: "2026-11-10T10:00:00.180Z",
  finished_at: "2026-11-10T10:00:03.000Z",
};

const attempt = {
  step: 1,
  mode: "connection",
  host: NEW_HOST,
  address: NEW_ADDRESS,
  transport: "udp",
  outcome: "answered",
  code: 200,
  started_at: "2026-11-15T09:41:07.020Z",
  ringing_at: "2026-11-15T09:41:07.180Z",
  ended_at: "2026-11-15T09:41:11.380Z",
};
const call = {
  id: "d1d65e35312d4db28306db0d41a81a3a",
  number_id: ID.sales,
  e164: E164.sales,
  started_at: AT.called,
  answered_at: "2026-11-15T09:41:11.380Z",
  ended_at: "2026-11-15T09:44:23.380Z",
  result: "answered",
  ending: "hung_up",
  ended_by: "caller",
  setup_ms: 180,
  ring_ms: 4200,
  talk_seconds: 192,
  mode: "connection",
  generation: 3,
  step: 1,
  connection_id: ID.berlin,
  code: 200,
  reason: null,
  q850: 16,
  switch: "fra-1",
  caller: E164.caller,
  caller_raw: "00442079460123",
  target: `sip:${E164.sales}@${NEW_HOST}`,
  attempts: [attempt],
  sip_call_id: "1-11035@carrier.example",
  misrouted: false,
};
/** The same call for the operator. */
const operatorCall = {
  ...call,
  organisation_id: ID.organisation,
  environment: "live",
  called: E164.sales,
  trunk: "acme",
  gateway: null,
};
const detail = {
  received_at: "2026-11-15T09:44:24.100Z",
  destination: { mode: "connection", connection_id: ID.berlin },
};
const callsCsv = [
  "id,started_at,answered_at,ended_at,result,ending,talk_seconds,mode,generation,code,reason,switch,caller,target,ended_by,setup_ms,ring_ms,q850,caller_raw,sip_call_id,attempts,number_id,e164,connection_id,step,misrouted",
  [
    call.id,
    call.started_at,
    call.answered_at,
    call.ended_at,
    "answered,hung_up,192,connection,3,200,,fra-1",
    call.caller,
    call.target,
    "caller,180,4200,16",
    call.caller_raw,
    call.sip_call_id,
    `"${JSON.stringify(call.attempts).replaceAll('"', '""')}"`,
    call.number_id,
    call.e164,
    call.connection_id,
    call.step,
    call.misrouted,
  ].join(","),
  "",
].join("\r\n");

/** Calls by result, and talk time in seconds. */
type Counts = typeof NONE;
const NONE = {
  calls: 0,
  answered: 0,
  busy: 0,
  no_answer: 0,
  cancelled: 0,
  rejected: 0,
  failed: 0,
  talk_seconds: 0,
  forwarded_seconds: 0,
};
const FIRST = { from: "2026-11-15T08:00:00.000Z", to: "2026-11-15T09:00:00.000Z" };
const SECOND = { from: "2026-11-15T09:00:00.000Z", to: AT.now };
const WINDOW = { from: FIRST.from, to: SECOND.to };
const counted = {
  ...WINDOW,
  exact: true,
  as_of: "2026-11-15T10:05:00.000Z",
  complete_through: "2026-11-15T10:04:30.000Z",
  unreachable_switches: [],
};
const salesBefore = {
  ...NONE,
  calls: 14,
  answered: 11,
  busy: 1,
  no_answer: 1,
  cancelled: 1,
  talk_seconds: 1980,
};
const salesAfter = { ...NONE, calls: 9, answered: 7, no_answer: 1, cancelled: 1, talk_seconds: 1264 };
const supportBefore = { ...NONE, calls: 7, answered: 6, rejected: 1, talk_seconds: 1310 };
const supportAfter = {
  ...NONE,
  calls: 5,
  answered: 4,
  no_answer: 1,
  talk_seconds: 900,
  forwarded_seconds: 240,
};

function sum(...parts: Counts[]): Counts {
  const names = Object.keys(NONE) as (keyof Counts)[];
  const total = (name: keyof Counts) => parts.reduce((before, part) => before + part[name], 0);
  return Object.fromEntries(names.map((name) => [name, total(name)])) as Counts;
}

/** By title of the schema. */
export const ORDER_EXAMPLES: Record<string, Json> = {
  InventoryPage: {
    data: [{ e164: E164.free, country: "DE", type: "local", capabilities: ["voice"] }],
    next_cursor: null,
    carrier: { connected: true },
  },
  CreateReservation: { numbers: NUMBERS },
  Reservation: reservation,
  PlaceOrder: {
    reservation_id: ID.reservation,
    tags: ["berlin"],
    external_ref: "PO-4711",
    metadata: { cost_centre: "4100" },
    all_or_nothing: true,
  },
  Order: order,
  OrderSummary: ordered,
  Release: { job_id: ID.releaseJob, number_id: ID.fax, status: "releasing" },
  Job: orderJob,
  JobPage: { data: [releaseJob, orderJob], next_cursor: null },
  Call: call,
  CallDetail: { ...call, called: E164.sales, ...detail },
  OperatorCall: operatorCall,
  OperatorCallDetail: { ...operatorCall, ...detail, asserted_caller: E164.caller },
  NumberUsage: {
    number_id: ID.sales,
    ...counted,
    totals: sum(salesBefore, salesAfter),
    buckets: [
      { ...FIRST, ...salesBefore },
      { ...SECOND, ...salesAfter },
    ],
  },
  OrganisationUsage: {
    ...counted,
    totals: sum(salesBefore, salesAfter, supportBefore, supportAfter),
    buckets: [
      { ...FIRST, ...sum(salesBefore, supportBefore) },
      { ...SECOND, ...sum(salesAfter, supportAfter) },
    ],
  },
  TopNumbers: {
    from: AT.dayBegan,
    to: AT.dayEnds,
    exact: true,
    as_of: counted.as_of,
    data: [
      { number_id: ID.sales, e164: E164.sales, label: "Sales", ...sum(salesBefore, salesAfter) },
      { number_id: ID.support, e164: E164.support, label: "Support", ...sum(supportBefore, supportAfter) },
    ],
  },
};

/** Successful responses that differ from the example of their schema, by operation. */
export const ORDER_ANSWERS: Record<string, Json> = {
  createReservation: { ...reservation, status: "active" },
  placeOrder: placed,
  restoreNumber: { job_id: ID.restoreJob, number_id: ID.fax, status: "restoring" },
  exportCalls: callsCsv,
  exportFoundCalls: callsCsv,
};

/** Filters that match the call above. */
const CALL_FILTERS = {
  from: AT.dayBegan,
  to: AT.dayEnds,
  number_id: ID.sales,
  caller: E164.caller,
  result: "answered",
  code: 200,
  connection_id: ID.berlin,
  switch: "fra-1",
  sip_call_id: call.sip_call_id,
  misrouted: false,
};
const DAY = { from: AT.dayBegan, to: AT.dayEnds };

/** Parameters by operation. */
export const ORDER_PARAMETERS: Record<string, JsonObject> = {
  listOrders: { status: "completed", external_ref: ordered.external_ref },
  listJobs: { status: "succeeded", type: "number_order" },
  searchInventory: { country: "DE", type: "local", contains: "3010" },
  getNumberUsage: { ...WINDOW, granularity: "hour" },
  getOrganisationUsage: { ...WINDOW, granularity: "hour" },
  getTopNumbers: { ...DAY, by: "calls", limit: 20 },
  listCalls: DAY,
  exportCalls: DAY,
  searchCalls: CALL_FILTERS,
  exportFoundCalls: CALL_FILTERS,
  searchAllCalls: {
    ...CALL_FILTERS,
    called: E164.sales,
    organisation_id: ID.organisation,
    unmatched: false,
    environment: "live",
  },
};

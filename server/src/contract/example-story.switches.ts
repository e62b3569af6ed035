import type { Json } from "./contract.schemas.ts";
import { AT, E164, ID } from "./example-story.ids.ts";
import { NEW_ADDRESS, NEW_HOST } from "./example-story.numbers.ts";

export const REPORTED = "2026-11-15T09:59:59.000Z";

export const savedState = {
  id: ID.savedState,
  switch_id: ID.switch,
  epoch: ID.endedEpoch,
  saved_at: "2026-10-20T03:15:00.000Z",
  items: 2,
  status: "on_switch",
  requested_at: null,
  uploaded_at: null,
};

const route = { e164: E164.sales, mode: "connection", connection_id: ID.berlin };
const target = { host: NEW_HOST, port: 5060, transport: "udp", priority: 1, weight: 1 };
const office = { targets: [target], max_calls: 60, ring_seconds: 20, sources: ["203.0.113.0/28"] };
const routeItem = { kind: "route", id: ID.sales, version: 43, generation: 3, value: route };
export const savedItems = [
  { ...routeItem, shard: 17 },
  { kind: "connection", id: ID.berlin, shard: 17, version: 42, generation: 2, value: office },
];

const record = {
  id: "d1d65e35312d4db28306db0d41a81a3a",
  started_at: "2026-11-15T09:41:07.000000Z",
  answered_at: "2026-11-15T09:41:11.380000Z",
  ended_at: "2026-11-15T09:44:23.380000Z",
  ending: "hung_up",
  number_id: ID.sales,
  mode: "connection",
  generation: 3,
  trunk: "carrier",
  code: 200,
  why: null,
  caller: E164.caller,
  called: E164.sales,
  target: `sip:${E164.sales}@${NEW_HOST}`,
  sip_call_id: "1-11035@carrier.example",
  ended_by: "caller",
  setup_ms: 180,
  ring_ms: 4200,
  q850: 16,
  gateway: null,
  caller_raw: "00442079460123",
  asserted_caller: E164.caller,
  attempts: [
    {
      step: 1,
      mode: "connection",
      host: NEW_HOST,
      address: NEW_ADDRESS,
      transport: "udp",
      outcome: "answered",
      code: 200,
      started_at: "2026-11-15T09:41:07.020000Z",
      ringing_at: "2026-11-15T09:41:07.180000Z",
      ended_at: "2026-11-15T09:41:11.380000Z",
    },
  ],
};

/** Requests and responses of switch agents, by title of the schema. */
export const SWITCH_EXAMPLES: Record<string, Json> = {
  LiveReport: {
    session: ID.liveSession,
    sequence: 14_372,
    is_snapshot: false,
    numbers: [
      {
        number_id: ID.sales,
        active_calls: 2,
        calls_last_minute: 1,
        last_call_at: "2026-11-15T09:59:31.000Z",
      },
    ],
  },
  LiveReceipt: { is_taken: true },
  ForwardingReport: {
    held_version: 41,
    use: [{ organisation_id: ID.organisation, day: 20_772, calls: 96, seconds: 18_720, calls_at_once: 3 }],
  },
  ForwardingAllowances: {
    version: 42,
    is_complete: false,
    allowances: [
      {
        organisation_id: ID.organisation,
        version: 42,
        calls_at_once: 7,
        calls: null,
        seconds: 44_280,
        caller: "called",
        identity: "drop",
      },
    ],
  },
  SignersQuestion: { number_ids: [ID.support] },
  Signers: {
    signers: [
      {
        organisation_id: ID.organisation,
        number_ids: [ID.support],
        secrets: [{ secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", until: null }],
      },
    ],
  },
  AnnouncedStates: {
    states: [{ epoch: ID.endedEpoch, saved_at: savedState.saved_at, items: savedState.items }],
  },
  RequestedStates: { requested: [ID.endedEpoch] },
  SavedStatePart: { items: savedItems, is_last: true },
  FeedPosition: { epoch: ID.epoch, versions: { 17: 42 }, tokens: { 17: 1934872 }, switch_id: ID.switch },
  FeedMessage: { type: "changes", shard: 17, version: 43, version_token: 7720416, items: [routeItem] },
  SwitchReport: {
    epoch: ID.epoch,
    boot: "4d1f9c0e",
    agent_version: "0.1.0",
    is_complete: true,
    shards: [
      {
        shard: 17,
        version: 43,
        position: 43,
        version_token: 7720416,
        observed_at: AT.applied,
        exceptions: [],
      },
    ],
    sockets: ["203.0.113.5:5060"],
    health: {
      connections: [
        {
          id: ID.berlin,
          targets: [
            {
              host: NEW_HOST,
              port: 5060,
              transport: "udp",
              state: "up",
              addresses: [{ address: NEW_ADDRESS, state: "up" }],
            },
          ],
        },
      ],
    },
  },
  CallRecordBatch: { records: [record] },
  CallRecordReceipt: { epoch: ID.epoch, acknowledged: [record.id], rejected: [] },
  CallStanding: {
    settled_through: REPORTED,
    open: [{ number_id: ID.sales, oldest_began_at: "2026-11-15T09:52:10.000Z" }],
    max_call_seconds: 14_400,
    clock_offset_ms: -3,
    is_disk_full: false,
  },
  CallStandingReceipt: { at: AT.now },
};

import type { Report } from "@dialplane/switch-agent";
import { newId } from "../../src/platform/ids.ts";
import { callRecord } from "../call-record.ts";
import type { Neighbours } from "./neighbours.ts";
import type { CallStanding } from "../../src/switching/calls/calls.standings.schema.ts";
import { PROBE_CALL_FIXTURES } from "./probe-requests.ts";
import { RESTORE_FIXTURES } from "./restore-requests.ts";
import { makeSwitch } from "./switch-callers.ts";

export async function switchOf({ service }: Neighbours): Promise<{ id: string }> {
  return { id: (await makeSwitch(service)).id };
}

/** Requests of switches, and of operators about the feed. */
export const SWITCH_FIXTURES = {
  ...PROBE_CALL_FIXTURES,
  ...RESTORE_FIXTURES,
  getOperatorOverview: {},
  getSwitch: { params: switchOf },
  listSwitchExceptions: { params: switchOf, query: "limit=2" },
  listEpochs: { query: "limit=2" },
  resolveEpoch: { params: async (neighbours: Neighbours) => ({ id: (await reportOf(neighbours)).epoch }) },
  listSavedStates: { query: "limit=2" },
  requestSavedState: { params: savedStateOf },
  listSavedStateItems: { params: uploadedStateOf, query: "limit=2" },
  announceSavedStates: {
    body: () => ({ states: [{ epoch: "fixture", saved_at: "2026-11-16T10:00:00.000Z", items: 2 }] }),
  },
  uploadSavedState: { params: requestedStateOf, body: () => ({ items: [], is_last: false }) },
  openStream: { isEndless: true as const, body: () => ({ epoch: null, versions: {} }) },
  recordReport: { body: reportOf },
  recordCalls: { body: () => ({ records: [callRecord()] }) },
  reportLiveCalls: { body: () => ({ session: newId(), sequence: 1, is_snapshot: true, numbers: [] }) },
  syncForwarding: { body: () => ({ held_version: 0, use: [] }) },
  syncTrunks: { body: () => ({ etag: null, trunks: [], forwarding: { found: HELD_FORWARDING, error: "" } }) },
  reportCallStanding: { body: () => standing() },
  listSigningSecrets: { body: () => ({ number_ids: [newId()] }) },
};

const HELD_FORWARDING = { gateways: [], prefixes: ["+49"], calls_per_minute: 60, calls_at_once: 10 };

/** Nothing is open, and all is delivered. */
export function standing(rest: Partial<CallStanding> = {}): CallStanding {
  return {
    settled_through: new Date().toISOString(),
    open: [],
    max_call_seconds: 14_400,
    clock_offset_ms: null,
    ...rest,
  };
}

/** A sign of life under the present epoch. */
async function reportOf({ service }: Neighbours): Promise<Report> {
  const [{ epoch } = { epoch: "" }] = await service.database.admin<{ epoch: string }>(
    "select epoch from feed_epoch",
  );
  return { epoch, boot: "boot", agent_version: "0.1.0", is_complete: false, shards: [] };
}

/** A state that a switch announced. */
export async function savedStateOf({ service }: Pick<Neighbours, "service">): Promise<{ id: string }> {
  const { id: switchId } = await makeSwitch(service);
  const [row] = await service.database.admin<{ id: string }>(
    `insert into saved_states (id, switch_id, epoch, saved_at, items)
     values (gen_random_uuid(), $1, 'announced', now(), 2) returning id`,
    [switchId],
  );
  return row!;
}

/** One of every switch, so that any of them can upload it. */
export async function requestedStateOf({ service }: Pick<Neighbours, "service">): Promise<{ epoch: string }> {
  const epoch = newId();
  await service.database.admin(
    `insert into saved_states (id, switch_id, epoch, saved_at, items, requested_at)
     select gen_random_uuid(), id, $1, now(), 2, now() from switches`,
    [epoch],
  );
  return { epoch };
}

async function uploadedStateOf({ service }: Neighbours): Promise<{ id: string }> {
  const state = await savedStateOf({ service });
  await service.database.admin(
    "update saved_states set requested_at = now(), uploaded_at = now() where id = $1",
    [state.id],
  );
  await service.database.admin(
    `insert into saved_state_items (state_id, item_id, kind, shard, version, generation, value)
     select $1, gen_random_uuid(), 'route', 0, n, 1, '{"e164": "+493055501", "mode": "unrouted"}'
     from generate_series(1, 2) n`,
    [state.id],
  );
  return state;
}

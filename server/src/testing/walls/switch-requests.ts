import type { Report } from "@dialplane/switch-agent";
import { newId } from "../../platform/ids.ts";
import { callRecord } from "../call-record.ts";
import type { Neighbours } from "./neighbours.ts";
import type { CallStanding } from "../../features/call-standings/call-standings.schema.ts";
import { makeSwitch } from "./switch-callers.ts";

export async function switchOf({ service }: Neighbours): Promise<{ id: string }> {
  return { id: (await makeSwitch(service)).id };
}

/** What switches ask for, and what operators ask about their feed. */
export const SWITCH_FIXTURES = {
  listEpochs: { query: "limit=2" },
  resolveEpoch: { params: async (neighbours: Neighbours) => ({ id: (await reportOf(neighbours)).epoch }) },
  openStream: { isEndless: true as const, body: () => ({ epoch: null, versions: {} }) },
  recordReport: { body: reportOf },
  recordCalls: { body: () => ({ records: [callRecord()] }) },
  reportLiveCalls: { body: () => ({ session: newId(), sequence: 1, is_snapshot: true, numbers: [] }) },
  reportCallStanding: { body: () => standing() },
  listSigningSecrets: { body: () => ({ number_ids: [newId()] }) },
};

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

import { randomBytes } from "node:crypto";
import type { CallRecord } from "../src/switching/calls/calls.records.schema.ts";

/** A call that was answered and has ended, as an agent sends it. */
export function callRecord(rest: Partial<CallRecord> = {}): CallRecord {
  const startedAt = Date.now() - 60_000;
  return {
    id: randomBytes(16).toString("hex"),
    started_at: momentOf(startedAt),
    answered_at: momentOf(startedAt + 1_500),
    ended_at: momentOf(startedAt + 31_500),
    ending: "hung_up",
    number_id: null,
    mode: "sip_uri",
    generation: 7,
    trunk: "acme",
    code: 200,
    why: null,
    caller: "+15550009999",
    called: "+4930901820",
    target: "sip:alice@192.0.2.9:5080",
    sip_call_id: "1-11035@192.0.2.3",
    ...rest,
  };
}

/** To the microsecond, as records have it. */
export function momentOf(ms: number, micros = 123): string {
  return new Date(ms).toISOString().replace("Z", `${String(micros).padStart(3, "0")}Z`);
}

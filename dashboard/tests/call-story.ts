import type { SetRouting } from "@dialplane/sdk";
import { expect } from "vitest";
import type { CallRecord } from "../../server/src/switching/calls/calls.records.schema.ts";
import { callRecord, momentOf } from "../../server/testing/call-record.ts";
import { bearer, type Person, type Service } from "../../server/testing/service.ts";

/** Calls London once. All other callers are in the United States. */
export const CALLER = "+442079460124";
/** Calls without a story, older than the others. */
const PLAIN_CALLS = 60;
const MINUTE_MS = 60_000;

interface ReportedCall {
  id: string;
  callId: string;
}

export interface CallStory {
  count: number;
  /** The newest call: step 1 was unreachable, step 2 answered. */
  failover: ReportedCall;
  /** Reached another target than its generation names. */
  misrouted: ReportedCall;
  failed: ReportedCall;
}

interface Cast {
  organisation: string;
  owner: Person;
  /** Credential of the switch that reports the calls. */
  credential: string;
  numbers: readonly { id: string }[];
}

/** One call of each kind that the pages show in its own way, and a page of plain ones. */
export async function reportCallStory(service: Service, cast: Cast): Promise<CallStory> {
  const [first, second] = cast.numbers.map(({ id }) => id) as [string, string];
  const send = async (method: string, path: string, body: unknown): Promise<Record<string, unknown>> => {
    const headers = { ...bearer(cast.owner.token), "x-service-org": cast.organisation };
    const keyed = { ...headers, "idempotency-key": `${method} ${path}` };
    const sent = await service.send(method, path, { headers: method === "PUT" ? keyed : headers, body });
    expect(sent.status, sent.text).toBeLessThan(300);
    return sent.body;
  };
  await service.database.admin("update switches set features = array_append(features, 'failover')");
  await send("PATCH", `/v1/numbers/${first}`, { label: "Front desk" });
  const { id: connection } = await send("POST", "/v1/connections", {
    name: "Head office",
    targets: [{ host: "sbc2.example.com" }],
  });
  const routed = async (number: string, routing: SetRouting): Promise<number> => {
    const { desired } = await send("PUT", `/v1/numbers/${number}/routing`, routing);
    return (desired as { generation: number }).generation;
  };
  const generation = await routed(second, { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" });
  const failedOver = await routed(first, {
    mode: "sip_uri",
    sip_uri: "sip:desk@sbc1.example.com",
    fallback: { mode: "connection", connection_id: connection as string, on: ["unreachable"] },
  });
  const now = Date.now();
  const failover = failoverCall(now - 5 * MINUTE_MS, { number_id: first, generation: failedOver });
  const misrouted = callRecord({
    ...lasting(now - 6 * MINUTE_MS, 400),
    number_id: second,
    generation,
    target: "sip:old@pbx.example.com",
    caller: CALLER,
    sip_call_id: "misrouted@sip.example.com",
  });
  const failed = unanswered(now - 20 * MINUTE_MS, { number_id: second, code: 503, why: "no_target" });
  const busy = unanswered(now - 21 * MINUTE_MS, { number_id: second, code: 486, why: null });
  const plain = Array.from({ length: PLAIN_CALLS }, (_, at) =>
    callRecord({ ...lasting(now - (22 + at) * MINUTE_MS, 30), number_id: first, generation: null }),
  );
  const records = [failover, misrouted, failed, busy, ...plain];
  const { body } = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(cast.credential),
    body: { records },
  });
  expect(body).toMatchObject({ acknowledged: records.map(({ id }) => id) });
  const named = ({ id, sip_call_id: callId }: CallRecord): ReportedCall => ({ id, callId: callId! });
  return {
    count: records.length,
    failover: named(failover),
    misrouted: named(misrouted),
    failed: named(failed),
  };
}

function lasting(at: number, seconds: number): Partial<CallRecord> {
  const answered = at + 1_500;
  return {
    started_at: momentOf(at),
    answered_at: momentOf(answered),
    ended_at: momentOf(answered + seconds * 1_000),
  };
}

function unanswered(at: number, rest: Partial<CallRecord>): CallRecord {
  return callRecord({
    started_at: momentOf(at),
    answered_at: null,
    ended_at: momentOf(at + 700),
    ending: "refused",
    generation: null,
    target: null,
    ...rest,
  });
}

function failoverCall(at: number, rest: Partial<CallRecord>): CallRecord {
  const moment = (ms: number): string => momentOf(at + ms);
  return callRecord({
    started_at: moment(0),
    answered_at: moment(7_104),
    ended_at: moment(158_104),
    ended_by: "caller",
    setup_ms: 341,
    ring_ms: 6_763,
    q850: 16,
    target: "sip:sbc2.example.com:5060;transport=udp",
    sip_call_id: "7f3a-99c1-04@198.51.100.14",
    attempts: [
      {
        step: 1,
        mode: "sip_uri",
        transport: "udp",
        host: "sbc1.example.com",
        address: "192.0.2.70:5060",
        outcome: "unreachable",
        code: 503,
        started_at: moment(4),
        ringing_at: null,
        ended_at: moment(212),
      },
      {
        step: 2,
        mode: "connection",
        transport: "udp",
        host: "sbc2.example.com",
        address: "192.0.2.108:5060",
        outcome: "answered",
        code: 200,
        started_at: moment(216),
        ringing_at: moment(341),
        ended_at: moment(7_104),
      },
    ],
    ...rest,
  });
}

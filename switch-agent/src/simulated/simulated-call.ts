import type { ConnectionValue, RouteValue } from "../control-plane.ts";
import { attemptsOf } from "../records/call-attempts.ts";
import type { AttemptMode, TriedTarget } from "../records/call-events.ts";
import type { CallRecord } from "../records/call-join.ts";
import { parseSipUri, portOf } from "../sip-uri.ts";

/** A way for a call to end. */
export interface Outcome {
  isAnswered: boolean;
  code: number;
  why: string | null;
  /** Share of calls, in percent. */
  share: number;
  /** How long it rings on average. */
  ringMs: number;
}

/** One for each result that a call can have, in the order in which the magic number shows them. */
export const OUTCOMES: readonly Outcome[] = [
  { isAnswered: true, code: 200, why: null, share: 72, ringMs: 6_000 },
  { isAnswered: false, code: 486, why: null, share: 8, ringMs: 1_000 },
  { isAnswered: false, code: 408, why: "no_answer", share: 10, ringMs: 30_000 },
  { isAnswered: false, code: 487, why: null, share: 6, ringMs: 9_000 },
  { isAnswered: false, code: 603, why: null, share: 3, ringMs: 2_000 },
  { isAnswered: false, code: 503, why: "no_target", share: 1, ringMs: 500 },
];

export interface SimulatedCall {
  id: string;
  numberId: string;
  generation: number;
  value: RouteValue;
  /** Target of the call. Null for a forward without a gateway, or for a missing connection. */
  target: SimulatedTarget | null;
  outcome: Outcome;
  startedMs: number;
  /** When it is answered, or rejected. */
  decidedAtMs: number;
  endsAtMs: number;
  isDecided: boolean;
}

export interface SimulatedTarget {
  mode: AttemptMode;
  /** As a record shows it. */
  shown: string;
  host: string;
  port: number;
  transport: string;
}

const TALK_MS = 110_000;
const LONGEST_TALK_MS = 1_800_000;
/** The magic number is for people who watch: short, and always the same. */
const MAGIC_RING_MS = 1_000;
const MAGIC_TALK_MS = 20_000;

export function randomOutcome(random = Math.random): Outcome {
  let left = random() * 100;
  return OUTCOMES.find(({ share }) => (left -= share) < 0) ?? OUTCOMES[0]!;
}

/** Most calls are short and a few are long: exponential, as phone traffic is. */
export function lengthOf(
  { isAnswered, ringMs }: Outcome,
  isMagic = false,
  random = Math.random,
): { ringMs: number; talkMs: number } {
  if (isMagic) return { ringMs: MAGIC_RING_MS, talkMs: isAnswered ? MAGIC_TALK_MS : 0 };
  const talkMs = Math.min(LONGEST_TALK_MS, 3_000 - Math.log(1 - random()) * TALK_MS);
  return { ringMs: Math.round(ringMs * (0.5 + random())), talkMs: isAnswered ? Math.round(talkMs) : 0 };
}

/** Target of a call to this number. A routing webhook counts as failed, so that its fallback applies. */
export function targetOf(
  value: RouteValue,
  connectionWith: (id: string) => ConnectionValue | undefined,
): SimulatedTarget | null {
  const {
    mode,
    sip_uri: uri,
    connection_id: id,
    forward_to: number,
  } = value.mode === "webhook" ? { forward_to: undefined, ...value.fallback } : value;
  if (mode === "sip_uri" && uri) {
    const parsed = parseSipUri(uri);
    if ("fault" in parsed) return null;
    return {
      mode,
      shown: uri,
      host: parsed.host,
      port: portOf(parsed),
      transport: parsed.transport ?? "udp",
    };
  }
  if (mode === "connection" && id) {
    const [first] = connectionWith(id)?.targets.toSorted((a, b) => a.priority - b.priority) ?? [];
    if (!first) return null;
    const { host, port, transport } = first;
    return { mode, shown: `sip:${host}:${port};transport=${transport}`, host, port, transport };
  }
  if (mode === "forward" && number)
    return { mode, shown: number, host: "gateway.invalid", port: 5060, transport: "udp" };
  return null;
}

export function recordOf(call: SimulatedCall): CallRecord {
  const { id, numberId, generation, value, outcome, target, startedMs, endsAtMs } = call;
  const { isAnswered, code, why } = outcome;
  const decidedAtMs = Math.min(call.decidedAtMs, endsAtMs);
  const caller = callerOf(id);
  return {
    id,
    started_at: momentOf(startedMs),
    answered_at: isAnswered ? momentOf(decidedAtMs) : null,
    ended_at: momentOf(endsAtMs),
    ending: isAnswered ? "hung_up" : "refused",
    ended_by: isAnswered || code === 487 ? "caller" : why === null ? "callee" : "switch",
    setup_ms: target ? 0 : null,
    ring_ms: target ? decidedAtMs - startedMs : null,
    number_id: numberId,
    mode: value.mode,
    generation,
    trunk: "simulated",
    gateway: target?.mode === "forward" ? "simulated" : null,
    code,
    why,
    q850: null,
    caller,
    caller_raw: caller,
    asserted_caller: null,
    called: value.e164,
    target: target?.shown ?? null,
    attempts: target ? attemptsOf([triedOf(call, target)], { code, atUs: decidedAtMs * 1000 }) : [],
    sip_call_id: `${id}@simulated.invalid`,
  };
}

/** An address of 192.0.2.0/24, which is reserved for documentation. */
function triedOf({ startedMs }: SimulatedCall, target: SimulatedTarget): TriedTarget {
  const { mode, host, port, transport } = target;
  const startedUs = startedMs * 1000;
  return {
    step: 1,
    mode,
    host: mode === "forward" ? null : host,
    address: `192.0.2.1:${port}`,
    transport,
    gateway: mode === "forward" ? "simulated" : null,
    startedUs,
    ringingUs: startedUs,
    end: null,
  };
}

/** 555-01xx of any area code is kept for fiction. */
function callerOf(id: string): string {
  const area = 200 + (Number.parseInt(id.slice(0, 4), 16) % 700);
  return `+1${area}55501${String(Number.parseInt(id.slice(4, 8), 16) % 100).padStart(2, "0")}`;
}

function momentOf(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}

import { randomBytes } from "node:crypto";
import type { ConnectionValue, RouteValue } from "../control-plane.ts";
import { attemptsOf } from "../records/call-attempts.ts";
import type { TriedTarget } from "../records/call-events.ts";
import type { CallRecord } from "../records/call-join.ts";
import { courseOf, ENDS, type SimulatedAttempt } from "./simulated-course.ts";
import { lengthOf, type Outcome, randomOutcome } from "./simulated-outcome.ts";

export interface SimulatedCall {
  id: string;
  numberId: string;
  generation: number;
  value: RouteValue;
  /** Targets that failed, and the one that ends the call. None if no step has a target. */
  attempts: readonly SimulatedAttempt[];
  /** How the last step ends the call. */
  outcome: Outcome;
  startedMs: number;
  /** When it is answered, or rejected. */
  decidedAtMs: number;
  endsAtMs: number;
  /** When a forwarding limit ends it, if it lasts until then. */
  limitedAtMs?: number;
  isDecided: boolean;
}

interface Placing {
  startedMs: number;
  connectionWith(id: string): ConnectionValue | undefined;
  outcome?: Outcome;
  isMagic?: boolean;
  /** Why a limit rejects a forwarded call at a moment of the call. */
  forward?(afterMs: number): string | undefined;
}

/** Places a call to a number that the switch holds. */
export function placeSimulatedCall(
  { id: numberId, generation, value }: { id: string; generation: number; value: RouteValue },
  { startedMs, connectionWith, outcome: drawn = randomOutcome(), isMagic = false, forward }: Placing,
): SimulatedCall {
  const ringMsOf = (outcome: Outcome): number => lengthOf(outcome, isMagic).ringMs;
  const { decidedAfterMs, ...course } = courseOf(value, {
    connectionWith,
    outcome: drawn,
    ringMsOf,
    ...(forward && { forward }),
  });
  const decidedAtMs = startedMs + decidedAfterMs;
  const endsAtMs = decidedAtMs + lengthOf(course.outcome, isMagic).talkMs;
  const id = randomBytes(16).toString("hex");
  return { id, numberId, generation, value, ...course, startedMs, decidedAtMs, endsAtMs, isDecided: false };
}

export function recordOf(call: SimulatedCall): CallRecord {
  const { id, numberId, generation, value, outcome, attempts, startedMs, endsAtMs } = call;
  const { isAnswered, code } = outcome;
  const isLimited = endsAtMs >= (call.limitedAtMs ?? Infinity);
  const why = isLimited ? "organisation_minutes" : outcome.why;
  const decidedAtMs = Math.min(call.decidedAtMs, endsAtMs);
  const caller = callerOf(id);
  const last = attempts.at(-1)?.target;
  const rang = attempts.find(({ failure }) => failure !== "unreachable");
  return {
    id,
    started_at: momentOf(startedMs),
    answered_at: isAnswered ? momentOf(decidedAtMs) : null,
    ended_at: momentOf(endsAtMs),
    ending: isAnswered ? "hung_up" : "refused",
    ended_by: why !== null ? "switch" : isAnswered || code === 487 ? "caller" : "callee",
    setup_ms: rang ? rang.afterMs : null,
    ring_ms: rang ? Math.max(0, decidedAtMs - startedMs - rang.afterMs) : null,
    number_id: numberId,
    mode: value.mode,
    generation,
    trunk: "simulated",
    gateway: last?.mode === "forward" ? "simulated" : null,
    code,
    why,
    q850: null,
    caller,
    caller_raw: caller,
    asserted_caller: null,
    called: value.e164,
    target: last?.shown ?? null,
    attempts: attemptsOf(
      attempts.map((attempt) => triedOf(call, attempt)),
      { code, atUs: decidedAtMs * 1000 },
    ),
    sip_call_id: `${id}@simulated.invalid`,
  };
}

/** An address of 192.0.2.0/24, which is reserved for documentation. */
function triedOf({ startedMs, endsAtMs }: SimulatedCall, attempt: SimulatedAttempt): TriedTarget {
  const { step, target, failure, afterMs, ringMs } = attempt;
  const { mode, host, port, transport } = target;
  const startedUs = (startedMs + afterMs) * 1000;
  const atUs = Math.min(startedMs + afterMs + ringMs, endsAtMs) * 1000;
  return {
    step,
    mode,
    host: mode === "forward" ? null : host,
    address: `192.0.2.1:${port}`,
    transport,
    gateway: mode === "forward" ? "simulated" : null,
    startedUs,
    ringingUs: failure === "unreachable" ? null : startedUs,
    end: failure === undefined ? null : { atUs, ...ENDS[failure] },
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

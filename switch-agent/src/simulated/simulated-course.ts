import type { ConnectionValue, FailureCause, RouteStep } from "../control-plane.ts";
import { failureOf, nextStep, type StepFailure } from "../failover.rules.ts";
import type { AttemptMode, TriedTarget } from "../records/call-events.ts";
import { parseSipUri, portOf } from "../sip-uri.ts";
import { simulatedFailure } from "./magic-hosts.ts";
import { type Outcome, OUTCOMES } from "./simulated-outcome.ts";

export interface SimulatedTarget {
  mode: AttemptMode;
  /** As a record shows it. */
  shown: string;
  host: string;
  port: number;
  transport: string;
}

/** A target that gets a call. */
export interface SimulatedAttempt {
  step: number;
  target: SimulatedTarget;
  /** Undefined if the call's outcome is the end of this attempt. */
  failure: FailureCause | undefined;
  /** From the start of the call. */
  afterMs: number;
  ringMs: number;
}

/** Course of a call until it is answered or rejected. */
export interface SimulatedCourse {
  attempts: SimulatedAttempt[];
  outcome: Outcome;
  decidedAfterMs: number;
}

/** Ends of attempts that fail, as a switch reads them. */
export const ENDS: Record<FailureCause, Pick<NonNullable<TriedTarget["end"]>, "how" | "code">> = {
  unreachable: { how: "silent", code: null },
  no_answer: { how: "timed_out", code: null },
  busy: { how: "replied", code: 486 },
  refused: { how: "replied", code: 603 },
};

/** End of a call whose last step fails because of its host's name. */
const FAILED: Record<FailureCause, Omit<Outcome, "share" | "ringMs">> = {
  unreachable: { isAnswered: false, code: 480, why: "no_answer" },
  no_answer: { isAnswered: false, code: 480, why: "no_answer" },
  busy: { isAnswered: false, code: 486, why: null },
  refused: { isAnswered: false, code: 603, why: null },
};
/** A switch gives up a silent target after this time. */
const SILENT_MS = 2_000;
const RING_SECONDS = 30;

interface Needs {
  connectionWith(id: string): ConnectionValue | undefined;
  /** End of the call at the first target whose name does not say how calls to it end. Later ones answer. */
  outcome: Outcome;
  /** How long a target rings with this outcome. */
  ringMsOf(outcome: Outcome): number;
  /** Why a limit rejects a forwarded call at this moment, from the start of the call. Counts the call otherwise. */
  forward?(afterMs: number): string | undefined;
}

/** How a step ends, if the call ends with it. */
interface StepResult {
  target: SimulatedTarget | null;
  failure: StepFailure | undefined;
  outcome: Outcome;
  ringMs: number;
  /** Whether the host's name decides, and not the drawn outcome. */
  isGiven: boolean;
}

/** Takes a call through the steps of a number. A routing webhook counts as undecided. */
export function courseOf(route: RouteStep, needs: Needs): SimulatedCourse {
  const attempts: SimulatedAttempt[] = [];
  let drawn = needs.outcome;
  let afterMs = 0;
  let step = route;
  for (let place = 1; ; place++) {
    const limit = step.mode === "forward" ? needs.forward?.(afterMs) : undefined;
    const { target, failure, outcome, ringMs, isGiven } = limit
      ? rejectedBy(limit)
      : resultOf(step, drawn, needs);
    const next = failure && nextStep(step, failure);
    const shown = isGiven || next ? (failure as FailureCause) : undefined;
    if (target) attempts.push({ step: place, target, failure: shown, afterMs, ringMs });
    afterMs += ringMs;
    if (!next) return { attempts, outcome, decidedAfterMs: afterMs };
    if (!isGiven) drawn = OUTCOMES[0]!;
    step = next;
  }
}

function rejectedBy(why: string): StepResult {
  const failure = why === "organisation_full" ? "busy" : "unreachable";
  const outcome = { ...FAILED[failure], why, share: 0, ringMs: 0 };
  return { target: null, failure, outcome, ringMs: 0, isGiven: true };
}

function resultOf(step: RouteStep, drawn: Outcome, { connectionWith, ringMsOf }: Needs): StepResult {
  const target = targetOf(step, connectionWith);
  if (!target) {
    const why = step.mode === "connection" ? "no_address" : "unrouted";
    const failure = step.mode === "webhook" ? "undecided" : "unreachable";
    const outcome = { ...FAILED.unreachable, why, share: 0, ringMs: 0 };
    return { target, failure, outcome, ringMs: 0, isGiven: true };
  }
  const failure = simulatedFailure(target.host);
  if (!failure) {
    const cause = drawn.code === 487 ? undefined : failureOf(drawn.code);
    return { target, failure: cause, outcome: drawn, ringMs: ringMsOf(drawn), isGiven: false };
  }
  const ringMs = failure === "no_answer" ? (step.ring_seconds ?? RING_SECONDS) * 1000 : SILENT_MS;
  const outcome = { ...FAILED[failure], share: 0, ringMs };
  return { target, failure, outcome, ringMs, isGiven: true };
}

/** First target of a step. Null for a missing connection, a webhook or an unrouted step. */
function targetOf(
  { mode, sip_uri: uri, connection_id: id, forward_to: number }: RouteStep,
  connectionWith: Needs["connectionWith"],
): SimulatedTarget | null {
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

import type { Connection } from "@dialplane/sdk";
import { wordFor } from "../components/shared-text.ts";
import { stepsOf } from "../numbers/routing-form.ts";
import { targetOf } from "../numbers/routing-target.ts";
import { lengthOf, secondsOf } from "./call-lengths.ts";
import { callText } from "./call-text.ts";
import { type CallEvidence, targetName } from "./CallParties.tsx";
import { callsText } from "./calls-text.ts";
import { sipCode } from "./sip-codes.ts";

const { verdict } = callText;

/** Milliseconds since the call arrived. */
export function offsetOf({ started_at }: Pick<CallEvidence, "started_at">, at: string): number {
  return Date.parse(at) - Date.parse(started_at);
}

/** Result of the call with its cause, as a sentence. */
export function verdictOf(call: CallEvidence, connections: readonly Connection[]): string {
  const { result, answered_at: answeredAt, ended_at: endedAt, ending, talk_seconds: talked } = call;
  const target = targetName(call, connections) ?? verdict.destination;
  const lasted = endedAt === null ? undefined : secondsOf(offsetOf(call, endedAt));
  if (answeredAt !== null) {
    const after = secondsOf(offsetOf(call, answeredAt));
    return ending === "unknown"
      ? verdict.answeredOpen(target, after)
      : verdict.answered(target, after, lengthOf(talked));
  }
  if (result === "no_answer") return verdict.noAnswer(target, lasted);
  if (result === "cancelled") return verdict.cancelled(lasted);
  return verdict.because(wordOf(result), causeOf(call, connections));
}

function wordOf(result: string): string {
  return callsText.results[result as keyof typeof callsText.results] ?? wordFor(result);
}

function causeOf(call: CallEvidence, connections: readonly Connection[]): string {
  const { reason, code } = call;
  const known = reason && (callsText.reasons[reason] ?? wordFor(reason));
  if (known) return known.charAt(0).toLowerCase() + known.slice(1);
  if (code === null) return verdict.noCause;
  const target = targetName(call, connections);
  return target ? verdict.responded(target, sipCode(code)) : verdict.endedWith(sipCode(code));
}

/** Destination of the step that the call reached last, in full. */
export function expectedOf(
  { destination, attempts }: CallEvidence,
  connections: readonly Connection[],
): string | undefined {
  const step = destination && stepsOf(destination)[(attempts.at(-1)?.step ?? 1) - 1];
  return step ? targetOf(step, connections) : undefined;
}

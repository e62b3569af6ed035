import { failureOf } from "../failover.rules.ts";
import type { AttemptMode, TriedTarget } from "./call-events.ts";
import { momentOf } from "./record-moments.ts";

/** As the service takes it: one target that the switch tried for a call. */
export interface Attempt {
  /** Destination of the routing, from 1; always 1 without failover. */
  step: number;
  mode: AttemptMode;
  host: string | null;
  address: string;
  transport: string;
  outcome: "answered" | "unreachable" | "no_answer" | "busy" | "refused" | "cancelled" | "unknown";
  /** SIP status of its final response; null if it sent none. */
  code: number | null;
  started_at: string;
  ringing_at: string | null;
  /** When it was answered or given up. */
  ended_at: string | null;
}

/** `final` is how the INVITE was answered, which is how its last target ended if no event says otherwise. */
export function attemptsOf(
  tried: readonly TriedTarget[],
  final: { code: number; atUs: number } | null,
): Attempt[] {
  return tried.map((one, index) => {
    const { step, mode, host, address, transport, startedUs, ringingUs } = one;
    const isLast = index === tried.length - 1;
    const end = one.end ?? (isLast && final ? { how: "replied" as const, ...final } : null);
    return {
      step,
      mode,
      host,
      address,
      transport,
      outcome: outcomeOf(end),
      code: end?.code ?? null,
      started_at: momentOf(startedUs),
      ringing_at: ringingUs === null ? null : momentOf(ringingUs),
      ended_at: end ? momentOf(end.atUs) : null,
    };
  });
}

function outcomeOf(end: Pick<NonNullable<TriedTarget["end"]>, "how" | "code"> | null): Attempt["outcome"] {
  if (!end) return "unknown";
  if (end.how === "timed_out") return "no_answer";
  if (end.how !== "replied" || end.code === null) return "unreachable";
  return end.code === 487 ? "cancelled" : (failureOf(end.code) ?? "answered");
}

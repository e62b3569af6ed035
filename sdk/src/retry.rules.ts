/**
 * Retry policy if it is unknown whether a request was executed:
 *   read      changes nothing: retry
 *   keyed     retry with the same Idempotency-Key: the service executes it once
 *   deletion  retry: if the resource is gone, the deletion is done
 *   once      never retry: it might be executed twice
 */
export type Repetition = "read" | "keyed" | "deletion" | "once";

export type Outcome =
  /** No response. wasSent is false if the request cannot have reached the service. */
  | { kind: "silence"; wasSent: boolean }
  /** isRetryable is what the service itself says; a proxy in between says nothing. */
  | { kind: "refusal"; status: number; isRetryable: boolean | undefined };

const PASSING = new Set([408, 429, 500, 502, 503, 504]);

export function mayRepeat(repetition: Repetition, outcome: Outcome): boolean {
  if (outcome.kind === "silence") return repetition !== "once" || !outcome.wasSent;
  const { status, isRetryable = PASSING.has(status) } = outcome;
  // An unsupported operation stays so, even if a proxy marks the error as retryable.
  if (status === 501 || !isRetryable) return false;
  // A request over the rate limit was not executed. Other failures can come after the execution.
  return repetition !== "once" || status === 429;
}

/** A 404 to a repeated deletion whose first response was lost: the first one succeeded. */
export function isDeletionDone(repetition: Repetition, status: number, wasSentBefore: boolean): boolean {
  return repetition === "deletion" && status === 404 && wasSentBefore;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

/** Doubles, with jitter so that clients that failed together do not come back together; Retry-After is the least. */
export function pauseBefore(repeat: number, retryAfterMs: number | undefined, random: number): number {
  if (retryAfterMs !== undefined) return Math.ceil(retryAfterMs + random * Math.max(100, retryAfterMs / 10));
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (repeat - 1));
  return Math.round(most * (0.5 + random / 2));
}

/** Seconds or a date (RFC 9110 §10.2.3); anything else is as if it were not there. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

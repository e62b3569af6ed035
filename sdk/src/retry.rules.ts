/**
 * What may be done when it is not known whether a request was carried out:
 *   read      changes nothing, so again
 *   keyed     again with the same Idempotency-Key: the service does it once
 *   deletion  again: if the thing is gone by then, that is what was requested
 *   once      never: it might be done twice
 */
export type Repetition = "read" | "keyed" | "deletion" | "once";

export type Outcome =
  /** Nobody answered; wasSent is false if the request cannot have reached the service. */
  | { kind: "silence"; wasSent: boolean }
  /** isRetryable is what the service itself says; a proxy in between says nothing. */
  | { kind: "refusal"; status: number; isRetryable: boolean | undefined };

const PASSING = new Set([408, 429, 500, 502, 503, 504]);

export function mayRepeat(repetition: Repetition, outcome: Outcome): boolean {
  if (outcome.kind === "silence") return repetition !== "once" || !outcome.wasSent;
  const { status, isRetryable = PASSING.has(status) } = outcome;
  // Not connected stays not connected, whatever stands in between adds to it.
  if (status === 501 || !isRetryable) return false;
  // Whoever is over a limit was turned away at the door; any other failure may have come after the deed.
  return repetition !== "once" || status === 429;
}

/** A 404 to a deletion that was sent before, and whose answer got lost: it worked the first time. */
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

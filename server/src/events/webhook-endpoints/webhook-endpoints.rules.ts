const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses before the tries after the first: soon at first, then for four days, so that a long weekend is survived. */
const PAUSES_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  ...Array.from({ length: 3 }, () => 24 * HOUR),
];

/** Maximum delay that a receiver can request with Retry-After. A wrong value must not stop deliveries for longer. */
const MOST_ASKED_MS = HOUR;

/**
 * Time of the next attempt; undefined after the last. It has jitter, so that retries do not coincide, and is never
 * before the time that the receiver requests.
 */
export function nextAttemptAt(
  now: Date,
  attempts: number,
  { askedMs = 0, random = Math.random() }: { askedMs?: number | undefined; random?: number } = {},
): Date | undefined {
  const pauseMs = PAUSES_MS[attempts - 1];
  if (pauseMs === undefined) return undefined;
  const spread = 0.9 + 0.2 * random;
  return new Date(
    now.getTime() + Math.max(pauseMs * spread, Math.min(askedMs, MOST_ASKED_MS) * Math.max(spread, 1)),
  );
}

/** Retry-After is a number of seconds or a date (RFC 9110, 10.2.3); what is neither says nothing. */
export function askedPauseMs(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * SECOND;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** Meaning of a response: 2xx is success, 410 disables the endpoint, anything else is retried. */
export function meaningOf(status: number): "delivered" | "gone" | "failed" {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "failed";
}

/** An endpoint that has taken nothing for this long is given up. */
export const GIVEN_UP_MS = 5 * 24 * HOUR;

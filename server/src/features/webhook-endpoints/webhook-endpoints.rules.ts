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

/** When to try again after so many tries; nothing after the last. Spread, so that many do not come back at once. */
export function nextAttemptAt(now: Date, attempts: number, random = Math.random()): Date | undefined {
  const pauseMs = PAUSES_MS[attempts - 1];
  return pauseMs === undefined ? undefined : new Date(now.getTime() + pauseMs * (0.9 + 0.2 * random));
}

/** What an answer means: any 2xx is a yes, 410 says never again, anything else is tried again. */
export function meaningOf(status: number): "delivered" | "gone" | "failed" {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "failed";
}

/** An endpoint that has taken nothing for this long is given up. */
export const GIVEN_UP_MS = 5 * 24 * HOUR;

/** For how long the old secret signs beside the new one. */
export const OVERLAP_MS = 24 * HOUR;

export const LIFETIME_MS = 10 * 60_000;
/** How often a tool may ask; each time it comes too early it has to wait this much longer (section 3.5). */
export const INTERVAL_SECONDS = 5;

export type PollOutcome = "approved" | "denied" | "expired" | "pending" | "too_early";

export function pollOutcome(
  row: {
    status: "pending" | "approved" | "denied";
    polled_at: Date | null;
    interval_seconds: number;
    expires_at: Date;
  },
  now: Date,
): PollOutcome {
  if (row.expires_at <= now) return "expired";
  if (row.status !== "pending") return row.status;
  const sinceMs = row.polled_at ? now.getTime() - row.polled_at.getTime() : Infinity;
  return sinceMs < row.interval_seconds * 1000 ? "too_early" : "pending";
}

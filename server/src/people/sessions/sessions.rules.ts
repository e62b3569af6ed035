const DAY_MS = 86_400_000;

/** A session not used for this long has ended. */
export const IDLE_MS = 7 * DAY_MS;
/** However busy, a session ends after this. */
export const ABSOLUTE_MS = 30 * DAY_MS;
/** Being seen is written at most this often, so that reading does not become writing. */
const SEEN_EVERY_MS = 5 * 60_000;

export const TOOL_TOKEN_PREFIX = "svc_cli_";

export function isSeenStale(lastSeenAt: Date, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() >= SEEN_EVERY_MS;
}

/** Probes of simulated switches cost nothing, so no operator sets this limit. */
export const TEST_PROBES_PER_DAY = 1_000;

const DAY_MS = 86_400_000;

/** Start of the UTC day. */
export function dayStart(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
}

export const JOB_TYPES = ["number_order", "number_release", "number_restore"] as const;
export type JobType = (typeof JOB_TYPES)[number];

export const JOB_STATUSES = [
  "queued",
  "running",
  "waiting",
  "succeeded",
  "partially_succeeded",
  "failed",
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Queue task that continues a job, by type. */
export const WAKES: Record<JobType, string> = {
  number_order: "orders.advance",
  number_release: "releases.advance",
  number_restore: "releases.advance",
};

export function hasEnded(status: JobStatus): boolean {
  return status !== "queued" && status !== "running" && status !== "waiting";
}

/** How a job ends whose parts ended so. */
export function endOf({ succeeded, failed }: { succeeded: number; failed: number }): JobStatus {
  if (failed === 0) return "succeeded";
  return succeeded === 0 ? "failed" : "partially_succeeded";
}

/** Soon at first, then ever more rarely: what did not come at once mostly takes long. */
export function pauseMs(waits: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(waits, 10));
}

/** After this many failures a job usually needs an operator. Retrying it hourly keeps it from delaying others. */
const MOST_FAILURES = 20;

export function pauseAfterFailureMs(waits: number): number {
  return waits < MOST_FAILURES ? pauseMs(waits) : 3_600_000;
}

export const jobsText = {
  title: "Jobs",
  about: "Orders, releases and bulk changes. Jobs continue in the background.",
  filter: "Job type",
  ordersAndReleases: "Orders and releases",
  bulkChanges: "Bulk changes",
  none: "No jobs yet",
  noneHint: "Orders and releases run as jobs. Follow them here.",
  row: (type: string, numbers: string) => `${type} of ${numbers}`,
  counts: (succeeded: number, failed: number) => `${succeeded} done, ${failed} failed`,

  job: "Job",
  notFound: "Job not found",
  progress: "Progress",
  started: "Started",
  finished: "finished",
  copyId: "Copy job ID",
  queued: "Waiting for a worker.",
  running: "Running.",
  failed: "The job failed.",
  partlyDone: (succeeded: number, total: number) =>
    `${succeeded} of ${total} numbers succeeded. The list shows the errors of the others.`,
  succeeded: "All numbers succeeded.",
  number: "Number:",
  thisNumber: "this number",

  types: {
    number_order: "Order",
    number_release: "Release",
    number_restore: "Restore",
  },
  statuses: {
    queued: "Queued",
    running: "Running",
    waiting: "Waiting",
    succeeded: "Done",
    partially_succeeded: "Partly done",
    failed: "Failed",
  },
  /** Reasons why a job waits. */
  reasons: {
    action_required: "The carrier needs evidence. Submit it below, and the job continues.",
    carrier_pending: "The carrier is processing the request.",
    carrier_unknown: "The carrier's response was lost. The service is querying the carrier for the result.",
    carrier_unreachable: "The carrier is unreachable. The job retries automatically.",
    carrier_not_connected: "The carrier is no longer connected. Contact the operator of this service.",
    delivery_pending: "The carrier has not confirmed the delivery of calls yet.",
    delivery_refused: "The carrier rejects the delivery of calls. Contact the operator of this service.",
    carrier_refused: "The carrier rejected the request. The job retries automatically.",
    switch_pending: "The switches have not confirmed yet that calls stopped.",
    switch_unreachable: "A switch is unreachable. The job continues when the switch is back.",
    internal_error: "Internal error. The job retries automatically.",
  },
} as const;

export function reasonFor(reason: string): string {
  return wordIn(jobsText.reasons, reason);
}

export function jobTypeWord(type: string): string {
  return wordIn(jobsText.types, type);
}

export function jobStatusWord(status: string): string {
  return wordIn(jobsText.statuses, status);
}

function wordIn(words: Readonly<Record<string, string>>, value: string): string {
  return words[value] ?? value.replaceAll("_", " ");
}

/** Text of a problem. */
export function errorText(error: Record<string, unknown>): string {
  const { detail, title, code } = error;
  return [detail, title, code].find((one): one is string => typeof one === "string") ?? jobsText.failed;
}

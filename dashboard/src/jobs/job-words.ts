/** Reasons why a job waits. */
const REASONS: Record<string, string> = {
  carrier_pending: "The carrier has taken it and is at it.",
  carrier_unknown: "The carrier's answer got lost; it is being asked what became of it.",
  carrier_unreachable: "The carrier cannot be reached now; it is asked again.",
  carrier_not_connected: "The carrier is not connected any more; whoever runs the service has to see to it.",
  carrier_refused: "The carrier refuses; it is asked again.",
  switch_pending: "The switches have not confirmed yet that calls stopped.",
  switch_unreachable: "A switch is away; it must come back first.",
  internal_error: "Something failed on our side; it is tried again.",
};

export function reasonFor(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll("_", " ");
}

const TYPES: Record<string, string> = {
  number_order: "Order",
  number_release: "Release",
  number_restore: "Restore",
};

export function jobTypeWord(type: string): string {
  return TYPES[type] ?? type.replaceAll("_", " ");
}

const STATUSES: Record<string, string> = {
  queued: "Queued",
  running: "Running",
  waiting: "Waiting",
  succeeded: "Done",
  partially_succeeded: "Partly done",
  failed: "Failed",
};

export function jobStatusWord(status: string): string {
  return STATUSES[status] ?? status.replaceAll("_", " ");
}

/** Text of a problem. */
export function errorText(error: Record<string, unknown>): string {
  const { detail, title, code } = error;
  return [detail, title, code].find((one): one is string => typeof one === "string") ?? "It failed.";
}

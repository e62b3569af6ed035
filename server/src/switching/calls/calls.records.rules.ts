import type { CallRecord } from "./calls.records.schema.ts";

export type CallResult =
  | "answered"
  | "busy"
  | "no_answer"
  | "cancelled"
  | "rejected"
  | "failed"
  | "not_served";

/** Codes with the same meaning from every target. Other 4xx and 6xx count as rejected, 3xx and 5xx as failed. */
const RESULTS: Record<number, CallResult> = {
  408: "no_answer",
  480: "no_answer",
  486: "busy",
  487: "cancelled",
  600: "busy",
};

/** The switch rejected the call before it reached a target: the reason is more precise than the code. */
const RESULTS_HERE: Record<string, CallResult> = {
  draining: "not_served",
  cannot_tell: "not_served",
  trunk_full: "not_served",
  unrouted: "rejected",
  webhook_refused: "rejected",
  forward_rate: "rejected",
  organisation_calls: "rejected",
  organisation_minutes: "rejected",
  no_answer: "no_answer",
  no_address: "failed",
  no_target: "failed",
  no_gateway: "failed",
  gateway_barred: "failed",
  gateway_full: "failed",
  not_sent: "failed",
  redirected: "failed",
  target_failed: "failed",
};

/** Each call has one result. It does not matter which party hung up an answered call. */
export function resultOf({ ending, code, why }: Pick<CallRecord, "ending" | "code" | "why">): CallResult {
  if (ending !== "refused") return "answered";
  const here = why === null ? undefined : RESULTS_HERE[why];
  if (here) return here;
  if (code === null) return "failed";
  const result = RESULTS[code];
  if (result) return result;
  return code >= 400 && (code < 500 || code >= 600) ? "rejected" : "failed";
}

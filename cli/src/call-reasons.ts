import type { CallDetail } from "@dialplane/sdk";

/** The values that this version of the contract names. */
type Known<Of> = Of extends string ? (string extends Of ? never : Of) : never;

const WORDS: Record<Known<CallDetail["reason"]>, string> = {
  unrouted: "the number has no route",
  no_address: "the destination has no IP address",
  no_target: "all targets of the connection are down",
  not_sent: "the switch could not connect to the destination",
  no_answer: "the destination did not respond or answer in time",
  target_failed: "the destination responded with an error",
  redirected: "the destination redirected the call",
  connection_full: "the connection has reached its maximum number of calls",
  webhook_refused: "your webhook server rejected the call",
  prefix_barred: "the operator does not allow forwarding to this number",
  forward_loop: "the call was forwarded in a loop",
  forward_rate: "the number forwards too many calls per minute",
  forwards_at_once: "the number has reached its maximum of concurrent forwarded calls",
  organisation_full: "the organisation has reached its limit of concurrent forwarded calls",
  organisation_calls: "the organisation has used up its forwarded calls of the day (UTC)",
  organisation_minutes: "the organisation has used up its forwarded minutes of the day (UTC)",
  no_gateway: "no gateway for forwarded calls is available",
  gateway_full: "all gateways have reached their maximum number of calls",
  gateway_barred: "the destination is a gateway of the operator",
  max_length: "the call reached the maximum duration",
  never_acknowledged: "the caller never confirmed that the call was answered",
  late_answer: "the call was answered while the switch restarted",
  unknown_number: "no organisation holds the number",
  not_a_number: "the INVITE has no phone number",
  unknown_source: "the INVITE came from an address that belongs to no trunk",
  too_many_hops: "the call passed too many SIP servers",
  trunk_full: "the trunk has reached its maximum number of calls",
  cannot_tell: "the switch has not loaded all routes yet",
  draining: "the switch is being drained, or its disk is full",
};

/** The reason with its meaning. A newer service may send one that is not known here. */
export function reasonText(reason: CallDetail["reason"]): string | null {
  return reason !== null && isKnown(reason) ? `${reason}: ${WORDS[reason]}` : reason;
}

function isKnown(reason: string): reason is keyof typeof WORDS {
  return Object.hasOwn(WORDS, reason);
}

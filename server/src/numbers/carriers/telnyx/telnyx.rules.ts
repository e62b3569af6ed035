import type { CarrierOrderItem } from "../carrier.ts";

type Outcome = CarrierOrderItem["outcome"];

/** A number or an order says it as `success`, or as one of these; everything else is still open. */
const FAILURES = new Set(["failure", "failed"]);

export function outcomeOf(status: string): Outcome {
  if (status === "success") return "bought";
  return FAILURES.has(status) ? "refused" : "pending";
}

/** Combines the outcomes of two orders with one reference: a number that either bought is bought. */
export function betterOf(one: Outcome | undefined, other: Outcome): Outcome {
  const rank: Outcome[] = ["refused", "pending", "bought"];
  return one !== undefined && rank.indexOf(one) > rank.indexOf(other) ? one : other;
}

/** Telnyx bills nothing for these numbers: they never arrived, or they have left. */
const NOT_OURS = new Set(["deleted", "ported-out", "purchase-failed", "port-failed", "port-pending"]);

export function isOurs({ status }: { status: string }): boolean {
  return !NOT_OURS.has(status);
}

/** Bought and not yet to be used. */
const COMING = new Set([
  "purchase-pending",
  "provision-pending",
  "requirement-info-pending",
  "requirement-info-under-review",
  "requirement-info-exception",
]);

export function outcomeOfOwned(status: string): Outcome {
  return COMING.has(status) ? "pending" : "bought";
}

export interface NumberPattern {
  contains?: string;
  starts_with?: string;
}

/**
 * Telnyx compares digits with the national number, we with all of it. So what we look for may also begin within
 * the calling code: 4420 in +4420… is 20 at the beginning. Undefined if no number of the country can match.
 */
export function patternsOf(
  { prefix, contains }: { prefix?: string | undefined; contains?: string | undefined },
  callingCode: string,
): NumberPattern[] {
  if (prefix !== undefined) {
    if (callingCode.startsWith(prefix)) return [{}];
    return prefix.startsWith(callingCode) ? [{ starts_with: prefix.slice(callingCode.length) }] : [];
  }
  if (contains === undefined || callingCode.includes(contains)) return [{}];
  const beginnings = Array.from(callingCode, (_, at) => callingCode.slice(at))
    .filter((end) => contains.startsWith(end))
    .map((end) => ({ starts_with: contains.slice(end.length) }));
  return [{ contains }, ...beginnings];
}

import { isId, madeAtMs } from "../../../platform/ids.ts";
import type { WantedRelease } from "../carrier.ts";
import { isOurs } from "./telnyx.rules.ts";

/** Telnyx does not document the lag of its lists. This is a safe upper bound. */
const LISTED_AFTER_MS = 5 * 60_000;

/** Whether what happened when a reference was created must be listed by now. Until then what is missing proves nothing. */
export function mustBeListed(reference: string, now: Date): boolean {
  return now.getTime() - madeAtMs(reference) >= LISTED_AFTER_MS;
}

export interface OwnedRecord {
  id: string;
  status: string;
  customer_reference?: string | null;
}

/**
 * Returns the record to return to Telnyx, `released` if the number is gone, or `pending` if the records are not
 * conclusive yet.
 */
export function numbersToReturn(
  records: readonly OwnedRecord[],
  { reference, boughtAs }: WantedRelease,
  now: Date,
): OwnedRecord | "released" | "pending" {
  const isOfAnother = ({ customer_reference: by }: OwnedRecord): boolean =>
    boughtAs !== undefined && by !== boughtAs && isId(by ?? "");
  const owned = records.find((one) => isOurs(one) && !isOfAnother(one));
  if (owned) return owned;
  // Its own record says that it has ended, or a later purchase exists. Earlier records may stay listed for too long.
  const isGone =
    boughtAs !== undefined &&
    records.some(({ customer_reference: by }) => by === boughtAs || (isId(by ?? "") && by! > boughtAs));
  // By the age of the release: a purchase may have been repeated long after its reference was created.
  return isGone || mustBeListed(reference, now) ? "released" : "pending";
}

/** A reservation is recorded when the carrier has answered; whichever was not by then never will be. */
const WRITTEN_WITHIN_MS = 60_000;

/** Whether a reservation still blocks its numbers. References of other systems always do. */
export function isStanding(
  { reference, isWhole }: { reference: string; isWhole: boolean },
  statuses: ReadonlyMap<string, string>,
  now: Date,
): boolean {
  if (!isId(reference)) return true;
  if (!isWhole) return false;
  const status = statuses.get(reference);
  return status === undefined
    ? now.getTime() - madeAtMs(reference) < WRITTEN_WITHIN_MS
    : status !== "cancelled";
}

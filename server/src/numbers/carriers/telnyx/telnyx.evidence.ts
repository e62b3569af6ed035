import { isId, madeAtMs } from "../../../platform/ids.ts";
import type { WantedRelease } from "../carrier.ts";
import { isOurs } from "./telnyx.rules.ts";

/** How far its lists may be behind is said nowhere; by then they are not. */
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

/** Of all that is listed of one number: what is to be returned. Or that it is gone, or that nobody can tell yet. */
export function numbersToReturn(
  records: readonly OwnedRecord[],
  { reference, boughtAs }: WantedRelease,
  now: Date,
): OwnedRecord | "released" | "pending" {
  const isOfAnother = ({ customer_reference: by }: OwnedRecord): boolean =>
    boughtAs !== undefined && by !== boughtAs && isId(by ?? "");
  const owned = records.find((one) => isOurs(one) && !isOfAnother(one));
  if (owned) return owned;
  // Its own record says that it has ended, or somebody could buy it since. An earlier one may be listed for too long.
  const isGone =
    boughtAs !== undefined &&
    records.some(({ customer_reference: by }) => by === boughtAs || (isId(by ?? "") && by! > boughtAs));
  // By the age of the release: a purchase may have been repeated long after its reference was created.
  return isGone || mustBeListed(reference, now) ? "released" : "pending";
}

/** A reservation is recorded when the carrier has answered; whichever was not by then never will be. */
const WRITTEN_WITHIN_MS = 60_000;

/** Whether numbers are still put aside under a reference for somebody. What is not ours to judge is left alone. */
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

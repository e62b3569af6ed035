import { isId, madeAtMs } from "../../platform/ids.ts";
import { CarrierRejection } from "./carrier-http.ts";
import { type CarrierOrderItem, CarrierFault, type ReleaseState, type WantedRelease } from "./carrier.ts";

/** No company documents the lag of its lists. This is a safe upper bound. */
const LISTED_AFTER_MS = 5 * 60_000;

/** Whether the list must show by now what happened when a reference was created. Until then, a missing entry proves nothing. */
export function mustBeListed(reference: string, now: Date): boolean {
  return now.getTime() - madeAtMs(reference) >= LISTED_AFTER_MS;
}

/** An order that no list shows yet may have bought a number that another order under the same reference did not get. */
export function untilListed(
  outcome: CarrierOrderItem["outcome"],
  reference: string,
  now: Date,
): CarrierOrderItem["outcome"] {
  return outcome === "refused" && !mustBeListed(reference, now) ? "pending" : outcome;
}

export interface NumberRecord {
  /** Reference of the purchase; null if it has none. */
  reference: string | null;
  /** Whether the company still bills the number. */
  isOurs: boolean;
}

/**
 * Returns the record to return to the company, `released` if the number is gone, or `pending` if the records are not
 * conclusive yet.
 */
export function numbersToReturn<Found extends NumberRecord>(
  records: readonly Found[],
  { reference, boughtAs }: WantedRelease,
  now: Date,
): Found | "released" | "pending" {
  const isOfAnother = ({ reference: by }: NumberRecord): boolean =>
    boughtAs !== undefined && by !== boughtAs && isId(by ?? "");
  const owned = records.find((one) => one.isOurs && !isOfAnother(one));
  if (owned) return owned;
  // Its own record says that it has ended, or a later purchase exists. Earlier records may stay listed for too long.
  const isGone =
    boughtAs !== undefined &&
    records.some(({ reference: by }) => by === boughtAs || (isId(by ?? "") && by! > boughtAs));
  // By the age of the release: a purchase may have been repeated long after its reference was created.
  return isGone || mustBeListed(reference, now) ? "released" : "pending";
}

/** Returns a number that `find` finds. Its result may be wrong by the time `remove` is called. */
export async function releaseFound<Found extends object>({
  find,
  remove,
  isLeft,
}: {
  find(): Promise<Found | "released" | "pending">;
  remove(found: Found): Promise<ReleaseState>;
  /** Whether the account still has the number. */
  isLeft(): Promise<boolean>;
}): Promise<ReleaseState> {
  const found = await beforeAnything(find);
  if (typeof found === "string") return found;
  try {
    return await remove(found);
  } catch (error) {
    if (!(error instanceof CarrierRejection) || error.status !== 404) throw error;
    if (await beforeAnything(isLeft)) throw error;
    return "released";
  }
}

/** A query without a response, before any request with an effect: nothing can have happened, and nothing was rejected. */
export async function beforeAnything<Answer>(asked: () => Promise<Answer>): Promise<Answer> {
  return retold("not_sent", asked);
}

/** An order was or may have been placed, so a failed request leaves the outcome unknown. */
export async function afterAnything<Answer>(asked: () => Promise<Answer>): Promise<Answer> {
  return retold("unknown", asked);
}

async function retold<Answer>(kind: CarrierFault["kind"], asked: () => Promise<Answer>): Promise<Answer> {
  try {
    return await asked();
  } catch (error) {
    if (!(error instanceof CarrierFault)) throw error;
    throw new CarrierFault(kind, error.message, { cause: error });
  }
}

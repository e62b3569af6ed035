import { isId, madeAtMs } from "../../../platform/ids.ts";

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

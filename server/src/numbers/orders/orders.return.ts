import type { CarrierFault, ReleaseState } from "../carriers/carrier.ts";
import { newId } from "../../platform/ids.ts";
import { holdJob, rejectLate } from "../jobs/jobs.ts";
import { INCOMPLETE } from "./orders.errors.ts";
import { isHeldUp } from "./orders.requirements.rules.ts";
import { isRejectedForGood } from "./orders.rules.ts";
import {
  carrierOf,
  type Change,
  queryCarrier,
  itemAt,
  type Moved,
  moveItems,
  sideOf,
  type Turn,
} from "./orders.claim.ts";

/**
 * The order wants all or nothing and one number is not available: returns bought numbers, cancels those that wait for
 * evidence, and does not buy the rest.
 */
export async function abandonOrder(turn: Turn): Promise<Moved> {
  const changes = turn.order.items.flatMap((item): Change[] => {
    const { position, step } = item;
    if (step === "wanted" || step === "chosen") return [{ position, step: "refused", ...INCOMPLETE }];
    return step === "bought" || isHeldUp(item)
      ? [{ position, step: "returning", return_reference: newId(), ...INCOMPLETE }]
      : [];
  });
  return { order: await moveItems(turn, async () => changes) };
}

/**
 * Returns a number to the carrier. The return is recorded already. It queries the status first, because the carrier
 * may already have processed the return.
 */
export async function returnNumber(turn: Turn, position: number): Promise<Moved> {
  const { order } = turn;
  const waits = (reason: string): Moved => ({ order, waits: [{ kind: "giveBack", position }, reason] });
  const answer = await returnToCarrier(turn, position);
  if (answer === "released")
    return { order: await moveItems(turn, async () => [{ position, step: "returned" }]) };
  if (answer === undefined) return waits("carrier_not_connected");
  if (answer === "pending") return waits("carrier_pending");
  if (answer === "refused" || answer.kind === "refused") return keep(turn, position);
  return waits({ not_sent: "carrier_unreachable", unknown: "carrier_unknown" }[answer.kind]);
}

/** Asked for a while longer; then it is the operator's to settle with the carrier. */
async function keep(turn: Turn, position: number): Promise<Moved> {
  const { app, order } = turn;
  const { e164, refusals } = itemAt(order, position);
  const isForGood = isRejectedForGood(refusals + 1);
  if (isForGood)
    app.log.error(
      { order: order.id, carrier: order.carrier, e164 },
      "carrier rejects the return of a number",
    );
  const step = isForGood ? "stranded" : "returning";
  const kept = await moveItems(turn, async () => [{ position, step, refusals: refusals + 1 }]);
  return { order: kept, ...(!isForGood && { waits: [{ kind: "giveBack", position }, "carrier_refused"] }) };
}

/** Undefined if the carrier is no longer connected. */
async function returnToCarrier(
  turn: Turn,
  position: number,
): Promise<ReleaseState | CarrierFault | undefined> {
  const ordering = carrierOf(turn)?.ordering;
  if (!ordering) return undefined;
  const { e164, reference, return_reference } = itemAt(turn.order, position);
  const wanted = { reference: return_reference!, e164: e164!, boughtAs: reference! };
  const known = await queryCarrier(turn, () => ordering.releaseStatus(sideOf(turn.order), wanted));
  if (known !== undefined && known !== "refused") return known;
  rejectLate(turn.app, await holdJob(turn.app, turn.job));
  return queryCarrier(turn, () => ordering.release(sideOf(turn.order), wanted));
}

import { CarrierFault, type CarrierOrder, type CarrierOrderItem } from "../carriers/carrier.ts";
import { carrierRejection, NOT_AVAILABLE } from "./orders.errors.ts";
import { followRequirements } from "./orders.requirements.ts";
import { setRequirementsMet } from "./orders.requirements.store.ts";
import type { Step } from "./orders.rules.ts";
import type { ItemRow, Order } from "./orders.store.ts";
import { type Change, lostChange, type Moved, moveItems, type Turn, underWay } from "./orders.claim.ts";

/**
 * Records the carrier's response for each number. Numbers that it does not mention are queried again later, never
 * guessed.
 */
export async function settlePurchase(
  turn: Turn,
  reference: string,
  answer: CarrierOrder | CarrierFault,
): Promise<Moved> {
  const asked = { kind: "ask", reference } as const;
  // Under the same reference as before: whether an earlier call got through is not said by this one.
  if (answer instanceof CarrierFault && answer.kind === "not_sent")
    return { order: turn.order, waits: [asked, "carrier_unreachable"] };
  const changes = underWay(turn.order, reference)
    .map((item) => ({ item, change: changeOf(turn.order, item, answer) }))
    .filter(({ item, change }) => change.step !== item.step)
    .map(({ change }) => change);
  const bought = changes.filter(({ step }) => step === "bought").map(({ position }) => position);
  const order =
    changes.length > 0
      ? await moveItems(turn, async (tx) => {
          await setRequirementsMet(tx, turn.order, bought, turn.app.clock.now());
          return changes;
        })
      : turn.order;
  const steps = new Set(order.items.map(({ step, reference: of }) => of === reference && step));
  if (steps.has("unknown")) return { order, waits: [asked, "carrier_unknown"] };
  return steps.has("submitted") ? followRequirements({ ...turn, order }, reference) : { order };
}

function changeOf(order: Order, item: ItemRow, answer: CarrierOrder | CarrierFault): Change {
  const { position } = item;
  if (answer instanceof CarrierFault)
    return answer.kind === "refused"
      ? { position, step: "refused", ...carrierRejection(answer.said) }
      : { position, step: "unknown" };
  const { outcome, reason } = answer.items.find(({ e164 }) => e164 === item.e164) ?? {};
  if (outcome === "refused")
    return lostChange(order, item, reason === undefined ? NOT_AVAILABLE : carrierRejection(reason));
  return { position, step: outcome === undefined ? "unknown" : STEP_OF[outcome] };
}

const STEP_OF: Record<Exclude<CarrierOrderItem["outcome"], "refused">, Step> = {
  bought: "bought",
  pending: "submitted",
};

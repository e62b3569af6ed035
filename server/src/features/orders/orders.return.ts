import type { CarrierFault, ReleaseState } from "../../carriers/carrier.ts";
import { newId } from "../../platform/ids.ts";
import { INCOMPLETE } from "./orders.errors.ts";
import {
  carrierOf,
  type Change,
  heard,
  itemAt,
  type Moved,
  moveItems,
  sideOf,
  type Turn,
} from "./orders.turn.ts";

/** One number cannot be had and all were wanted: what was bought goes back, the rest is not bought. */
export async function abandonOrder(turn: Turn): Promise<Moved> {
  const changes = turn.order.items.flatMap(({ position, step }): Change[] => {
    if (step === "wanted" || step === "chosen") return [{ position, step: "refused", ...INCOMPLETE }];
    return step === "bought"
      ? [{ position, step: "returning", return_reference: newId(), ...INCOMPLETE }]
      : [];
  });
  return { order: await moveItems(turn, async () => changes) };
}

/** That it goes back stands written already; the carrier is asked before it is told, for it may know. */
export async function giveNumberBack(turn: Turn, position: number): Promise<Moved> {
  const { order } = turn;
  const waits = (reason: string): Moved => ({ order, waits: [{ kind: "giveBack", position }, reason] });
  const answer = await giveBack(turn, position);
  if (answer === "released")
    return { order: await moveItems(turn, async () => [{ position, step: "returned" }]) };
  if (answer === undefined) return waits("carrier_not_connected");
  if (answer === "pending") return waits("carrier_pending");
  if (answer === "refused") return waits("carrier_refused");
  return waits(
    { refused: "carrier_refused", not_sent: "carrier_unreachable", unknown: "carrier_unknown" }[answer.kind],
  );
}

/** Nothing where the carrier is no longer connected. */
async function giveBack(turn: Turn, position: number): Promise<ReleaseState | CarrierFault | undefined> {
  const ordering = carrierOf(turn)?.ordering;
  if (!ordering) return undefined;
  const { e164, return_reference } = itemAt(turn.order, position);
  const wanted = { reference: return_reference!, e164: e164! };
  const known = await heard(turn, () => ordering.releaseStatus(sideOf(turn.order), wanted));
  return known === undefined || known === "refused"
    ? heard(turn, () => ordering.release(sideOf(turn.order), wanted))
    : known;
}

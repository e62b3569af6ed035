import type { Clock } from "../../../platform/clock.ts";
import { afterAnything, beforeAnything, untilListed } from "../carrier-evidence.ts";
import { type Ask, CarrierRejection } from "../carrier-http.ts";
import type { CarrierOrderItem, WantedOrder } from "../carrier.ts";
import { findOffers, listHeld, type Offer } from "./didww.offers.ts";
import { listOrders, type Outcome, outcomesFor, outcomesOf, outcomesOfOwned } from "./didww.orders.ts";
import { obstacleOf } from "./didww.regulations.ts";
import { isOpen } from "./didww.rules.ts";
import { ORDER } from "./didww.schema.ts";

type Items = Map<string, Omit<CarrierOrderItem, "e164">>;

/** Orders the numbers that are on sale, and decides about the others. */
export async function buy(ask: Ask, clock: Clock, wanted: WantedOrder): Promise<CarrierOrderItem[]> {
  const { reference, e164s, isFirst = false } = wanted;
  const items: Items = new Map(e164s.map((e164) => [e164, { outcome: "refused" }]));
  const offers = await beforeAnything(() => listOffers(ask, wanted, e164s));
  const allowed = await beforeAnything(() => rejectUnregistrable(ask, offers, items));
  await orderOffers({ ask, wanted, clock }, allowed, items);
  const left = e164s.filter((e164) => items.get(e164)!.outcome === "refused");
  // Before the first order of a reference, no number can have been bought under it.
  if (!isFirst && left.length > 0) {
    const owned = await afterAnything(() => outcomesOfOwned(ask, reference, left));
    for (const [e164, outcome] of owned) items.set(e164, { outcome });
  }
  return e164s.map((e164) => {
    const { outcome, reason } = items.get(e164)!;
    const settled = isFirst ? outcome : untilListed(outcome, reference, clock.now());
    return { e164, outcome: settled, ...(reason !== undefined && settled === "refused" && { reason }) };
  });
}

/** How these numbers can be ordered. Those that are not on sale, or that others have reserved, are missing. */
async function listOffers(
  ask: Ask,
  { reservations = [] }: WantedOrder,
  e164s: readonly string[],
): Promise<Offer[]> {
  // To DIDWW, a number that one organisation has reserved is reserved for the account, and so for all of them.
  const held = new Map((await listHeld(ask)).map((one) => [one.e164, one]));
  const offers: Offer[] = [];
  for (const e164 of e164s) {
    const { reference = null, offer } = held.get(e164) ?? {};
    if (offer && reference !== null && reservations.includes(reference)) offers.push(offer);
  }
  const free = e164s.filter((e164) => !held.has(e164));
  return [...offers, ...(await findOffers(ask, free))];
}

/** A number that the service could never register is rejected before it costs anything. */
async function rejectUnregistrable(ask: Ask, offers: readonly Offer[], items: Items): Promise<Offer[]> {
  const obstacles = new Map<string, string | undefined>();
  for (const { groupId } of offers.filter(({ needsRegistration }) => needsRegistration))
    if (!obstacles.has(groupId)) obstacles.set(groupId, await obstacleOf(ask, groupId));
  for (const { e164, groupId } of offers) {
    const reason = obstacles.get(groupId);
    if (reason !== undefined) items.set(e164, { outcome: "refused", reason });
  }
  return offers.filter(({ groupId }) => obstacles.get(groupId) === undefined);
}

/** DIDWW rejects a whole order because of one number. Those that are still on sale are ordered again. */
async function orderOffers(
  { ask, wanted, clock }: { ask: Ask; wanted: WantedOrder; clock: Clock },
  offers: readonly Offer[],
  items: Items,
): Promise<void> {
  if (offers.length === 0) return;
  const e164s = offers.map(({ e164 }) => e164);
  const put = (outcomes: ReadonlyMap<string, Outcome>): void => {
    for (const e164 of e164s) items.set(e164, { outcome: outcomes.get(e164) ?? "refused" });
  };
  const placed = await placeOrder(ask, wanted.reference, offers);
  if (!(placed instanceof CarrierRejection)) return put(placed);
  // A concurrent request with the same reference may have placed the order.
  const orders = await afterAnything(() => listOrders(ask, wanted.reference));
  const { reference } = wanted;
  if (orders.length > 0)
    return put(await afterAnything(() => outcomesFor(ask, orders, { reference, e164s }, clock.now())));
  const left = await afterAnything(() => listOffers(ask, wanted, e164s));
  if (left.length < offers.length) {
    put(new Map());
    return orderOffers({ ask, wanted, clock }, left, items);
  }
  // All of them are still on sale, so DIDWW has another reason.
  for (const e164 of e164s) items.set(e164, { outcome: "refused", reason: placed.said });
}

/** Returns the rejection of the whole order. */
async function placeOrder(
  ask: Ask,
  reference: string,
  offers: readonly Offer[],
): Promise<Map<string, Outcome> | CarrierRejection> {
  const items = offers.map(({ skuId, source }) => ({
    type: "did_order_items",
    attributes: { sku_id: skuId, ...source },
  }));
  // Otherwise DIDWW may accept an order for a number that it has just sold.
  const attributes = { allow_back_ordering: false, external_reference_id: reference, items };
  const body = { data: { type: "orders", attributes } };
  const all = (outcome: Outcome) => new Map(offers.map(({ e164 }) => [e164, outcome]));
  try {
    const { data } = await ask({ method: "POST", path: "/orders", body, answer: ORDER });
    const { status } = data.attributes;
    if (status === "canceled") return all("refused");
    if (isOpen(status)) return all("pending");
    const order = { id: data.id, isOpen: false };
    // Numbers of a completed order that no list shows yet are on their way.
    return new Map([...all("pending"), ...(await afterAnything(() => outcomesOf(ask, [order])))]);
  } catch (error) {
    if (error instanceof CarrierRejection && error.kind === "refused") return error;
    throw error;
  }
}

import { untilListed } from "../carrier-evidence.ts";
import type { Ask } from "../carrier-http.ts";
import type { CarrierOrderItem } from "../carrier.ts";
import { listDidsOf, listDidsOfOrders, type OwnedDid } from "./didww.owned.ts";
import { isOpen } from "./didww.rules.ts";
import { ORDERS } from "./didww.schema.ts";

export type Outcome = CarrierOrderItem["outcome"];

export interface OrderRecord {
  id: string;
  isOpen: boolean;
}

/** Orders under our reference. Two requests at the same time may have placed one each, for different numbers. */
export async function listOrders(ask: Ask, reference: string): Promise<OrderRecord[]> {
  const query = { "filter[external_reference_id]": reference, "page[size]": "1000" };
  const { data } = await ask({ method: "GET", path: "/orders", query, answer: ORDERS });
  return data
    .filter(({ attributes }) => attributes.external_reference_id === reference)
    .map(({ id, attributes }) => ({ id, isOpen: isOpen(attributes.status) }));
}

/** The numbers that the orders bought. DIDWW does not say which numbers an order asked for. */
export async function outcomesOf(ask: Ask, orders: readonly OrderRecord[]): Promise<Map<string, Outcome>> {
  const open = new Set(orders.filter((order) => order.isOpen).map(({ id }) => id));
  const dids = await listDidsOfOrders(
    ask,
    orders.map(({ id }) => id),
  );
  return new Map(
    dids.map((did) => [did.e164, did.orderId !== null && open.has(did.orderId) ? "pending" : outcomeOf(did)]),
  );
}

/**
 * The outcome of wanted numbers. A number that none of the orders bought was rejected, once all of them are listed.
 */
export async function outcomesFor(
  ask: Ask,
  orders: readonly OrderRecord[],
  { reference, e164s }: { reference: string; e164s: readonly string[] },
  now: Date,
): Promise<Map<string, Outcome>> {
  const bought = await outcomesOf(ask, orders);
  const others = orders.some((order) => order.isOpen) ? "pending" : "refused";
  return new Map(e164s.map((e164) => [e164, untilListed(bought.get(e164) ?? others, reference, now)]));
}

/** A number that is ours under the reference was bought by one of its orders. */
export async function outcomesOfOwned(
  ask: Ask,
  reference: string,
  e164s: readonly string[],
): Promise<Map<string, Outcome>> {
  const dids = await listDidsOf(ask, e164s);
  const ours = dids.filter((did) => did.isOurs && did.reference === reference);
  return new Map(ours.map((did) => [did.e164, outcomeOf(did)]));
}

/** A number that waits for its registration receives no calls. If it is cancelled before, it was never sold. */
function outcomeOf({ isAwaitingRegistration, isOurs }: OwnedDid): Outcome {
  if (!isAwaitingRegistration) return "bought";
  return isOurs ? "pending" : "refused";
}

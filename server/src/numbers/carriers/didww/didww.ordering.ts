import type { Clock } from "../../../platform/clock.ts";
import {
  afterAnything,
  beforeAnything,
  mustBeListed,
  numbersToReturn,
  releaseFound,
} from "../carrier-evidence.ts";
import { type Ask, requireLive } from "../carrier-http.ts";
import type { CarrierOrder, Ordering, WantedRelease } from "../carrier.ts";
import { buy } from "./didww.buy.ts";
import { listOrders, type Outcome, outcomesFor, outcomesOf } from "./didww.orders.ts";
import { hasLeft, listDidsOf, listOwned } from "./didww.owned.ts";
import { DID } from "./didww.schema.ts";

/**
 * DIDWW has no idempotency key, and does not document that a reference belongs to one order. Three things together
 * prevent a second purchase: every order has our reference and is looked up by it first, every item names its number,
 * which DIDWW sells once, and back-ordering is off.
 */
export function openDidwwOrdering(begin: () => Ask, clock: Clock): Ordering {
  return {
    async order(of, wanted) {
      requireLive("DIDWW", of);
      const ask = begin();
      const orders = await beforeAnything(() => listOrders(ask, wanted.reference));
      if (orders.length === 0) return { items: await buy(ask, clock, wanted) };
      const outcomes = await afterAnything(() => outcomesFor(ask, orders, wanted, clock.now()));
      return orderOf(outcomes);
    },
    async orderStatus(of, reference) {
      requireLive("DIDWW", of);
      const ask = begin();
      const orders = await listOrders(ask, reference);
      const outcomes = orders.length > 0 ? await outcomesOf(ask, orders) : new Map<string, Outcome>();
      // An order does not name its numbers before it has them. `order` finds it, and knows them.
      if (outcomes.size === 0) return undefined;
      return orderOf(outcomes);
    },
    async release(of, wanted) {
      requireLive("DIDWW", of);
      const ask = begin();
      return releaseFound({
        find: () => lookFor(ask, clock, wanted),
        remove: ({ id }) => cancelDid(ask, id),
        isLeft: async () => (await listDidsOf(ask, [wanted.e164])).some(({ isOurs }) => isOurs),
      });
    },
    async releaseStatus(of, wanted) {
      requireLive("DIDWW", of);
      const ask = begin();
      const found = await beforeAnything(() => lookFor(ask, clock, wanted));
      return typeof found === "string" ? found : undefined;
    },
    list: (after) => listOwned(begin(), after),
  };
}

function orderOf(outcomes: ReadonlyMap<string, Outcome>): CarrierOrder {
  return { items: [...outcomes].map(([e164, outcome]) => ({ e164, outcome })) };
}

/** A rejection is thrown with the text of DIDWW. */
async function cancelDid(ask: Ask, id: string): Promise<"released" | "pending"> {
  const body = { data: { type: "dids", id, attributes: { terminated: true } } };
  const path = `/dids/${encodeURIComponent(id)}`;
  const { data } = await ask({ method: "PATCH", path, body, answer: DID });
  return data.attributes.terminated ? "released" : "pending";
}

async function lookFor(ask: Ask, clock: Clock, wanted: WantedRelease) {
  const { e164, boughtAs, reference } = wanted;
  const found = numbersToReturn(await listDidsOf(ask, [e164]), wanted, clock.now());
  if (found !== "pending" || boughtAs === undefined || mustBeListed(reference, clock.now())) return found;
  return (await hasLeft(ask, e164, boughtAs)) ? "released" : "pending";
}

import type { Clock } from "../../../platform/clock.ts";
import {
  afterAnything,
  beforeAnything,
  numbersToReturn,
  releaseFound,
  untilListed,
} from "../carrier-evidence.ts";
import { type Ask, CarrierRejection, requireLive } from "../carrier-http.ts";
import type {
  CarrierOrder,
  CarrierOrderItem,
  Ordering,
  ReleaseState,
  WantedOrder,
  WantedRelease,
} from "../carrier.ts";
import { isOnSale } from "./telnyx.inventory.ts";
import { listOwned, listOwnedUnder, listRecordsOf } from "./telnyx.owned.ts";
import { listAside, type StatusesOf } from "./telnyx.reservations.ts";
import { betterOf, outcomeOf, outcomeOfOwned } from "./telnyx.rules.ts";
import { DELETED_NUMBER, ORDER, ORDERS } from "./telnyx.schema.ts";

type Outcomes = Map<string, CarrierOrderItem["outcome"]>;

/** How many numbers are looked up at the same time. */
const AT_ONCE = 10;

export interface Surroundings {
  clock: Clock;
  statusesOf: StatusesOf;
}

export function openTelnyxOrdering(begin: () => Ask, surroundings: Surroundings): Ordering {
  const { clock } = surroundings;
  return {
    async order(of, wanted) {
      requireLive("Telnyx", of);
      const ask = begin();
      const orders = await beforeAnything(() => listOrders(ask, wanted.reference));
      const outcomes =
        orders.length > 0
          ? await afterAnything(() => outcomesOf(ask, clock, wanted, orders))
          : await buy(ask, surroundings, wanted);
      return answerOf(new Map(wanted.e164s.map((e164) => [e164, outcomes.get(e164) ?? "refused"])));
    },
    async orderStatus(of, reference) {
      requireLive("Telnyx", of);
      const ask = begin();
      const orders = await listOrders(ask, reference);
      return orders.length > 0 ? answerOf(await outcomesOf(ask, clock, { reference }, orders)) : undefined;
    },
    async release(of, wanted) {
      requireLive("Telnyx", of);
      const ask = begin();
      return releaseFound({
        find: () => lookFor(ask, clock, wanted),
        remove: ({ id }) => deleteNumber(ask, id),
        isLeft: async () => (await listRecordsOf(ask, wanted.e164)).some(({ isOurs }) => isOurs),
      });
    },
    // Telnyx keeps no record of releases: a number that is still listed was not returned.
    async releaseStatus(of, wanted) {
      requireLive("Telnyx", of);
      const found = await beforeAnything(() => lookFor(begin(), clock, wanted));
      return typeof found === "string" ? found : undefined;
    },
    list: (after) => listOwned(begin(), after),
  };
}

function answerOf(outcomes: Outcomes): CarrierOrder {
  return { items: [...outcomes].map(([e164, outcome]) => ({ e164, outcome })) };
}

async function lookFor(ask: Ask, clock: Clock, wanted: WantedRelease) {
  return numbersToReturn(await listRecordsOf(ask, wanted.e164), wanted, clock.now());
}

async function deleteNumber(ask: Ask, id: string): Promise<ReleaseState> {
  try {
    const path = `/phone_numbers/${encodeURIComponent(id)}`;
    const { data } = await ask({ method: "DELETE", path, answer: DELETED_NUMBER });
    return data.status === "deleted" ? "released" : "pending";
  } catch (error) {
    if (error instanceof CarrierRejection && error.kind === "refused") return "refused";
    throw error;
  }
}

/** Their ids. An order that is created twice is two orders to Telnyx. */
async function listOrders(ask: Ask, reference: string): Promise<string[]> {
  const { data } = await ask({
    method: "GET",
    path: "/number_orders",
    query: { "filter[customer_reference]": reference, "page[size]": "250" },
    answer: ORDERS,
  });
  return data.filter(({ customer_reference }) => customer_reference === reference).map(({ id }) => id);
}

/** A number that is wanted and in none of the orders was rejected before one was created, once all of them are listed. */
async function outcomesOf(
  ask: Ask,
  clock: Clock,
  { reference, e164s = [] }: { reference: string; e164s?: readonly string[] },
  orders: string[],
): Promise<Outcomes> {
  const outcomes: Outcomes = new Map(e164s.map((e164) => [e164, "refused"]));
  for (const id of orders) {
    const { data } = await ask({
      method: "GET",
      path: `/number_orders/${encodeURIComponent(id)}`,
      answer: ORDER,
    });
    for (const { phone_number, status } of data.phone_numbers)
      outcomes.set(phone_number, betterOf(outcomes.get(phone_number), outcomeOf(status)));
  }
  return allUntilListed(await withOwned(ask, reference, outcomes), reference, clock.now());
}

function allUntilListed(outcomes: Outcomes, reference: string, now: Date): Outcomes {
  return new Map([...outcomes].map(([e164, outcome]) => [e164, untilListed(outcome, reference, now)]));
}

async function buy(
  ask: Ask,
  surroundings: Surroundings,
  { reference, e164s, reservations = [], isFirst = false }: WantedOrder,
): Promise<Outcomes> {
  // To Telnyx what one organisation has put aside is the account's, and so for sale to the others.
  const aside = await beforeAnything(() => listAside(ask, surroundings, reservations));
  const free = e164s.filter((e164) => !aside.has(e164));

  const outcomes: Outcomes = new Map(e164s.map((e164) => [e164, "refused"]));
  const bought = (await tryOrder(ask, reference, free)) ?? (await buyWhatIsOnSale(ask, reference, free));
  for (const [e164, outcome] of bought) outcomes.set(e164, outcome);
  const known = await withOwned(ask, reference, outcomes);
  // With none before it this answer is the whole truth: what is rejected need not wait.
  return isFirst ? known : allUntilListed(known, reference, surroundings.clock.now());
}

/** For one number that it cannot sell, or that no recent search has shown, Telnyx rejects a whole order. */
async function buyWhatIsOnSale(ask: Ask, reference: string, e164s: string[]): Promise<Outcomes> {
  const outcomes = await withOwned(ask, reference, new Map(e164s.map((e164) => [e164, "refused"])));
  const left = e164s.filter((e164) => outcomes.get(e164) === "refused");
  const onSale: string[] = [];
  for (let at = 0; at < left.length; at += AT_ONCE) {
    const some = left.slice(at, at + AT_ONCE);
    const found = await beforeAnything(() => Promise.all(some.map((e164) => isOnSale(ask, e164))));
    onSale.push(...some.filter((_, index) => found[index]));
  }
  for (const [e164, outcome] of (await tryOrder(ask, reference, onSale)) ?? []) outcomes.set(e164, outcome);
  return outcomes;
}

/** Undefined if the order was rejected as a whole. */
async function tryOrder(ask: Ask, reference: string, e164s: string[]): Promise<Outcomes | undefined> {
  if (e164s.length === 0) return new Map();
  const body = {
    customer_reference: reference,
    phone_numbers: e164s.map((phone_number) => ({ phone_number })),
  };
  try {
    const { data } = await ask({ method: "POST", path: "/number_orders", body, answer: ORDER });
    return new Map(data.phone_numbers.map(({ phone_number, status }) => [phone_number, outcomeOf(status)]));
  } catch (error) {
    // 409 is also said of a number that is sold already, perhaps to us: what is ours is looked up in any case.
    if (error instanceof CarrierRejection && (error.kind === "refused" || error.status === 409))
      return undefined;
    throw error;
  }
}

/** A number that is ours under the reference was bought by it, by whichever of its orders. */
async function withOwned(ask: Ask, reference: string, outcomes: Outcomes): Promise<Outcomes> {
  const rejected = [...outcomes].filter(([, outcome]) => outcome === "refused");
  if (rejected.length === 0) return outcomes;
  const owned = await afterAnything(() => listOwnedUnder(ask, reference));
  for (const [e164] of rejected) {
    const status = owned.get(e164);
    if (status !== undefined) outcomes.set(e164, outcomeOfOwned(status));
  }
  return outcomes;
}

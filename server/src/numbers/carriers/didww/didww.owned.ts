import { madeAtMs } from "../../../platform/ids.ts";
import type { NumberRecord } from "../carrier-evidence.ts";
import { type Ask, CarrierRejection } from "../carrier-http.ts";
import { allPages, pageAfter, pageAt } from "../carrier-pages.ts";
import type { DeliveryPage, OwnedPage } from "../carrier.ts";
import { pagesOf } from "./didww.rules.ts";
import { DELIVERED_DIDS, DID_HISTORY, includedIn, ORDER_RESOURCE, ORDERED_DIDS } from "./didww.schema.ts";

const PAGE_SIZE = 250;
/** How many values a filter lists at once. */
const VALUES_AT_ONCE = 50;
/** The response contains only these, because a complete record is large. */
const FIELDS = "number,terminated,awaiting_registration,created_at";

/** A number that the account has, or has cancelled a while ago. */
export interface OwnedDid extends NumberRecord {
  id: string;
  e164: string;
  orderId: string | null;
  isAwaitingRegistration: boolean;
  boughtAt: string;
}

interface DidPage {
  dids: OwnedDid[];
  pages: number;
}

async function readDids(ask: Ask, page: number, query: Record<string, string>): Promise<DidPage> {
  const answer = await ask({
    method: "GET",
    path: "/dids",
    query: {
      ...query,
      include: "order",
      "fields[dids]": `${FIELDS},order`,
      "page[number]": String(page),
      "page[size]": String(PAGE_SIZE),
    },
    answer: ORDERED_DIDS,
  });
  const dids = answer.data.map(({ id, attributes, relationships }): OwnedDid => {
    const order = relationships.order.data;
    const by = order && includedIn(answer, order, ORDER_RESOURCE).attributes.external_reference_id;
    return {
      id,
      e164: `+${attributes.number}`,
      reference: by || null,
      orderId: order?.id ?? null,
      // A cancelled number is not billed again. It stays listed until DIDWW removes it.
      isOurs: !attributes.terminated,
      isAwaitingRegistration: attributes.awaiting_registration,
      boughtAt: new Date(attributes.created_at).toISOString(),
    };
  });
  return { dids, pages: pagesOf(answer.meta.total_records, PAGE_SIZE) };
}

/** Returns the records of these numbers, including cancelled ones. */
export async function listDidsOf(ask: Ask, e164s: readonly string[]): Promise<OwnedDid[]> {
  const wanted = new Set(e164s);
  const found = await listBy(
    ask,
    "filter[number]",
    e164s.map((e164) => e164.slice(1)),
  );
  return found.filter(({ e164 }) => wanted.has(e164));
}

/** Returns the numbers that these orders bought, including cancelled ones. */
export async function listDidsOfOrders(ask: Ask, orderIds: readonly string[]): Promise<OwnedDid[]> {
  const wanted = new Set(orderIds);
  const found = await listBy(ask, "filter[order.id]", orderIds);
  return found.filter(({ orderId }) => orderId !== null && wanted.has(orderId));
}

async function listBy(ask: Ask, filter: string, values: readonly string[]): Promise<OwnedDid[]> {
  const found: OwnedDid[] = [];
  for (let at = 0; at < values.length; at += VALUES_AT_ONCE) {
    const some = values.slice(at, at + VALUES_AT_ONCE).join();
    const dids = await allPages(async (page) => {
      const answer = await readDids(ask, page, { [filter]: some });
      return { items: answer.dids, pages: answer.pages };
    });
    found.push(...dids);
  }
  return found;
}

/**
 * Pages are counted, so a number that leaves while they are read may hide another one. Before a number counts as
 * missing, look it up separately.
 */
export async function listOwned(ask: Ask, after: string | undefined): Promise<OwnedPage> {
  const page = pageAt(after);
  const { dids, pages } = await readDids(ask, page, { "filter[terminated]": "false", sort: "number" });
  const numbers = dids.filter(({ isOurs }) => isOurs);
  return {
    numbers: numbers.map(({ e164, reference, boughtAt }) => ({ e164, reference, boughtAt })),
    next: pageAfter(page, pages),
  };
}

export interface DeliveredDid {
  id: string;
  e164: string;
  isOurs: boolean;
  trunk: string | null;
}

/** A number that DIDWW sends to a trunk group, or nowhere, has no trunk. */
export async function readDeliveries(
  ask: Ask,
  page: number,
  query: Record<string, string>,
): Promise<{ dids: DeliveredDid[]; pages: number }> {
  const { data, meta } = await ask({
    method: "GET",
    path: "/dids",
    query: {
      ...query,
      include: "voice_in_trunk",
      "fields[dids]": `${FIELDS},voice_in_trunk`,
      "page[number]": String(page),
      "page[size]": String(PAGE_SIZE),
    },
    answer: DELIVERED_DIDS,
  });
  const dids = data.map(({ id, attributes, relationships }) => ({
    id,
    e164: `+${attributes.number}`,
    isOurs: !attributes.terminated,
    trunk: relationships.voice_in_trunk.data?.id ?? null,
  }));
  return { dids, pages: pagesOf(meta.total_records, PAGE_SIZE) };
}

/** The same pages as `listOwned`, with the trunk of each number. */
export async function listOwnedDeliveries(ask: Ask, after: string | undefined): Promise<DeliveryPage> {
  const page = pageAt(after);
  const { dids, pages } = await readDeliveries(ask, page, { "filter[terminated]": "false", sort: "number" });
  const numbers = new Map(dids.filter(({ isOurs }) => isOurs).map(({ e164, trunk }) => [e164, trunk]));
  return {
    numbers: [...numbers].map(([e164, trunk]) => ({ e164, trunk })),
    next: pageAfter(page, pages),
  };
}

/**
 * Whether the history shows that the account has cancelled or lost the number since the purchase. DIDWW keeps it for
 * 90 days. Without it, the lists are conclusive after a while, so a rejected query proves nothing.
 */
export async function hasLeft(ask: Ask, e164: string, boughtAs: string): Promise<boolean> {
  const query = {
    "filter[did_number]": e164.slice(1),
    "filter[action]": "canceled,removed",
    "filter[created_at_gteq]": new Date(madeAtMs(boughtAs)).toISOString(),
  };
  try {
    const { data } = await ask({ method: "GET", path: "/did_history", query, answer: DID_HISTORY });
    return data.length > 0;
  } catch (error) {
    if (error instanceof CarrierRejection && error.kind === "refused") return false;
    throw error;
  }
}

import type { Ask } from "../carrier-http.ts";
import { allPages } from "../carrier-pages.ts";
import { offerOf, pagesOf } from "./didww.rules.ts";
import {
  AVAILABLE_DID,
  AVAILABLE_DIDS,
  includedIn,
  PRICED_GROUP,
  RESERVATIONS,
  STOCK_KEEPING_UNIT,
} from "./didww.schema.ts";

/** How a number can be ordered. */
export interface Offer {
  e164: string;
  groupId: string;
  skuId: string;
  /** ID of the number, or of the reservation that holds it. */
  source: { available_did_id: string } | { did_reservation_id: string };
  needsRegistration: boolean;
}

export interface HeldOffer {
  id: string;
  reference: string | null;
  e164: string;
  /** Undefined if the number has no price. */
  offer: Offer | undefined;
}

const PAGE_SIZE = 100;

/** All current reservations of the account. Its plan limits them, to ten by default. */
export async function listHeld(ask: Ask, reference?: string): Promise<HeldOffer[]> {
  return allPages(async (page) => {
    const answer = await ask({
      method: "GET",
      path: "/did_reservations",
      query: {
        ...(reference !== undefined && { "filter[description]": reference }),
        include: "available_did.did_group.stock_keeping_units",
        "page[number]": String(page),
        "page[size]": String(PAGE_SIZE),
      },
      answer: RESERVATIONS,
    });
    const items = answer.data.flatMap(({ id, attributes, relationships }): HeldOffer[] => {
      const held = relationships.available_did.data;
      if (!held) return [];
      const did = includedIn(answer, held, AVAILABLE_DID);
      const e164 = `+${did.attributes.number}`;
      const offer = offerIn(answer, did, { did_reservation_id: id });
      return [{ id, reference: attributes.description ?? null, e164, offer }];
    });
    return { items, pages: pagesOf(answer.meta.total_records, PAGE_SIZE) };
  });
}

/** Undefined if the number is not on sale, or cannot be ordered alone. */
export async function findOffer(ask: Ask, e164: string): Promise<Offer | undefined> {
  return (await listOnSale(ask, e164.slice(1))).offers.get(e164);
}

/** Numbers with the same beginning are looked up with one request. */
const BLOCK_DIGITS = 2;
/** How many requests are sent at the same time. */
const AT_ONCE = 10;

/** Offers of those numbers that are on sale. */
export async function findOffers(ask: Ask, e164s: readonly string[]): Promise<Offer[]> {
  const blocks = Map.groupBy(e164s, (e164) => e164.slice(1, -BLOCK_DIGITS));
  const found = await inTurns([...blocks], async ([beginning, wanted]) => {
    if (wanted.length === 1) return [await findOffer(ask, wanted[0]!)];
    const { offers, isComplete } = await listOnSale(ask, beginning);
    const missing = isComplete ? [] : wanted.filter((e164) => !offers.has(e164));
    const others = await inTurns(missing, (e164) => findOffer(ask, e164));
    return [...wanted.map((e164) => offers.get(e164)), ...others];
  });
  return found.flat().filter((offer) => offer !== undefined);
}

async function inTurns<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    answers.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(ask))));
  return answers;
}

/** Numbers on sale with these digits. DIDWW returns some of them if there are too many. */
async function listOnSale(
  ask: Ask,
  digits: string,
): Promise<{ offers: Map<string, Offer>; isComplete: boolean }> {
  const answer = await ask({
    method: "GET",
    path: "/available_dids",
    query: {
      "filter[number_contains]": digits,
      include: "did_group.stock_keeping_units",
      "fields[available_dids]": "number,did_group",
    },
    answer: AVAILABLE_DIDS,
  });
  const offers = answer.data.flatMap((did) => offerIn(answer, did, { available_did_id: did.id }) ?? []);
  return {
    offers: new Map(offers.map((offer) => [offer.e164, offer])),
    isComplete: answer.meta.total_count <= answer.data.length,
  };
}

type Included = Parameters<typeof includedIn>[0];

interface Did {
  attributes: { number: string };
  relationships: { did_group: { data: { type: string; id: string } | null } };
}

function offerIn(answer: Included, did: Did, source: Offer["source"]): Offer | undefined {
  const groupOf = did.relationships.did_group.data;
  if (!groupOf) return undefined;
  const { id, attributes, meta, relationships } = includedIn(answer, groupOf, PRICED_GROUP);
  const units = relationships.stock_keeping_units.data.map((unit) =>
    includedIn(answer, unit, STOCK_KEEPING_UNIT),
  );
  const unit = offerOf(units, attributes.is_metered === true);
  return (
    unit && {
      e164: `+${did.attributes.number}`,
      groupId: id,
      skuId: unit.id,
      source,
      needsRegistration: meta?.needs_registration === true,
    }
  );
}

import type { Ask } from "../carrier-http.ts";
import { allPages } from "../carrier-pages.ts";
import { offerOf, pagesOf } from "./didww.rules.ts";
import {
  AVAILABLE_DID,
  AVAILABLE_DIDS,
  GROUP_WITH_REQUIREMENT,
  includedIn,
  PRICED_GROUP,
  REQUIREMENT,
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
  const answer = await ask({
    method: "GET",
    path: "/available_dids",
    query: { "filter[number_contains]": e164.slice(1), include: "did_group.stock_keeping_units" },
    answer: AVAILABLE_DIDS,
  });
  const did = answer.data.find(({ attributes }) => `+${attributes.number}` === e164);
  return did && offerIn(answer, did, { available_did_id: did.id });
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

const MOST_TEXT = 300;

/** DIDWW's text about the registration of a group's numbers. */
export async function registrationText(ask: Ask, groupId: string): Promise<string> {
  const path = `/did_groups/${encodeURIComponent(groupId)}`;
  const query = { include: "address_requirement" };
  const answer = await ask({ method: "GET", path, query, answer: GROUP_WITH_REQUIREMENT });
  const required = answer.data.relationships.address_requirement.data;
  const text = required && includedIn(answer, required, REQUIREMENT).attributes.restriction_message;
  const said = text ? `. ${text.replaceAll(/\s+/g, " ").trim().slice(0, MOST_TEXT)}` : "";
  return `the number needs the registration of an end user${said}`;
}

import type { NumberRecord } from "../carrier-evidence.ts";
import type { Ask } from "../carrier-http.ts";
import { pageAfter, pageAt } from "../carrier-pages.ts";
import type { DeliveryPage, OwnedPage } from "../carrier.ts";
import { isOurs } from "./telnyx.rules.ts";
import { OWNED_NUMBERS } from "./telnyx.schema.ts";

const PAGE_SIZE = 250;

interface Connected {
  connection_id?: string | null;
}

/** Null if the number has no connection. Telnyx may write that as an empty text. */
export function trunkOf({ connection_id: id }: Connected): string | null {
  return id || null;
}

/** Returns the records of one number, including ended ones. */
export async function listRecordsOf(
  ask: Ask,
  e164: string,
): Promise<(NumberRecord & Connected & { id: string })[]> {
  // It finds parts of numbers too, and with a plus it finds nothing.
  const { data } = await askForNumbers(ask, 1, { "filter[phone_number]": e164.slice(1) });
  return data
    .filter(({ phone_number }) => phone_number === e164)
    .map((one) => ({ ...one, reference: one.customer_reference ?? null, isOurs: isOurs(one) }));
}

/** The status of each number that came by this reference. */
export async function listOwnedUnder(ask: Ask, reference: string): Promise<Map<string, string>> {
  const { data } = await askForNumbers(ask, 1, { "filter[customer_reference]": reference });
  const ours = data.filter((one) => one.customer_reference === reference && isOurs(one));
  return new Map(ours.map(({ phone_number, status }) => [phone_number, status]));
}

/**
 * Pages are counted, so a number that leaves while they are read may hide another one. Before a number counts as
 * missing, look it up separately.
 */
export async function listOwned(ask: Ask, after: string | undefined): Promise<OwnedPage> {
  const page = pageAt(after);
  const { data, meta } = await askForNumbers(ask, page, { sort: "phone_number" });
  return {
    numbers: data.filter(isOurs).map(({ phone_number, customer_reference, purchased_at }) => ({
      e164: phone_number,
      reference: customer_reference || null,
      boughtAt: purchased_at ?? null,
    })),
    next: pageAfter(page, meta.total_pages),
  };
}

/** The same pages with the connection of each number. */
export async function listOwnedDeliveries(ask: Ask, after: string | undefined): Promise<DeliveryPage> {
  const page = pageAt(after);
  const { data, meta } = await askForNumbers(ask, page, { sort: "phone_number" });
  const numbers = new Map(data.filter(isOurs).map((one) => [one.phone_number, trunkOf(one)]));
  return {
    numbers: [...numbers].map(([e164, trunk]) => ({ e164, trunk })),
    next: pageAfter(page, meta.total_pages),
  };
}

function askForNumbers(ask: Ask, page: number, query: Record<string, string>) {
  return ask({
    method: "GET",
    path: "/phone_numbers",
    query: { ...query, "page[number]": String(page), "page[size]": String(PAGE_SIZE) },
    answer: OWNED_NUMBERS,
  });
}

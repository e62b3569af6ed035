import type { Clock } from "../../../platform/clock.ts";
import { isId } from "../../../platform/ids.ts";
import { isStanding } from "./telnyx.evidence.ts";
import type { Ask } from "./telnyx.http.ts";
import { outcomeOf } from "./telnyx.rules.ts";
import { RESERVATIONS } from "./telnyx.schema.ts";

export interface TelnyxReservation {
  reference: string | undefined;
  /** Those that are put aside now. */
  e164s: string[];
  /** None of its numbers was rejected. */
  isWhole: boolean;
}

/** Each may have a hundred numbers, and a page must stay far below what an answer may have. */
const PAGE_SIZE = 20;
/** They last 30 minutes and nobody extends them; the rest is for clocks that differ. */
const LONGEST_MS = 35 * 60_000;

/** What became of reservations of ours; those that were never recorded are missing. */
export type StatusesOf = (references: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * What is put aside for anybody other than these reservations. Telnyx takes nothing back, so some of what it holds was
 * cancelled; and where not all of the numbers could be had, nobody was told that the others are reserved.
 */
export async function listAside(
  ask: Ask,
  { clock, statusesOf }: { clock: Clock; statusesOf: StatusesOf },
  reservations: readonly string[],
): Promise<ReadonlySet<string>> {
  const held = await listReservations(ask, clock);
  const others = held.flatMap(({ reference, ...one }) =>
    reference !== undefined && !reservations.includes(reference) ? [{ reference, ...one }] : [],
  );
  const ours = others.map(({ reference }) => reference).filter(isId);
  const statuses = ours.length > 0 ? await statusesOf(ours) : new Map<string, string>();
  const standing = others.filter((one) => isStanding(one, statuses, clock.now()));
  return new Set(standing.flatMap((one) => one.e164s));
}

/** What is put aside now, for one of our references or for all. */
export async function listReservations(
  ask: Ask,
  clock: Clock,
  { customerReference }: { customerReference?: string } = {},
): Promise<TelnyxReservation[]> {
  const now = clock.now().getTime();
  const reservations: TelnyxReservation[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data, meta } = await ask({
      method: "GET",
      path: "/number_reservations",
      query: {
        "filter[created_at][gt]": new Date(now - LONGEST_MS).toISOString(),
        ...(customerReference !== undefined && { "filter[customer_reference]": customerReference }),
        "page[number]": String(page),
        "page[size]": String(PAGE_SIZE),
      },
      answer: RESERVATIONS,
    });
    pages = meta.total_pages;
    for (const { customer_reference, phone_numbers } of data) {
      const held = phone_numbers.filter(
        ({ status, expired_at }) => outcomeOf(status) === "bought" && Date.parse(expired_at ?? "") > now,
      );
      if (held.length === 0) continue;
      const e164s = held.map(({ phone_number }) => phone_number);
      const isWhole = !phone_numbers.some(({ status }) => outcomeOf(status) === "refused");
      reservations.push({ reference: customer_reference ?? undefined, e164s, isWhole });
    }
  }
  return reservations;
}

import type { Clock } from "../../../platform/clock.ts";
import { isId } from "../../../platform/ids.ts";
import type { Ask } from "../carrier-http.ts";
import { allPages } from "../carrier-pages.ts";
import { isStanding } from "./telnyx.evidence.ts";
import { outcomeOf } from "./telnyx.rules.ts";
import { RESERVATIONS } from "./telnyx.schema.ts";

export interface TelnyxReservation {
  reference: string | undefined;
  /** Those that are put aside now. */
  e164s: string[];
  /** None of its numbers was rejected. */
  isWhole: boolean;
}

/** Each reservation may have 100 numbers, and a page must stay far below the maximum response size. */
const PAGE_SIZE = 20;
/** Reservations last 30 minutes and are never extended. The rest allows for clock differences. */
const LONGEST_MS = 35 * 60_000;

/** Returns the status of our reservations. Those that were never recorded are missing. */
export type StatusesOf = (references: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Returns numbers that other reservations block. Telnyx cannot cancel reservations, so some of those it lists were
 * cancelled here. Incomplete reservations do not block, because the caller got an error.
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

/** Returns current reservations, for one of our references or for all. */
export async function listReservations(
  ask: Ask,
  clock: Clock,
  { customerReference }: { customerReference?: string } = {},
): Promise<TelnyxReservation[]> {
  const now = clock.now().getTime();
  const listed = await allPages(async (page) => {
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
    return { items: data, pages: meta.total_pages };
  });
  return listed.flatMap(({ customer_reference, phone_numbers }) => {
    const held = phone_numbers.filter(
      ({ status, expired_at }) => outcomeOf(status) === "bought" && Date.parse(expired_at ?? "") > now,
    );
    const e164s = held.map(({ phone_number }) => phone_number);
    const isWhole = !phone_numbers.some(({ status }) => outcomeOf(status) === "refused");
    return held.length > 0 ? [{ reference: customer_reference ?? undefined, e164s, isWhole }] : [];
  });
}

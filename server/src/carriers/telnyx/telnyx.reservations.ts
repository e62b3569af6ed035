import type { Clock } from "../../platform/clock.ts";
import type { Ask } from "./telnyx.http.ts";
import { outcomeOf } from "./telnyx.rules.ts";
import { RESERVATIONS } from "./telnyx.schema.ts";

export interface TelnyxReservation {
  reference: string | undefined;
  /** Those that are put aside now. */
  e164s: string[];
}

const PAGE_SIZE = 250;
/** They last 30 minutes and nobody extends them; the rest is for clocks that differ. */
const LONGEST_MS = 35 * 60_000;

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
      reservations.push({ reference: customer_reference ?? undefined, e164s });
    }
  }
  return reservations;
}

import { setTimeout as sleep } from "node:timers/promises";
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import type { Clock } from "../../../platform/clock.ts";
import { type Ask, CarrierRejection, requireLive } from "../carrier-http.ts";
import {
  CarrierFault,
  type Inventory,
  type InventoryQuery,
  type OfferedNumber,
  type WantedReservation,
} from "../carrier.ts";
import { listReservations } from "./telnyx.reservations.ts";
import { type NumberPattern, outcomeOf, patternsOf } from "./telnyx.rules.ts";
import { AVAILABLE_NUMBERS, RESERVATION } from "./telnyx.schema.ts";

/** Types that Telnyx knows. It rejects a search for any other. */
const TYPES = new Set(["local", "toll_free", "mobile", "national", "shared_cost"]);
/** The documentation names no upper limit and knows neither pages nor an order: one request must do. */
const FOUND_AT_ONCE = 250;
/** A reservation is decided within moments. After this many polls its outcome is unknown. */
const LOOKS = 20;
const BETWEEN_LOOKS_MS = 200;

export function openTelnyxInventory(name: string, begin: () => Ask, clock: Clock): Inventory {
  return {
    name,
    async search(of, query) {
      requireLive("Telnyx", of);
      return searchCountry(begin(), query);
    },
    async reserve(of, wanted) {
      requireLive("Telnyx", of);
      const reserved = await reserveAll(begin(), wanted);
      return wanted.e164s.map((e164) => ({
        e164,
        outcome: reserved.has(e164) ? "available" : "not_available",
      }));
    },
    // There is no request for it: https://developers.telnyx.com/docs/numbers/phone-numbers/number-reservations
    async unreserve(reference) {
      const held = await listReservations(begin(), clock, { customerReference: reference });
      if (held.length > 0)
        throw new CarrierFault("refused", "Telnyx cannot cancel a reservation. It expires after 30 minutes.");
    },
  };
}

async function searchCountry(ask: Ask, query: InventoryQuery): Promise<OfferedNumber[]> {
  const { country, type, prefix = "", contains = "", after = "", limit } = query;
  if (country === undefined) throw new CarrierFault("refused", "A Telnyx search needs a country.");
  if (!isSupportedCountry(country) || (type !== undefined && !TYPES.has(type))) return [];

  const found = new Map<string, OfferedNumber>();
  for (const pattern of patternsOf(query, getCountryCallingCode(country))) {
    const { data } = await ask({
      method: "GET",
      path: "/available_phone_numbers",
      query: {
        ...searchOf(country, pattern),
        ...(type !== undefined && { "filter[phone_number_type]": type }),
        // Only reservable numbers that this account has not reserved yet.
        "filter[reservable]": "true",
        "filter[exclude_held_numbers]": "true",
        "filter[limit]": String(Math.max(FOUND_AT_ONCE, limit + 1)),
      },
      answer: AVAILABLE_NUMBERS,
    });
    for (const one of data) {
      const e164 = one.phone_number;
      const capabilities = (one.features ?? []).map(({ name }) => name);
      found.set(e164, { e164, country, type: one.phone_number_type ?? type ?? "other", capabilities });
    }
  }
  return [...found.values()]
    .filter(({ e164 }) => e164.startsWith(`+${prefix}`) && e164.includes(contains) && e164 > after)
    .toSorted((one, other) => (one.e164 < other.e164 ? -1 : 1))
    .slice(0, limit + 1);
}

/**
 * Looks up a single number, including one reserved for this account. Telnyx sells only numbers of a recent search, so
 * a rejected search means that it is not for sale.
 */
export async function isOnSale(ask: Ask, e164: string): Promise<boolean> {
  const { country, nationalNumber } = parsePhoneNumberFromString(e164) ?? {};
  if (country === undefined) return false;
  const query = searchOf(country, { starts_with: nationalNumber! });
  const request = { method: "GET", path: "/available_phone_numbers", query } as const;
  try {
    const { data } = await ask({ ...request, answer: AVAILABLE_NUMBERS });
    return data.some(({ phone_number }) => phone_number === e164);
  } catch (error) {
    if (error instanceof CarrierRejection && error.kind === "refused") return false;
    throw error;
  }
}

function searchOf(country: CountryCode, pattern: NumberPattern): Record<string, string> {
  return {
    "filter[country_code]": country,
    ...Object.fromEntries(
      Object.entries(pattern).map(([how, digits]) => [`filter[phone_number][${how}]`, digits]),
    ),
  };
}

/**
 * Telnyx reserves each number separately. If one fails, the others stay reserved for the account until they expire,
 * although the caller gets an error.
 */
async function reserveAll(ask: Ask, { reference, e164s }: WantedReservation): Promise<ReadonlySet<string>> {
  const body = {
    customer_reference: reference,
    phone_numbers: e164s.map((phone_number) => ({ phone_number })),
  };
  try {
    let { data } = await ask({ method: "POST", path: "/number_reservations", body, answer: RESERVATION });
    for (let looks = 0; data.phone_numbers.some(({ status }) => outcomeOf(status) === "pending"); looks++) {
      if (looks === LOOKS)
        throw new CarrierFault("unknown", "Telnyx did not confirm the reservation in time.");
      await sleep(BETWEEN_LOOKS_MS);
      const path = `/number_reservations/${encodeURIComponent(data.id)}`;
      ({ data } = await ask({ method: "GET", path, answer: RESERVATION }));
    }
    const reserved = data.phone_numbers.filter(({ status }) => outcomeOf(status) === "bought");
    return new Set(reserved.map(({ phone_number }) => phone_number));
  } catch (error) {
    if (error instanceof CarrierRejection && error.kind === "refused") return new Set();
    throw error;
  }
}

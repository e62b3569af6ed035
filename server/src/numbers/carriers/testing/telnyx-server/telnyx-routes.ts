import type { IncomingMessage } from "node:http";
import { type CountryCode, getCountryCallingCode } from "libphonenumber-js/max";
import type { Fate, TelnyxAccount, TelnyxStock } from "./telnyx-account.ts";
import {
  availableNumber,
  connection,
  listedOrder,
  numberOrder,
  numberReservation,
  pageOf,
  phoneNumber,
} from "./telnyx-answers.ts";
import { TelnyxError } from "./telnyx-errors.ts";
import {
  ANY,
  BOOLEAN,
  INSTANT,
  PAGES,
  type Parameters,
  readNumberChange,
  readNumbersBody,
  readQuery,
  WHOLE,
} from "./telnyx-request.ts";

export interface TelnyxCall {
  request: IncomingMessage;
  query: URLSearchParams;
  /** The value of {id} in the path. */
  id: string;
  account: TelnyxAccount;
  pendingReads: number;
  reservationReads: number;
  fate: Fate;
}

type Route = (call: TelnyxCall) => unknown;

const TYPES = /^(local|toll_free|mobile|national|shared_cost)$/;
const FEATURES = /^((sms|mms|voice|fax|emergency|hd_voice|international_sms|local_calling)(,|$))+$/;
const SEARCH: Parameters = {
  "filter[phone_number][starts_with]": ANY,
  "filter[phone_number][ends_with]": ANY,
  "filter[phone_number][contains]": ANY,
  "filter[locality]": ANY,
  "filter[administrative_area]": /^[A-Z]{2}$/,
  "filter[country_code]": /^[A-Z]{2}$/,
  "filter[national_destination_code]": /^\d{1,5}$/,
  "filter[rate_center]": ANY,
  "filter[phone_number_type]": TYPES,
  "filter[features]": FEATURES,
  "filter[limit]": WHOLE,
  "filter[best_effort]": BOOLEAN,
  "filter[quickship]": BOOLEAN,
  "filter[reservable]": BOOLEAN,
  "filter[exclude_held_numbers]": BOOLEAN,
};
const CREATED: Parameters = { "filter[created_at][gt]": INSTANT, "filter[created_at][lt]": INSTANT };
const RESERVATIONS: Parameters = {
  ...PAGES,
  ...CREATED,
  "filter[status]": ANY,
  "filter[phone_numbers.phone_number]": ANY,
  "filter[customer_reference]": ANY,
};
const ORDERS: Parameters = {
  ...PAGES,
  ...CREATED,
  "filter[status]": ANY,
  "filter[phone_numbers_count]": WHOLE,
  "filter[customer_reference]": ANY,
  "filter[requirements_met]": BOOLEAN,
};
const NUMBERS: Parameters = {
  ...PAGES,
  "filter[phone_number]": /^.{3,}$/,
  "filter[status]":
    /^(purchase-pending|purchase-failed|port-pending|active|deleted|port-failed|emergency-only|ported-out|port-out-pending)$/,
  "filter[customer_reference]": ANY,
  sort: /^-?(purchased_at|phone_number|connection_name|usage_payment_method)$/,
};
const CONNECTIONS: Parameters = {
  ...PAGES,
  "filter[connection_name][contains]": /^.{3,}$/,
  "filter[outbound_voice_profile_id]": ANY,
  sort: /^(created_at|connection_name|active)$/,
};
const ORDER_BODY = {
  members: ["connection_id", "messaging_profile_id", "billing_group_id"],
  ofNumber: ["bundle_id", "requirement_group_id"],
};

/** Routes by method and path below /v2. None cancels a reservation. */
export const ROUTES: Record<string, Route> = {
  "GET /available_phone_numbers"({ query, account }) {
    const asked = readQuery(query, SEARCH);
    if (!asked.has("filter[country_code]"))
      throw new TelnyxError(422, "10004", "A country is required.", { parameter: "filter[country_code]" });
    const found = account.search(
      (number, isHeld) => isWanted(asked, number, isHeld),
      Number(asked.get("filter[limit]") ?? 100),
    );
    const meta = { total_results: found.length, best_effort_results: 0 };
    return { data: found.map(availableNumber), meta, metadata: meta };
  },

  async "POST /number_reservations"({ request, account, reservationReads }) {
    const { e164s, reference } = await readNumbersBody(request, { members: [], ofNumber: [] });
    return { data: numberReservation(account.reserve(e164s, reference, reservationReads)) };
  },
  "GET /number_reservations"({ query, account }) {
    const asked = readQuery(query, RESERVATIONS);
    const e164 = asked.get("filter[phone_numbers.phone_number]");
    const found = account.reservations.filter(
      (one) =>
        isOfTime(asked, one.at) &&
        isAs(asked, "filter[customer_reference]", one.reference) &&
        isAs(asked, "filter[status]", numberReservation(one).status) &&
        (e164 === undefined || one.numbers.some((number) => number.e164 === e164)),
    );
    return pageOf(found.toReversed().map(numberReservation), asked);
  },
  "GET /number_reservations/{id}"({ account, id }) {
    const reservation = found(account.reservations, id);
    const data = numberReservation(reservation);
    if (reservation.pendingReads > 0) reservation.pendingReads--;
    return { data };
  },
  "POST /number_reservations/{id}/actions/extend"({ account, id }) {
    const reservation = found(account.reservations, id);
    account.extend(reservation);
    return { data: numberReservation(reservation) };
  },

  async "POST /number_orders"({ request, account, pendingReads, fate }) {
    const { e164s, reference } = await readNumbersBody(request, ORDER_BODY);
    return { data: numberOrder(account.order(e164s, reference, pendingReads, fate)) };
  },
  "GET /number_orders"({ query, account }) {
    const asked = readQuery(query, ORDERS);
    const matching = account.orders.filter(
      (one) =>
        isOfTime(asked, one.at) &&
        isAs(asked, "filter[customer_reference]", one.reference) &&
        isAs(asked, "filter[status]", listedOrder(one).status) &&
        isAs(asked, "filter[requirements_met]", "true") &&
        isAs(asked, "filter[phone_numbers_count]", String(one.numbers.length)),
    );
    return pageOf(matching.toReversed().map(listedOrder), asked);
  },
  "GET /number_orders/{id}": ({ account, id }) => ({
    data: numberOrder(account.readOrder(found(account.orders, id))),
  }),

  "GET /phone_numbers"({ query, account }) {
    const asked = readQuery(query, NUMBERS);
    const digits = asked.get("filter[phone_number]");
    const matching = account.owned.filter(
      (one) =>
        // "Non-numerical characters will result in no values being returned."
        (digits === undefined || (/^\d+$/.test(digits) && one.e164.includes(digits))) &&
        isAs(asked, "filter[status]", one.status) &&
        isAs(asked, "filter[customer_reference]", one.reference),
    );
    const sorted =
      asked.get("sort") === "phone_number"
        ? matching.toSorted((one, other) => (one.e164 < other.e164 ? -1 : 1))
        : matching.toReversed();
    return pageOf(sorted.map(phoneNumber), asked);
  },
  "GET /phone_numbers/{id}": ({ account, id }) => ({ data: phoneNumber(found(account.owned, id)) }),
  async "PATCH /phone_numbers/{id}"({ request, account, id }) {
    const owned = found(
      account.owned.filter(({ status }) => status !== "deleted"),
      id,
    );
    const { connectionId } = await readNumberChange(request);
    if (connectionId !== undefined) account.connect(owned, connectionId);
    return { data: phoneNumber(owned) };
  },
  "GET /connections"({ query, account }) {
    const asked = readQuery(query, CONNECTIONS);
    const name = asked.get("filter[connection_name][contains]")?.toLowerCase() ?? "";
    const matching = account.connections.filter((one) => one.name.toLowerCase().includes(name));
    const sorted = asked.has("sort")
      ? matching.toSorted((one, other) => (one.name < other.name ? -1 : 1))
      : matching.toReversed();
    return pageOf(sorted.map(connection), asked);
  },
  "DELETE /phone_numbers/{id}"({ account, id }) {
    const owned = found(
      account.owned.filter(({ status }) => status !== "deleted"),
      id,
    );
    account.delete(owned);
    return { data: phoneNumber(owned) };
  },
};

/** Patterns are compared with the national number; wildcards are not known and find nothing. */
function isWanted(asked: ReadonlyMap<string, string>, number: TelnyxStock, isHeld: boolean): boolean {
  const { e164, country, type, reservable } = number;
  const national = e164.slice(1 + getCountryCallingCode(country as CountryCode).length);
  const area = asked.get("filter[national_destination_code]") ?? "";
  const rest = national.startsWith(area) ? national.slice(area.length) : undefined;
  const features = asked.get("filter[features]")?.split(",") ?? [];
  return (
    rest !== undefined &&
    rest.startsWith(asked.get("filter[phone_number][starts_with]") ?? "") &&
    rest.endsWith(asked.get("filter[phone_number][ends_with]") ?? "") &&
    rest.includes(asked.get("filter[phone_number][contains]") ?? "") &&
    isAs(asked, "filter[country_code]", country) &&
    isAs(asked, "filter[phone_number_type]", type) &&
    features.every((name) => ["voice", "sms", "emergency"].includes(name)) &&
    (asked.get("filter[reservable]") !== "true" || reservable) &&
    (asked.get("filter[exclude_held_numbers]") !== "true" || !isHeld)
  );
}

function isAs(asked: ReadonlyMap<string, string>, name: string, value: string | undefined): boolean {
  return !asked.has(name) || asked.get(name) === value;
}

function isOfTime(asked: ReadonlyMap<string, string>, at: Date): boolean {
  const after = asked.get("filter[created_at][gt]");
  const before = asked.get("filter[created_at][lt]");
  return (after === undefined || at > new Date(after)) && (before === undefined || at < new Date(before));
}

function found<Item extends { id: string }>(items: readonly Item[], id: string): Item {
  const item = items.find((one) => one.id === id);
  if (!item) throw new TelnyxError(404, "10005", "The requested resource or URL could not be found.");
  return item;
}

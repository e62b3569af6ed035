/** "Toll-free" is `toll_free`, as our types are written. */
export function typeOf(name: string): string {
  const type = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
  return /^[a-z][a-z0-9_]{0,39}$/.test(type) ? type : "other";
}

/** Features of numbers that callers know by another name. The others are of the account, not of the number. */
const CAPABILITIES: Record<string, string> = {
  voice_in: "voice",
  sms_in: "sms",
  t38: "fax",
  emergency: "emergency",
};

export function capabilitiesOf(features: readonly string[]): string[] {
  return features.flatMap((feature) => CAPABILITIES[feature] ?? []);
}

export interface StockKeepingUnit {
  id: string;
  attributes: { monthly_price: string; setup_price: string; channels_included_count: number };
}

/**
 * The offer to buy: the cheapest one per month that can take a call. A number without channels takes none until the
 * account assigns some, unless its calls are billed by the minute.
 */
export function offerOf(
  units: readonly StockKeepingUnit[],
  isMetered: boolean,
): StockKeepingUnit | undefined {
  const withChannels = units.filter(({ attributes }) => attributes.channels_included_count > 0);
  const offers = isMetered || withChannels.length === 0 ? units : withChannels;
  return offers.toSorted((one, other) => priceOf(one) - priceOf(other) || (one.id < other.id ? -1 : 1))[0];
}

function priceOf({ attributes }: StockKeepingUnit): number {
  return Number(attributes.monthly_price);
}

/** An order of an unknown status is still open. */
export function isOpen(status: string): boolean {
  return status !== "completed" && status !== "canceled";
}

export function pagesOf(records: number, pageSize: number): number {
  return Math.ceil(records / pageSize);
}

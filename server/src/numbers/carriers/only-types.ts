import type { Inventory, OfferedNumber, OrderingCarrier } from "./carrier.ts";

/** Limits searches to the types that the operator uses the carrier for. */
export function onlyTypes(carrier: OrderingCarrier, types: readonly string[]): OrderingCarrier {
  const { inventory } = carrier;
  return inventory && types.length > 0 ? { ...carrier, inventory: limited(inventory, types) } : carrier;
}

/** A search without a type becomes one search for each: a page filtered afterwards would end too early. */
function limited(inventory: Inventory, types: readonly string[]): Inventory {
  return {
    ...inventory,
    async search(of, query) {
      if (query.type !== undefined) return types.includes(query.type) ? inventory.search(of, query) : [];
      const pages = await Promise.all(types.map((type) => inventory.search(of, { ...query, type })));
      const found = new Map<string, OfferedNumber>(pages.flat().map((one) => [one.e164, one]));
      return [...found.values()]
        .toSorted((one, other) => (one.e164 < other.e164 ? -1 : 1))
        .slice(0, query.limit + 1);
    },
  };
}

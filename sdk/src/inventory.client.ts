import type { CallOptions } from "./transport.ts";
import type { Query, WireApi } from "./wire-api.ts";

/** Numbers that the carrier sells. Empty if no carrier inventory is connected. */
export function inventoryClient(api: WireApi) {
  return {
    search: (query?: Query<"searchInventory">, options?: CallOptions) =>
      api.list("searchInventory", { query }, options),
  };
}

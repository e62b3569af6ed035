import type { CallOptions } from "./transport.ts";
import type { Query, WireApi } from "./wire-api.ts";

/** How much a number, or all of them together, was called. */
export function usageClient(api: WireApi) {
  return {
    ofNumber: (numberId: string, query: Query<"getNumberUsage">, options?: CallOptions) =>
      api.call("getNumberUsage", { path: { id: numberId }, query }, options),
    ofOrganisation: (query: Query<"getOrganisationUsage">, options?: CallOptions) =>
      api.call("getOrganisationUsage", { query }, options),
    topNumbers: (query: Query<"getTopNumbers">, options?: CallOptions) =>
      api.call("getTopNumbers", { query }, options),
  };
}

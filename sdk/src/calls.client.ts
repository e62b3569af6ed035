import type { CallOptions } from "./transport.ts";
import type { Query, WireApi } from "./wire-api.ts";

/** Single calls, of one number or of all. */
export function callsClient(api: WireApi) {
  return {
    list: (numberId: string, query?: Query<"listCalls">, options?: CallOptions) =>
      api.list("listCalls", { path: { id: numberId }, query }, options),
    /** CSV as it comes, like that of `numbers.export()`. */
    export: (numberId: string, query: Query<"exportCalls">, options?: CallOptions) =>
      api.call("exportCalls", { path: { id: numberId }, query }, options),
    /** Calls of all numbers, newest first. */
    search: (query?: Query<"searchCalls">, options?: CallOptions) =>
      api.list("searchCalls", { query }, options),
    /** One call, with the desired routing of its generation. */
    get: (id: string, options?: CallOptions) => api.call("getCall", { path: { id } }, options),
    exportFound: (query: Query<"exportFoundCalls">, options?: CallOptions) =>
      api.call("exportFoundCalls", { query }, options),
  };
}

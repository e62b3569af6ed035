import type { CallOptions } from "./transport.ts";
import type { Query, WireApi } from "./wire-api.ts";

/** Single calls of a number. */
export function callsClient(api: WireApi) {
  return {
    list: (numberId: string, query?: Query<"listCalls">, options?: CallOptions) =>
      api.list("listCalls", { path: { id: numberId }, query }, options),
    /** CSV as it comes, like that of `numbers.export()`. */
    export: (numberId: string, query: Query<"exportCalls">, options?: CallOptions) =>
      api.call("exportCalls", { path: { id: numberId }, query }, options),
  };
}

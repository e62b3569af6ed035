import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi, WriteOptions } from "./wire-api.ts";

/** Saved filters of the dashboard's pages. For users, not for API keys. */
export function viewsClient(api: WireApi) {
  return {
    list: (query?: Query<"listViews">, options?: CallOptions) => api.list("listViews", { query }, options),
    create: (body: Body<"createView">, options?: WriteOptions) => api.call("createView", { body }, options),
    change: (id: string, body: Body<"changeView">, options?: CallOptions) =>
      api.call("changeView", { path: { id }, body }, options),
    delete: (id: string, options?: CallOptions) => api.call("deleteView", { path: { id } }, options),
  };
}

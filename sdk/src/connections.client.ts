import type { CallOptions } from "./transport.ts";
import type { Body, Conditional, Query, WireApi, WriteOptions } from "./wire-api.ts";

/** Named trunks that numbers point at. */
export function connectionsClient(api: WireApi) {
  return {
    list: (query?: Query<"listConnections">, options?: CallOptions) =>
      api.list("listConnections", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getConnection", { path: { id } }, options),
    create: (body: Body<"createConnection">, options?: WriteOptions) =>
      api.call("createConnection", { body }, options),
    change: (id: string, body: Body<"changeConnection">, options?: CallOptions & Conditional) =>
      api.call("changeConnection", { path: { id }, body }, options),
    delete: (id: string, options?: CallOptions) => api.call("deleteConnection", { path: { id } }, options),
  };
}

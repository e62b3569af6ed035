import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi } from "./wire-api.ts";

/** Numbers held back for half an hour; a NotConnectedError while no carrier inventory is connected. */
export function reservationsClient(api: WireApi) {
  return {
    /** Takes no key: tried again only where it cannot have been done. */
    create: (body: Body<"createReservation">, options?: CallOptions) =>
      api.call("createReservation", { body }, options),
    list: (query?: Query<"listReservations">, options?: CallOptions) =>
      api.list("listReservations", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getReservation", { path: { id } }, options),
    cancel: (id: string, options?: CallOptions) => api.call("cancelReservation", { path: { id } }, options),
  };
}

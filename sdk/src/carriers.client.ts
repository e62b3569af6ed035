import type { Operations } from "./generated/operator-wire.ts";
import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi } from "./wire-api.ts";

/** Sources of ordered numbers. */
export function carriersClient(api: WireApi<Operations>) {
  return {
    list: (query?: Query<"listCarriers", Operations>, options?: CallOptions) =>
      api.list("listCarriers", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getCarrier", { path: { id } }, options),
    /** Trunks of the account, as the carrier lists them now. */
    trunks: (id: string, options?: CallOptions) => api.call("listCarrierTrunks", { path: { id } }, options),
    create: (body: Body<"createCarrier", Operations>, options?: CallOptions) =>
      api.call("createCarrier", { body }, options),
    /** Its credentials are replaced as a whole. */
    change: (id: string, body: Body<"changeCarrier", Operations>, options?: CallOptions) =>
      api.call("changeCarrier", { path: { id }, body }, options),
  };
}

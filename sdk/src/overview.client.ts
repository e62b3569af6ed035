import type { CallOptions } from "./transport.ts";
import type { WireApi } from "./wire-api.ts";

/** State of the organisation at a glance. */
export function overviewClient(api: WireApi) {
  return {
    get: (options?: CallOptions) => api.call("getOverview", {}, options),
  };
}

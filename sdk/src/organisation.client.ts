import type { CallOptions } from "./transport.ts";
import type { Body, WireApi } from "./wire-api.ts";

/** The organisation of the request, and its settings. */
export function organisationClient(api: WireApi) {
  return {
    get: (options?: CallOptions) => api.call("getOwnOrganisation", {}, options),
    /** For owners and admins. */
    change: (body: Body<"changeOwnOrganisation">, options?: CallOptions) =>
      api.call("changeOwnOrganisation", { body }, options),
  };
}

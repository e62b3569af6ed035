import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi } from "./wire-api.ts";

/** Identity providers of an organisation. Changes work in the dashboard only, for owners. */
export function identityProvidersClient(api: WireApi) {
  return {
    list: (query?: Query<"listIdentityProviders">, options?: CallOptions) =>
      api.list("listIdentityProviders", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getIdentityProvider", { path: { id } }, options),
    create: (body: Body<"createIdentityProvider">, options?: CallOptions) =>
      api.call("createIdentityProvider", { body }, options),
    change: (id: string, body: Body<"changeIdentityProvider">, options?: CallOptions) =>
      api.call("changeIdentityProvider", { path: { id }, body }, options),
    delete: (id: string, options?: CallOptions) =>
      api.call("deleteIdentityProvider", { path: { id } }, options),
    /** Once the domain's TXT record says what it should. */
    proveDomain: (id: string, body: Body<"proveDomain">, options?: CallOptions) =>
      api.call("proveDomain", { path: { id }, body }, options),
  };
}

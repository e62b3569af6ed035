import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi, WriteOptions } from "./wire-api.ts";

/** Making and rotating takes a browser's session; listing and revoking any. */
export function apiKeysClient(api: WireApi) {
  return {
    list: (query?: Query<"listApiKeys">, options?: CallOptions) =>
      api.list("listApiKeys", { query }, options),
    /** The answer has the secret, which is never shown again. */
    create: (body: Body<"createApiKey">, options?: CallOptions) =>
      api.call("createApiKey", { body }, options),
    rotate: (id: string, body: Body<"rotateApiKey">, options?: CallOptions) =>
      api.call("rotateApiKey", { path: { id }, body }, options),
    revoke: (id: string, options?: CallOptions) => api.call("revokeApiKey", { path: { id } }, options),
    /** A key that was suspended after a restore of the database works again. */
    confirm: (id: string, options?: WriteOptions) => api.call("confirmApiKey", { path: { id } }, options),
    detach: (id: string, options?: WriteOptions) => api.call("detachApiKey", { path: { id } }, options),
  };
}

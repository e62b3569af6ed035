import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi, WriteOptions } from "./wire-api.ts";

/** Addresses for carriers that require one. */
export function addressesClient(api: WireApi) {
  return {
    list: (query?: Query<"listAddresses">, options?: CallOptions) =>
      api.list("listAddresses", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getAddress", { path: { id } }, options),
    create: (body: Body<"createAddress">, options?: WriteOptions) =>
      api.call("createAddress", { body }, options),
    delete: (id: string, options?: CallOptions) => api.call("deleteAddress", { path: { id } }, options),
  };
}

/** Files for carriers that require one. */
export function documentsClient(api: WireApi) {
  return {
    list: (query?: Query<"listDocuments">, options?: CallOptions) =>
      api.list("listDocuments", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getDocument", { path: { id } }, options),
    /** `content` is the file in Base64. */
    create: (body: Body<"createDocument">, options?: WriteOptions) =>
      api.call("createDocument", { body }, options),
    /** With the file in Base64. */
    download: (id: string, options?: CallOptions) => api.call("downloadDocument", { path: { id } }, options),
    delete: (id: string, options?: CallOptions) => api.call("deleteDocument", { path: { id } }, options),
  };
}

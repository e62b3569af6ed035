import type { CallOptions } from "./transport.ts";
import type { Body, WireApi } from "./wire-api.ts";

/** One's own app of six digits, and the codes for the day it is lost. For the dashboard. */
export function authenticatorClient(api: WireApi) {
  return {
    get: (options?: CallOptions) => api.call("getAuthenticator", {}, options),
    enrol: (options?: CallOptions) => api.call("enrolAuthenticator", {}, options),
    confirm: (body: Body<"confirmAuthenticator">, options?: CallOptions) =>
      api.call("confirmAuthenticator", { body }, options),
    remove: (options?: CallOptions) => api.call("removeAuthenticator", {}, options),
    renewRecoveryCodes: (options?: CallOptions) => api.call("renewRecoveryCodes", {}, options),
  };
}

/** One's own passkeys. For the dashboard. */
export function passkeysClient(api: WireApi) {
  return {
    list: (options?: CallOptions) => api.list("listPasskeys", {}, options),
    /** Gives what `navigator.credentials.create` needs. */
    begin: (options?: CallOptions) => api.call("beginPasskey", {}, options),
    add: (body: Body<"addPasskey">, options?: CallOptions) => api.call("addPasskey", { body }, options),
    rename: (id: string, body: Body<"renamePasskey">, options?: CallOptions) =>
      api.call("renamePasskey", { path: { id }, body }, options),
    remove: (id: string, options?: CallOptions) => api.call("removePasskey", { path: { id } }, options),
  };
}

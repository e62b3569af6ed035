import type { CallOptions } from "./transport.ts";
import type { Body, WireApi } from "./wire-api.ts";

/** The caller. */
export function meClient(api: WireApi) {
  return {
    get: (options?: CallOptions) => api.call("getMe", {}, options),
    changePassword: (body: Body<"changePassword">, options?: CallOptions) =>
      api.call("changePassword", { body }, options),
    changeEmail: (body: Body<"changeEmail">, options?: CallOptions) =>
      api.call("changeEmail", { body }, options),
    completeEmailChange: (body: Body<"completeEmailChange">, options?: CallOptions) =>
      api.call("completeEmailChange", { body }, options),
    requestPasswordReset: (body: Body<"requestPasswordReset">, options?: CallOptions) =>
      api.call("requestPasswordReset", { body }, options),
    completePasswordReset: (body: Body<"completePasswordReset">, options?: CallOptions) =>
      api.call("completePasswordReset", { body }, options),
  };
}

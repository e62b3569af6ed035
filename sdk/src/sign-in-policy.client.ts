import type { CallOptions } from "./transport.ts";
import type { Body, WireApi } from "./wire-api.ts";

/** How members have to sign in to use the organisation. */
export function signInPolicyClient(api: WireApi) {
  return {
    get: (options?: CallOptions) => api.call("getSignInPolicy", {}, options),
    /** For owners who signed in, or confirmed who they are, within the last ten minutes. */
    change: (body: Body<"changeSignInPolicy">, options?: CallOptions) =>
      api.call("changeSignInPolicy", { body }, options),
  };
}

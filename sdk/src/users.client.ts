import type { Operations } from "./generated/operator-wire.ts";
import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi } from "./wire-api.ts";

/** People with an account, and how to contain a compromised one. */
export function usersClient(api: WireApi<Operations>) {
  return {
    list: (query?: Query<"listUsers", Operations>, options?: CallOptions) =>
      api.list("listUsers", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getUser", { path: { id } }, options),
    /** Ends all sessions and prevents new ones. */
    disable: (id: string, body: Body<"disableUser", Operations> = {}, options?: CallOptions) =>
      api.call("disableUser", { path: { id }, body }, options),
    enable: (id: string, options?: CallOptions) => api.call("enableUser", { path: { id } }, options),
    endSessions: (id: string, options?: CallOptions) =>
      api.call("endUserSessions", { path: { id } }, options),
    removeAuthenticator: (id: string, options?: CallOptions) =>
      api.call("removeUserAuthenticator", { path: { id } }, options),
  };
}

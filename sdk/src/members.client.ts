import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi, WriteOptions } from "./wire-api.ts";

/** People of the organisation. */
export function membersClient(api: WireApi) {
  return {
    list: (query?: Query<"listMembers">, options?: CallOptions) =>
      api.list("listMembers", { query }, options),
    changeRole: (id: string, body: Body<"changeRole">, options?: CallOptions) =>
      api.call("changeRole", { path: { id }, body }, options),
    /** The answer names the keys they made. */
    remove: (id: string, query?: Query<"removeMember">, options?: CallOptions) =>
      api.call("removeMember", { path: { id }, query }, options),
    leave: (options?: CallOptions) => api.call("leaveOrganisation", {}, options),
  };
}

export function invitationsClient(api: WireApi) {
  return {
    list: (query?: Query<"listInvitations">, options?: CallOptions) =>
      api.list("listInvitations", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getInvitation", { path: { id } }, options),
    invite: (body: Body<"inviteMember">, options?: WriteOptions) =>
      api.call("inviteMember", { body }, options),
    accept: (body: Body<"acceptInvitation">, options?: CallOptions) =>
      api.call("acceptInvitation", { body }, options),
    withdraw: (id: string, options?: CallOptions) =>
      api.call("withdrawInvitation", { path: { id } }, options),
  };
}

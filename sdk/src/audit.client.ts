import type { CallOptions } from "./transport.ts";
import type { Query, WireApi } from "./wire-api.ts";

/** Audit log, for owners and admins. */
export function auditClient(api: WireApi) {
  return {
    /** All entries in commit order, after the one with the ID `after`. */
    committed: (query?: Query<"listCommittedAudit">, options?: CallOptions) =>
      api.list("listCommittedAudit", { query }, options, "after"),
    list: (query?: Query<"listAudit">, options?: CallOptions) => api.list("listAudit", { query }, options),
  };
}

import type { CallOptions } from "./transport.ts";
import type { Query, WireApi } from "./wire-api.ts";

/** Audit log, for owners and admins. */
export function auditClient(api: WireApi) {
  return {
    list: (query?: Query<"listAudit">, options?: CallOptions) => api.list("listAudit", { query }, options),
  };
}

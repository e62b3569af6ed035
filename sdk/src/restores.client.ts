import type { Operations } from "./generated/operator-wire.ts";
import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi } from "./wire-api.ts";

/** Restores of the database. They begin with `dialplane-server restore begin`. */
export function restoresClient(api: WireApi<Operations>) {
  return {
    list: (query?: Query<"listRestores", Operations>, options?: CallOptions) =>
      api.list("listRestores", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getRestore", { path: { id } }, options),
    compare: (id: string, options?: CallOptions) => api.call("compareRestore", { path: { id } }, options),
    findings: (id: string, query?: Query<"listRestoreFindings", Operations>, options?: CallOptions) =>
      api.list("listRestoreFindings", { path: { id }, query }, options),
    adopt: (finding: string, body: Body<"adoptRestoreFinding", Operations> = {}, options?: CallOptions) =>
      api.call("adoptRestoreFinding", { path: { id: finding }, body }, options),
    drop: (finding: string, options?: CallOptions) =>
      api.call("dropRestoreFinding", { path: { id: finding } }, options),
    replayRevocations: (id: string, body: Body<"replayRevocations", Operations>, options?: CallOptions) =>
      api.call("replayRevocations", { path: { id }, body }, options),
    /** Every API key waits until an owner confirms it. */
    suspendKeys: (id: string, options?: CallOptions) => api.call("suspendApiKeys", { path: { id } }, options),
    finish: (id: string, body: Body<"finishRestore", Operations> = {}, options?: CallOptions) =>
      api.call("finishRestore", { path: { id }, body }, options),
  };
}

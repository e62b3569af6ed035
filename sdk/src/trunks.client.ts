import type { Operations } from "./generated/operator-wire.ts";
import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi } from "./wire-api.ts";

/** Trunks of a switch group. */
export function trunksClient(api: WireApi<Operations>) {
  return {
    /** The desired list, and the part of it that each switch has read back. */
    get: (group: string, options?: CallOptions) => api.call("getTrunks", { path: { id: group } }, options),
    /** Replaces the whole list. */
    replace: (group: string, body: Body<"replaceTrunks", Operations>, options?: CallOptions) =>
      api.call("replaceTrunks", { path: { id: group }, body }, options),
    /** Adds the trunk, or replaces all its settings. */
    set: (group: string, name: string, body: Body<"setTrunk", Operations>, options?: CallOptions) =>
      api.call("setTrunk", { path: { id: group, name }, body }, options),
    delete: (group: string, name: string, query?: Query<"deleteTrunk", Operations>, options?: CallOptions) =>
      api.call("deleteTrunk", { path: { id: group, name }, query }, options),
    revisions: (group: string, query?: Query<"listTrunkRevisions", Operations>, options?: CallOptions) =>
      api.list("listTrunkRevisions", { path: { id: group }, query }, options),
    /** Sets the list of an earlier revision again, with its passwords. */
    restore: (group: string, body: Body<"restoreTrunks", Operations>, options?: CallOptions) =>
      api.call("restoreTrunks", { path: { id: group }, body }, options),
    probeCaller: (group: string, options?: CallOptions) =>
      api.call("getProbeCaller", { path: { id: group } }, options),
    /** Trunk and caller of probes through a carrier. */
    setProbeCaller: (group: string, body: Body<"setProbeCaller", Operations>, options?: CallOptions) =>
      api.call("setProbeCaller", { path: { id: group }, body }, options),
  };
}

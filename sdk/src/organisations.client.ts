import type { Operations } from "./generated/operator-wire.ts";
import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi } from "./wire-api.ts";

/** All organisations of the installation. */
export function organisationsClient(api: WireApi<Operations>) {
  return {
    list: (query?: Query<"listOrganisations", Operations>, options?: CallOptions) =>
      api.list("listOrganisations", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getOrganisation", { path: { id } }, options),
    create: (body: Body<"createOrganisation", Operations>, options?: CallOptions) =>
      api.call("createOrganisation", { body }, options),
    /** Rejects every request in it. Its calls continue, unless you suspend its numbers too. */
    suspend: (id: string, body: Body<"suspendOrganisation", Operations> = {}, options?: CallOptions) =>
      api.call("suspendOrganisation", { path: { id }, body }, options),
    forwarding: (id: string, options?: CallOptions) => api.call("getForwarding", { path: { id } }, options),
    /** Replaces all limits. Omitted fields get their defaults. */
    setForwarding: (id: string, body: Body<"setForwarding", Operations>, options?: CallOptions) =>
      api.call("setForwarding", { path: { id }, body }, options),
    probes: (id: string, options?: CallOptions) => api.call("getProbePolicy", { path: { id } }, options),
    /** How many probes it may place per day. */
    setProbes: (id: string, body: Body<"setProbePolicy", Operations>, options?: CallOptions) =>
      api.call("setProbePolicy", { path: { id }, body }, options),
    resume: (id: string, options?: CallOptions) => api.call("resumeOrganisation", { path: { id } }, options),
  };
}

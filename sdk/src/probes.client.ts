import { WaitTimeoutError } from "./dialplane-errors.ts";
import type { Probe } from "./generated/wire.ts";
import type { CallOptions } from "./transport.ts";
import { type WaitOptions, waitFor } from "./waiting.ts";
import type { Body, Query, WireApi, WriteOptions } from "./wire-api.ts";

export type ProbeWait = WaitOptions<Probe>;

/** Calls that prove where a number leads. For users, not for API keys. */
export function probesClient(api: WireApi) {
  const get = (id: string, options?: CallOptions) => api.call("getProbe", { path: { id } }, options);
  return {
    place: (numberId: string, body: Body<"createProbe"> = {}, options?: WriteOptions) =>
      api.call("createProbe", { path: { id: numberId }, body }, options),
    /** Newest first. */
    list: (numberId: string, query?: Query<"listProbes">, options?: CallOptions) =>
      api.list("listProbes", { path: { id: numberId }, query }, options),
    get,
    /** The probe when it has ended, whatever its result. Throws if it takes longer than the given time. */
    async wait(id: string, options: ProbeWait = {}): Promise<Probe> {
      const { signal } = options;
      const ask = (_waitSeconds: number, timeoutMs: number) => get(id, { timeoutMs, signal });
      const { hasEnded, last } = await waitFor(ask, ({ status }) => status !== "running", options);
      if (!hasEnded) throw new WaitTimeoutError(`Probe ${id}`, last);
      return last;
    },
    schedules: (options?: CallOptions) => api.call("listProbeSchedules", {}, options),
    /** Probes the numbers with a tag in rounds. */
    createSchedule: (body: Body<"createProbeSchedule">, options?: WriteOptions) =>
      api.call("createProbeSchedule", { body }, options),
    deleteSchedule: (id: string, options?: CallOptions) =>
      api.call("deleteProbeSchedule", { path: { id } }, options),
  };
}

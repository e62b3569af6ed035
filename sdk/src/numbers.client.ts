import type { Job } from "./generated/wire.ts";
import { type JobWait, jobsClient } from "./jobs.client.ts";
import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi, WriteOptions } from "./wire-api.ts";

/** Numbers an organisation holds. */
export function numbersClient(api: WireApi) {
  const jobs = jobsClient(api);
  const release = (id: string, options?: WriteOptions) =>
    api.call("releaseNumber", { path: { id } }, options);
  const restore = (id: string, options?: WriteOptions) =>
    api.call("restoreNumber", { path: { id } }, options);
  return {
    list: (query?: Query<"listNumbers">, options?: CallOptions) =>
      api.list("listNumbers", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getNumber", { path: { id } }, options),
    /** Label, tags, release lock. */
    change: (id: string, body: Body<"changeNumber">, options?: WriteOptions) =>
      api.call("changeNumber", { path: { id }, body }, options),
    /** CSV as it comes: `new Response(await numbers.export()).text()` has all of it. */
    export: (query?: Query<"exportNumbers">, options?: CallOptions) =>
      api.call("exportNumbers", { query }, options),

    /** Changes, confirmations, failures, drift and states, newest first. */
    timeline: (id: string, query?: Query<"listTimeline">, options?: CallOptions) =>
      api.list("listTimeline", { path: { id }, query }, options),

    release,
    /** Until it is returned to the carrier and rests. */
    async releaseAndWait(id: string, options: JobWait & WriteOptions = {}): Promise<Job> {
      return jobs.wait((await release(id, startOf(options))).job_id, options);
    },
    restore,
    async restoreAndWait(id: string, options: JobWait & WriteOptions = {}): Promise<Job> {
      return jobs.wait((await restore(id, startOf(options))).job_id, options);
    },
  };
}

/** Of options for doing and waiting, those for doing. */
export function startOf({ idempotencyKey, signal, maxRetries }: WriteOptions): WriteOptions {
  return { idempotencyKey, signal, maxRetries };
}

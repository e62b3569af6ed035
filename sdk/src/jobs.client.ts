import { JobFailedError, WaitTimeoutError } from "./dialplane-errors.ts";
import type { Job } from "./generated/wire.ts";
import type { CallOptions } from "./transport.ts";
import { type WaitOptions, waitFor } from "./waiting.ts";
import type { Query, WireApi } from "./wire-api.ts";

export type JobWait = WaitOptions<Job>;

/** Background jobs: orders, releases, restores. */
export function jobsClient(api: WireApi) {
  const get = (id: string, options?: CallOptions) => api.call("getJob", { path: { job_id: id } }, options);
  return {
    list: (query?: Query<"listJobs">, options?: CallOptions) => api.list("listJobs", { query }, options),
    get,
    /** The job when it has ended; throws where it failed, and where it takes longer than the time given. */
    async wait(id: string, options: JobWait = {}): Promise<Job> {
      const { signal } = options;
      const ask = (waitSeconds: number, timeoutMs: number) =>
        api.call("getJob", { path: { job_id: id } }, { waitSeconds, timeoutMs, signal });
      const { hasEnded, last: job } = await waitFor(ask, ({ finished_at }) => finished_at !== null, options);
      if (!hasEnded) throw new WaitTimeoutError(`Job ${id}`, job);
      if (job.status === "failed") throw new JobFailedError(job);
      return job;
    },
  };
}

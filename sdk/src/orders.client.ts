import { JobFailedError } from "./dialplane-errors.ts";
import type { Order } from "./generated/wire.ts";
import { type JobWait, jobsClient } from "./jobs.client.ts";
import { startOf } from "./numbers.client.ts";
import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi, WriteOptions } from "./wire-api.ts";

export function ordersClient(api: WireApi) {
  const jobs = jobsClient(api);
  const place = (body: Body<"placeOrder">, options?: WriteOptions) =>
    api.call("placeOrder", { body }, options);
  const get = (id: string, options?: CallOptions) => api.call("getOrder", { path: { id } }, options);
  return {
    /** Returns at once, with a job that orders the numbers. */
    place,
    /**
     * Returns the order once each number is delivered or rejected. If some are rejected, its status is
     * `partially_completed` and its items name them. If all are, this throws with the order.
     */
    async placeAndWait(body: Body<"placeOrder">, options: JobWait & WriteOptions = {}): Promise<Order> {
      const start = startOf(options);
      const { id, job_id } = await place(body, start);
      const failure = await jobs.wait(job_id, options).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof JobFailedError) return error;
          throw error;
        },
      );
      const order = await get(id, { signal: options.signal });
      if (failure) throw new JobFailedError(failure.job, order);
      return order;
    },
    get,
    /** Submits evidence that the carrier requires. The order continues when the carrier has accepted it. */
    submitRequirements: (id: string, body: Body<"submitRequirements">, options?: WriteOptions) =>
      api.call("submitRequirements", { path: { id }, body }, options),
    list: (query?: Query<"listOrders">, options?: CallOptions) => api.list("listOrders", { query }, options),
  };
}

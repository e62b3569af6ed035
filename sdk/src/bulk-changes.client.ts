import { WaitTimeoutError } from "./dialplane-errors.ts";
import type { BulkChange } from "./generated/wire.ts";
import type { CallOptions } from "./transport.ts";
import { type WaitOptions, waitFor } from "./waiting.ts";
import type { Body, Query, WireApi, WriteOptions } from "./wire-api.ts";

/** Many numbers at once: planned, looked at, applied. */
export function bulkChangesClient(api: WireApi) {
  const get = (id: string, options?: CallOptions) => api.call("getBulkChange", { path: { id } }, options);
  const apply = (id: string, options?: WriteOptions) =>
    api.call("applyBulkChange", { path: { id } }, options);
  const wait = async (id: string, options: WaitOptions<BulkChange> = {}): Promise<BulkChange> => {
    const ask = (_: number, timeoutMs: number) => get(id, { timeoutMs, signal: options.signal });
    const { hasEnded, last } = await waitFor(ask, ({ finished_at }) => finished_at !== null, options);
    if (!hasEnded) throw new WaitTimeoutError(`Bulk change ${id}`, last);
    return last;
  };
  return {
    /** Changes nothing: shows the planned result for each number. */
    plan: (body: Body<"planBulkChange">, options?: WriteOptions) =>
      api.call("planBulkChange", { body }, options),
    /** Numbers that were changed since the plan was created are left alone. */
    apply,
    wait,
    async applyAndWait(id: string, options: WaitOptions<BulkChange> = {}): Promise<BulkChange> {
      await apply(id, { signal: options.signal });
      return wait(id, options);
    },
    get,
    list: (query?: Query<"listBulkChanges">, options?: CallOptions) =>
      api.list("listBulkChanges", { query }, options),
    /** Planned or actual result of each number. */
    listItems: (id: string, query?: Query<"listBulkChangeItems">, options?: CallOptions) =>
      api.list("listBulkChangeItems", { path: { id }, query }, options),
  };
}

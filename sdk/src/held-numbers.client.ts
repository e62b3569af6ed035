import type { HeldNumber, Operations } from "./generated/operator-wire.ts";
import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi } from "./wire-api.ts";

/** Live numbers that organisations hold. */
export function heldNumbersClient(api: WireApi<Operations>) {
  return {
    list: (query?: Query<"listHeldNumbers", Operations>, options?: CallOptions) =>
      api.list("listHeldNumbers", { query }, options),
    /** Undefined if no organisation holds the number. */
    async find(e164: string, options?: CallOptions): Promise<HeldNumber | undefined> {
      for await (const number of api.list("listHeldNumbers", { query: { e164 } }, options)) return number;
      return undefined;
    },
    get: (id: string, options?: CallOptions) => api.call("getHeldNumber", { path: { id } }, options),
    /** Its calls are rejected until you resume it. */
    suspend: (id: string, body: Body<"suspendNumber", Operations> = {}, options?: CallOptions) =>
      api.call("suspendNumber", { path: { id }, body }, options),
    resume: (id: string, options?: CallOptions) => api.call("resumeNumber", { path: { id } }, options),
  };
}

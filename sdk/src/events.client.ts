import type { Listing } from "./call.ts";
import type { TypedEvent } from "./event-types.ts";
import type { CallOptions } from "./transport.ts";
import { pause } from "./waiting.ts";
import type { Query, WireApi } from "./wire-api.ts";

export interface FollowOptions {
  /** ID of the last event you processed (default: starts with the oldest event). */
  after?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Interval between polls without new events (default: 1,000 ms). */
  pollMs?: number | undefined;
}

const POLL_MS = 1_000;

/** Events in commit order. */
export function eventsClient(api: WireApi) {
  // The contract leaves `type` open; the catalogue of types gives each its `data`.
  const list = (query?: Query<"listEvents">, options?: CallOptions) =>
    api.list("listEvents", { query }, options, "after") as unknown as Listing<TypedEvent>;
  return {
    list,
    /**
     * Follows all events, without end. Store the ID of the last event you processed, and pass it as `after`
     * next time.
     */
    async *follow({ after, signal, pollMs = POLL_MS }: FollowOptions = {}): AsyncGenerator<
      TypedEvent,
      void,
      undefined
    > {
      for (let last = after; ;) {
        const from = last;
        for await (const event of list({ after: last }, { signal })) {
          yield event;
          last = event.id;
        }
        if (last === from) await pause(pollMs, signal);
      }
    },
  };
}

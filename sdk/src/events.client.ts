import type { DialplaneEvent } from "./generated/wire.ts";
import type { CallOptions } from "./transport.ts";
import { pause } from "./waiting.ts";
import type { Query, WireApi } from "./wire-api.ts";

export interface FollowOptions {
  /** The id of the last event you have had; without it, from the oldest there is. */
  after?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Interval between polls without new events (default: 1,000 ms). */
  pollMs?: number | undefined;
}

const POLL_MS = 1_000;

/** Events in commit order. */
export function eventsClient(api: WireApi) {
  const list = (query?: Query<"listEvents">, options?: CallOptions) =>
    api.list("listEvents", { query }, options, "after");
  return {
    list,
    /**
     * Follows all events, without end. Store the ID of the last event you processed, and pass it as `after`
     * next time.
     */
    async *follow({ after, signal, pollMs = POLL_MS }: FollowOptions = {}): AsyncGenerator<
      DialplaneEvent,
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

import { ApiError } from "./dialplane-errors.ts";
import type { CallOptions } from "./transport.ts";
import { pause } from "./waiting.ts";
import type { AnswerOf, WireApi } from "./wire-api.ts";

/** Between two connections: the service may have been restarted, or has too many waiting. */
const RECONNECT_MS = 1_000;

/** Which numbers have calls now. Up to 200 at a time; for sessions, not for keys. */
export function liveClient(api: WireApi) {
  return {
    read: (ids: string[], options?: CallOptions) => api.call("readLive", { query: { ids } }, options),
    /** First all numbers, then those that have changed; after a broken line, all again. */
    async *follow(
      ids: string[],
      options: { signal?: AbortSignal | undefined } = {},
    ): AsyncGenerator<AnswerOf<"readLive">, void, undefined> {
      for (;;) {
        const stream = await api.call("followLive", { query: { ids } }, options);
        try {
          for await (const text of eventsOf(stream)) yield JSON.parse(text) as AnswerOf<"readLive">;
        } catch (error) {
          if (error instanceof ApiError) throw error;
          options.signal?.throwIfAborted();
        }
        await pause(RECONNECT_MS, options.signal);
      }
    },
  };
}

/** The data of server-sent events, one by one. */
async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop()!;
      for (const block of blocks) {
        const data = block.split("\n").filter((line) => line.startsWith("data:"));
        if (data.length > 0) yield data.map((line) => line.slice("data:".length).trimStart()).join("\n");
      }
    }
  } finally {
    // Closes the connection when the consumer stops.
    await reader.cancel().catch(() => undefined);
  }
}

import { Readable } from "node:stream";

const BUFFER_BYTES = 64 * 1024;
/** Timeout for a reader that takes no data: it has gone, or only holds memory. */
const STALLED_MS = 60_000;

/** A table as it is taken: the next piece is created when the one before has gone. */
export function tableStream(pieces: AsyncGenerator<string>, stalledMs = STALLED_MS): Readable {
  const stream = Readable.from(untilStalled(), { objectMode: false, highWaterMark: BUFFER_BYTES });
  async function* untilStalled(): AsyncGenerator<string> {
    for await (const piece of pieces) {
      const timer = setTimeout(() => stream.destroy(new Error("The client has stopped reading.")), stalledMs);
      try {
        yield piece;
      } finally {
        clearTimeout(timer);
      }
    }
  }
  return stream;
}

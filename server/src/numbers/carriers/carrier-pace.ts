import { setTimeout as sleep } from "node:timers/promises";
import type { Pace } from "./carrier-http.ts";

const SECOND_MS = 1_000;
/** A request that would wait for longer is not sent: it would only delay the others, and time out. */
const LONGEST_MS = 5_000;

/** Limits the requests of this process within any second. They are sent in the order in which they came. */
export function openPace(perSecond: number, retries: number): Pace {
  /** When the latest requests were sent, oldest first. Some may be in the future. */
  const sent: number[] = [];
  return {
    retries,
    async turn(signal) {
      const now = performance.now();
      const earliest = sent.length < perSecond ? now : Math.max(now, sent[0]! + SECOND_MS);
      if (earliest - now > LONGEST_MS) throw new Error("Too many requests are waiting.");
      if (sent.length >= perSecond) sent.shift();
      sent.push(earliest);
      if (earliest > now) await sleep(earliest - now, undefined, { signal });
    },
  };
}

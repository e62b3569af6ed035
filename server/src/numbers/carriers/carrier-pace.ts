import { setTimeout as sleep } from "node:timers/promises";
import type { Pace } from "./carrier-http.ts";

const SECOND_MS = 1_000;

/** Limits the requests of this process within any second. They are sent in the order in which they came. */
export function openPace(perSecond: number, retries: number): Pace {
  /** When the latest requests were sent, oldest first. Some may be in the future. */
  const sent: number[] = [];
  return {
    retries,
    async turn(signal) {
      const now = performance.now();
      const earliest = sent.length < perSecond ? now : Math.max(now, sent.shift()! + SECOND_MS);
      sent.push(earliest);
      if (earliest > now) await sleep(earliest - now, undefined, { signal });
    },
  };
}

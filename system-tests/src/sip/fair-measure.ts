import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isLong } from "../service/test-length.ts";

/**
 * If the host withholds more CPU than this in a second, measurements are unreliable: callees lag behind their
 * calls.
 */
const MOST_WITHHELD = 0.3;
const SECOND_MS = 1_000;
const [ATTEMPTS, QUIET_SECONDS] = isLong ? [5, 3] : [3, 1];
/** For all that one file measures. */
let patienceMs = isLong ? 1_800_000 : 15_000;

/**
 * Repeats a measurement a limited number of times if it was inconclusive while the host withheld CPU. A
 * conclusive measurement, or a failure with enough CPU, is never repeated.
 */
export async function measureFairly<T>(
  what: string,
  measure: () => Promise<T>,
  isSettled: (result: T) => boolean,
): Promise<T> {
  for (let left = ATTEMPTS; ; left -= 1) {
    await untilQuiet();
    using host = watchHost();
    const result = await measure();
    const withheld = host.worst();
    if (isSettled(result) || withheld < MOST_WITHHELD || left === 1) return result;
    const percent = Math.round(withheld * 100);
    console.log(`${what}: measured again, the host withheld ${percent} % in a second of it:`, result);
  }
}

/** Waits a while for seconds in which this machine gets what it asks for. */
export async function untilQuiet(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_SECONDS && patienceMs > 0; patienceMs -= SECOND_MS) {
    using host = watchHost();
    await sleep(SECOND_MS);
    quiet = host.worst() < MOST_WITHHELD / 2 ? quiet + 1 : 0;
  }
}

/** For what can be measured once only: whether the host withheld its processors since then. */
export function watchForStarvation(): Disposable & { isStarved(): boolean } {
  const host = watchHost();
  return { isStarved: () => host.worst() >= MOST_WITHHELD, [Symbol.dispose]: () => host[Symbol.dispose]() };
}

/** Looks every second. */
function watchHost(): Disposable & { worst(): number } {
  let before = readTimes();
  let worst = 0;
  const look = (): void => {
    const now = readTimes();
    const [withheld, asked] = [now.withheld - before.withheld, now.asked - before.asked];
    // The kernel counts in hundredths of a second: a short while says nothing.
    if (asked < 20) return;
    worst = Math.max(worst, withheld / asked);
    before = now;
  };
  const timer = setInterval(look, SECOND_MS);
  return {
    worst() {
      look();
      return worst;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Hundredths of a second since this machine started: CPU time that it got from its host, and CPU time that the host withheld. */
function readTimes(): { asked: number; withheld: number } {
  const [, ...times] = readFileSync("/proc/stat", "utf8").split("\n")[0]!.split(/\s+/).map(Number);
  const [user, nice, system, , , irq, softirq, withheld] = times as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { asked: user + nice + system + irq + softirq + withheld, withheld };
}

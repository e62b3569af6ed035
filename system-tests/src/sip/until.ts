import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 60_000;

/** Polls until there is a result. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`waited ${patienceMs} ms in vain for ${what}`);
    await sleep(5);
  }
}

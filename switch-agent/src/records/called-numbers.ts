import type { LiveNumber } from "./record-service.ts";

/** Calls that the service could not handle. They do not count for any number. */
const NOT_SERVED = new Set(["draining", "cannot_tell", "trunk_full"]);
const MINUTE_MS = 60_000;

/** The numbers that have calls now, or had some within the last minute. */
export class CalledNumbers {
  readonly #numbers = new Map<string, { newestMs: number; startsMs: number[] }>();

  /** A call that nothing was known of. */
  add(numberId: string | null, startedMs: number, why: string | null = null): void {
    if (numberId === null || (why !== null && NOT_SERVED.has(why))) return;
    const number = this.#numbers.get(numberId);
    if (!number) this.#numbers.set(numberId, { newestMs: startedMs, startsMs: [startedMs] });
    else {
      number.newestMs = Math.max(number.newestMs, startedMs);
      number.startsMs.push(startedMs);
    }
  }

  /** Lists current numbers, given their active calls. */
  list(nowMs: number, active: ReadonlyMap<string, number>): Map<string, LiveNumber> {
    const listed = new Map<string, LiveNumber>();
    for (const [numberId, number] of this.#numbers) {
      const calls = active.get(numberId) ?? 0;
      number.startsMs = number.startsMs.filter((startedMs) => startedMs > nowMs - MINUTE_MS);
      if (calls === 0 && number.startsMs.length === 0) this.#numbers.delete(numberId);
      else
        listed.set(numberId, {
          number_id: numberId,
          active_calls: calls,
          calls_last_minute: number.startsMs.length,
          last_call_at: new Date(number.newestMs).toISOString(),
        });
    }
    return listed;
  }
}

import { randomUUID } from "node:crypto";
import type { LiveReport, RecordService } from "./record-service.ts";

/** The service takes as many in one report; the rest has changed since it, and goes into the next. */
const MAX_NUMBERS = 50_000;

interface Needs {
  service: Pick<RecordService, "reportLive">;
  /** Calls that are up, by number; those without any are not in it. */
  live(): ReadonlyMap<string, number>;
  snapshotMs: number;
}

/** Tells which numbers have calls: all of them at first and now and then, in between what has changed. */
export class LiveCalls {
  readonly #needs: Needs;
  readonly #session = randomUUID();
  #sequence = 0;
  /** As the service knows it; undefined when nobody knows what it knows. */
  #told: ReadonlyMap<string, number> | undefined;
  #snapshotAtMs = -Infinity;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** What has to be said now; nothing if the service knows it all. */
  next(nowMs = performance.now()): LiveReport | undefined {
    const live = this.#needs.live();
    const isSnapshot = !this.#told || nowMs - this.#snapshotAtMs >= this.#needs.snapshotMs;
    const changed = isSnapshot ? [...live] : changesBetween(this.#told!, live);
    if (!isSnapshot && changed.length === 0) return undefined;
    const numbers = changed
      .slice(0, MAX_NUMBERS)
      .map(([numberId, calls]) => ({ number_id: numberId, active_calls: calls }));
    return { session: this.#session, sequence: this.#sequence + 1, is_snapshot: isSnapshot, numbers };
  }

  /** Says it. Whatever goes wrong, the next report is a snapshot. */
  async report(): Promise<void> {
    const nowMs = performance.now();
    const report = this.next(nowMs);
    if (!report) return;
    const told = new Map(report.is_snapshot ? [] : this.#told);
    for (const { number_id: id, active_calls: calls } of report.numbers) {
      if (calls > 0) told.set(id, calls);
      else told.delete(id);
    }
    this.#told = undefined;
    this.#sequence = report.sequence;
    if (!(await this.#needs.service.reportLive(report))) return;
    this.#told = told;
    if (report.is_snapshot) this.#snapshotAtMs = nowMs;
  }
}

function changesBetween(
  told: ReadonlyMap<string, number>,
  live: ReadonlyMap<string, number>,
): [string, number][] {
  const changed = [...live].filter(([numberId, calls]) => told.get(numberId) !== calls);
  const ended = [...told.keys()].filter((numberId) => !live.has(numberId));
  return [...changed, ...ended.map((numberId): [string, number] => [numberId, 0])];
}

import { randomUUID } from "node:crypto";
import type { LiveNumber, LiveReport, RecordService } from "./record-service.ts";

/** The service takes as many in one report; the rest has changed since it, and goes into the next. */
const MAX_NUMBERS = 50_000;
/** The service shows the age of the last report, so an empty report is useful too. */
const SILENCE_MS = 5_000;

interface Needs {
  service: Pick<RecordService, "reportLive">;
  live(): ReadonlyMap<string, LiveNumber>;
  snapshotMs: number;
}

/** Reports active calls by number: a snapshot at first and at intervals, with changes in between. */
export class LiveCalls {
  readonly #needs: Needs;
  readonly #session = randomUUID();
  #sequence = 0;
  /** Last acknowledged state. Undefined if it is unknown. */
  #reported: ReadonlyMap<string, LiveNumber> | undefined;
  #reportedAtMs = -Infinity;
  #snapshotAtMs = -Infinity;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Next report. Undefined if the service is up to date. */
  next(nowMs = performance.now()): LiveReport | undefined {
    const live = this.#needs.live();
    const isSnapshot = !this.#reported || nowMs - this.#snapshotAtMs >= this.#needs.snapshotMs;
    const changed = isSnapshot ? [...live.values()] : changesBetween(this.#reported!, live);
    if (!isSnapshot && changed.length === 0 && nowMs - this.#reportedAtMs < SILENCE_MS) return undefined;
    const numbers = changed.slice(0, MAX_NUMBERS);
    return { session: this.#session, sequence: this.#sequence + 1, is_snapshot: isSnapshot, numbers };
  }

  /** Says it. Whatever goes wrong, the next report is a snapshot. */
  async report(): Promise<void> {
    const nowMs = performance.now();
    const report = this.next(nowMs);
    if (!report) return;
    const reported = new Map(report.is_snapshot ? [] : this.#reported);
    for (const number of report.numbers) {
      if (number.last_call_at !== null) reported.set(number.number_id, number);
      else reported.delete(number.number_id);
    }
    this.#reported = undefined;
    this.#sequence = report.sequence;
    if (!(await this.#needs.service.reportLive(report))) return;
    this.#reported = reported;
    this.#reportedAtMs = nowMs;
    if (report.is_snapshot) this.#snapshotAtMs = nowMs;
  }
}

function changesBetween(
  reported: ReadonlyMap<string, LiveNumber>,
  live: ReadonlyMap<string, LiveNumber>,
): LiveNumber[] {
  const changed = [...live.values()].filter((number) => !isSame(reported.get(number.number_id), number));
  const ended = [...reported.keys()].filter((numberId) => !live.has(numberId));
  return [...changed, ...ended.map(withoutCalls)];
}

function isSame(one: LiveNumber | undefined, other: LiveNumber): boolean {
  return (
    one !== undefined &&
    one.active_calls === other.active_calls &&
    one.calls_last_minute === other.calls_last_minute &&
    one.last_call_at === other.last_call_at
  );
}

function withoutCalls(numberId: string): LiveNumber {
  return { number_id: numberId, active_calls: 0, calls_last_minute: 0, last_call_at: null };
}

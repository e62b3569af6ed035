import type { RecordService } from "./record-service.ts";
import type { RecordsStore } from "./records-store.ts";

/** The service takes as many; younger ones are waited for by all numbers. */
const MAX_OPEN = 5_000;
/** A call that rings has no row yet. The switch gives it as long as tm's max_inv_lifetime in kamailio.cfg, and its row a little more. */
export const RINGING_MS = 320_000;
/** A slower response is useless for measuring the clock offset. */
const MAX_TRIP_MS = 1_000;

interface Needs {
  service: Pick<RecordService, "reportStanding">;
  store: Pick<RecordsStore, "standing">;
  maxCallSeconds: number;
  isDiskFull(): boolean;
}

/** Reports the time through which all records are complete. */
export class StandingReports {
  readonly #needs: Needs;
  #readThroughMs: number | undefined;
  #offsetMs: number | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Everything that the switch wrote before is in the store. */
  readThrough(ms: number): void {
    this.#readThroughMs = ms;
  }

  async report(): Promise<void> {
    const { service, store, maxCallSeconds, isDiskFull } = this.#needs;
    const began = performance.now();
    if (this.#readThroughMs === undefined) return;
    const { settledUs, open } = store.standing((this.#readThroughMs - RINGING_MS) * 1000, MAX_OPEN);
    const sentAtMs = Date.now();
    const { at } = await service.reportStanding({
      settled_through: momentOf(settledUs),
      open: open.map(({ numberId, sinceUs }) => ({
        number_id: numberId,
        oldest_began_at: momentOf(sinceUs),
      })),
      max_call_seconds: maxCallSeconds,
      clock_offset_ms: this.#offsetMs,
      is_disk_full: isDiskFull(),
    });
    const tripMs = performance.now() - began;
    if (tripMs <= MAX_TRIP_MS) this.#offsetMs = Math.round(sentAtMs + tripMs / 2 - Date.parse(at));
  }
}

/** The millisecond it is in: rounded down, nothing that began after it is taken for settled. */
function momentOf(us: number): string {
  return new Date(Math.floor(us / 1000)).toISOString();
}

import { type AgentLog, textOf } from "./agent-log.ts";
import type { TrunkDriver, TrunkReading } from "./driver.ts";
import { backOffMs, jitteredMs } from "./timing.ts";
import type { TrunkService } from "./trunk-service.ts";

export interface TrunkTiming {
  everyMs: number;
  /** Between two readings of the switch without a change. */
  readMs: number;
  retryMinMs: number;
  retryMaxMs: number;
}

const USUAL: TrunkTiming = { everyMs: 5_000, readMs: 30_000, retryMinMs: 1_000, retryMaxMs: 30_000 };
/** Rounds without a pause, so that a switch that keeps no change is not changed all the time. */
const MOST_ROUNDS = 3;

export interface TrunkSyncOptions {
  driver: TrunkDriver;
  service: TrunkService;
  log: AgentLog;
  timing?: Partial<TrunkTiming>;
}

/**
 * Keeps the switch's trunks as the service wants them, and reports what the switch holds. A difference is reported before
 * it is repaired. Without the service, the switch keeps the last list.
 */
export function startTrunkSync(options: TrunkSyncOptions): { stop(): Promise<void> } {
  return new RunningTrunkSync(options);
}

class RunningTrunkSync {
  readonly #options: TrunkSyncOptions;
  readonly #timing: TrunkTiming;
  #reading: TrunkReading | undefined;
  #readAgainAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #failures = 0;
  /** Changes in a row. */
  #rounds = 0;
  #isStopped = false;

  constructor(options: TrunkSyncOptions) {
    this.#options = options;
    this.#timing = { ...USUAL, ...options.timing };
    this.#runIn(0);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #runIn(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#turn().then((nextMs) => this.#runIn(nextMs));
    }, delayMs);
    this.#timer.unref();
  }

  async #turn(): Promise<number> {
    const { everyMs, retryMinMs, retryMaxMs } = this.#timing;
    const { driver, log } = this.#options;
    try {
      if (!driver.features?.includes("trunks")) return everyMs;
      this.#rounds = (await this.#sync()) ? this.#rounds + 1 : 0;
      this.#failures = 0;
      return this.#rounds % MOST_ROUNDS === 0 ? everyMs : 0;
    } catch (error) {
      this.#reading = undefined;
      if (this.#failures++ === 0) log.warn({ error: textOf(error) }, "trunks not synced; retrying");
      return backOffMs(this.#failures, retryMinMs, retryMaxMs);
    }
  }

  /** Returns whether the switch was changed, so that the result is reported at once. */
  async #sync(): Promise<boolean> {
    const { driver, service, log } = this.#options;
    const { report, isAsDesired } = await this.#read();
    let list: Awaited<ReturnType<TrunkService["sync"]>> = null;
    try {
      list = await service.sync(report);
    } finally {
      if (list === null && report.etag !== null && !isAsDesired) await this.#repair();
    }
    if (list === null) return report.etag !== null && !isAsDesired;
    log.info({ trunks: list.trunks.map(({ name }) => name) }, "setting the trunks of the service");
    this.#reading = undefined;
    await driver.setTrunks(list);
    return true;
  }

  async #repair(): Promise<void> {
    this.#reading = undefined;
    this.#options.log.warn({}, "the switch does not hold its trunks; setting them again");
    await this.#options.driver.repairTrunks();
  }

  async #read(): Promise<TrunkReading> {
    const nowMs = performance.now();
    if (this.#reading && nowMs < this.#readAgainAtMs) return this.#reading;
    this.#reading = await this.#options.driver.readTrunks();
    this.#readAgainAtMs = nowMs + jitteredMs(this.#timing.readMs);
    return this.#reading;
  }
}

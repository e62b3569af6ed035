import type { Log } from "../../platform/log.ts";

interface LoopOptions {
  everyMs: number;
  log: Log;
  /** If false, the loop stops. */
  isNeeded(): boolean;
  run(): Promise<void>;
}

/** Minimum time between the starts of two runs, however often the loop is poked. */
const GAP_MS = 2;
/** A run that takes longer is left behind and the next one begins. */
const LATE_MS = 1_000;
/** Maximum late runs at once: each keeps a connection until it ends. */
const MOST_LATE = 2;
const LONGEST_PAUSE_MS = 1_000;

/** Runs something repeatedly, at once when poked, whatever happens to a run. */
export class Loop {
  readonly #options: LoopOptions;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = -GAP_MS;
  #isRunning = false;
  #isPoked = false;
  #isClosed = false;
  #failures = 0;
  #late = new Set<Promise<void>>();

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  poke(): void {
    if (this.#isRunning) this.#isPoked = true;
    else if (this.#options.isNeeded()) this.#runIn(this.#startedAt + GAP_MS - performance.now());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#late);
  }

  #runIn(delayMs: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#run(), Math.max(0, delayMs));
  }

  async #run(): Promise<void> {
    if (this.#isRunning || this.#isClosed || !this.#options.isNeeded()) return;
    this.#isRunning = true;
    this.#isPoked = false;
    this.#startedAt = performance.now();
    await this.#runOnce();
    this.#isRunning = false;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, this.#options.everyMs * 2 ** Math.min(this.#failures, 10));
    this.#runIn(this.#isPoked && this.#failures === 0 ? GAP_MS : pauseMs);
  }

  async #runOnce(): Promise<void> {
    if (this.#late.size >= MOST_LATE) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => (timer = setTimeout(resolve, LATE_MS, "late")));
    const run = this.#options.run();
    const ended = run.then(
      () => void this.#late.delete(ended),
      () => void this.#late.delete(ended),
    );
    this.#late.add(ended);
    try {
      if ((await Promise.race([run, late])) === "late") throw new Error(`no response within ${LATE_MS} ms`);
      this.#failures = 0;
    } catch (error) {
      if (this.#failures++ % 20 === 0 && !this.#isClosed)
        this.#options.log.warn({ err: error }, "feed not read; retrying");
    } finally {
      clearTimeout(timer);
    }
  }
}

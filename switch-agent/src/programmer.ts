import { type AgentLog, textOf } from "./agent-log.ts";
import type { SwitchChange, SwitchDriver } from "./driver.ts";
import { describeItem, type HeldItem, isSameItem } from "./held-item.ts";
import { inOrder } from "./plan.ts";
import type { ShardState, Work } from "./shard-state.ts";
import { backOffMs, type Timing } from "./timing.ts";

/** Changes in flight: enough to keep the switch busy, few enough to get responses in time. */
const MAX_IN_FLIGHT = 2_000;
const BATCH_SIZE = 500;
/** With those that are no longer waited for: a switch that is slow in all must not be given ever more. */
const MAX_UNANSWERED = 10_000;
const MAX_QUEUED = 20_000;

interface Needs {
  driver: SwitchDriver;
  shards: Map<number, ShardState>;
  timing: Timing;
  log: AgentLog;
  /** Whether the switch answers and has its memory still; one that lost it is started over with. */
  hasMemory(): Promise<boolean>;
  /** A shard's watermark may have risen; its exceptions changed only if so said. */
  changed(state: ShardState, hasOtherExceptions: boolean): void;
}

interface Batch {
  /** Neither confirmed nor failed yet. */
  unsettled: Set<Work>;
  /** No longer waited for. */
  isPassed: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Applies changes, reads them back, and retries until the switch holds the desired items. */
export class Programmer {
  readonly #needs: Needs;
  readonly #batches = new Map<Work, Batch>();
  #queue: Work[][] = [];
  #queued = 0;
  #inFlight = 0;
  #passed = 0;
  #answered: Work[] = [];
  #retryTimer: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];
  #isPumpDue = false;
  #isStopped = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  program(works: Work[]): void {
    const ordered = inOrder(works);
    for (let start = 0; start < ordered.length; start += BATCH_SIZE)
      this.#queue.push(ordered.slice(start, start + BATCH_SIZE));
    this.#queued += works.length;
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    // Batches changes of the same tick: a switch takes many as fast as one.
    setImmediate(() => {
      this.#isPumpDue = false;
      this.#pump();
    });
  }

  /** Whatever the switch did before it lost its memory is void: all that is open goes again. */
  startOver(): void {
    for (const work of this.#batches.keys()) this.#leave(work);
    this.#queue = [];
    this.#queued = 0;
    const works = this.#listOpen();
    for (const work of works) Object.assign(work, { sinceMs: performance.now(), answer: undefined });
    this.program(works);
  }

  /** Resolves when there is room for more. */
  async room(): Promise<void> {
    if (this.#isStopped || this.#queued <= MAX_QUEUED) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  isIdle(): boolean {
    return this.#queued === 0 && this.#inFlight === 0;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#retryTimer);
    for (const batch of this.#batches.values()) clearTimeout(batch.timer);
    for (const resolve of this.#waiting) resolve();
  }

  #pump(): void {
    const hasRoom = (): boolean =>
      this.#inFlight < MAX_IN_FLIGHT && this.#inFlight + this.#passed < MAX_UNANSWERED;
    while (!this.#isStopped && hasRoom()) {
      const next = this.#queue.shift();
      if (!next) break;
      while (this.#queue.length > 0 && next.length + this.#queue[0]!.length <= BATCH_SIZE)
        next.push(...this.#queue.shift()!);
      this.#queued -= next.length;
      // Drops works that a newer change has replaced.
      const works = next.filter(
        (work) => this.#isOpen(work) && !work.isConfirmed && !this.#batches.has(work),
      );
      if (works.length > 0) this.#send(works);
    }
    if (this.#queued > MAX_QUEUED) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #send(works: Work[]): void {
    const { driver, timing } = this.#needs;
    const batch: Batch = { unsettled: new Set(works), isPassed: false, timer: undefined };
    const workOf = new Map<SwitchChange, Work>();
    this.#inFlight += works.length;
    for (const work of works) {
      work.answer = undefined;
      this.#batches.set(work, batch);
      workOf.set({ kind: work.kind, id: work.id, shard: work.shard, want: work.want }, work);
    }
    batch.timer = setTimeout(() => void this.#passBy(batch), timing.pendingAfterMs);
    const take = (change: SwitchChange, error: string | null): void => {
      const work = workOf.get(change);
      if (!work || work.answer !== undefined || this.#batches.get(work) !== batch) return;
      work.answer = error;
      if (this.#answered.push(work) === 1)
        queueMicrotask(() => void this.#readBack(this.#answered.splice(0)));
    };
    driver.apply([...workOf.keys()], take).catch((error: unknown) => {
      for (const change of workOf.keys()) take(change, `The switch is unreachable: ${textOf(error)}`);
    });
  }

  /** Only the value read back counts, regardless of the response to the change. */
  async #readBack(works: Work[]): Promise<void> {
    const { driver, hasMemory } = this.#needs;
    const askedAt = new Date().toISOString();
    try {
      const [held, isToBelieve] = await Promise.all([driver.read(works), hasMemory()]);
      if (!isToBelieve) throw new Error("The switch restarted, or did not report its boot ID.");
      works.forEach((work, place) => this.#judge(work, held[place] ?? null, askedAt));
    } catch (error) {
      const problem = `The switch could not be read: ${textOf(error)}`;
      for (const work of works) if (work.answer !== undefined) this.#fail(work, problem);
    }
    this.#pump();
  }

  #judge(work: Work, held: HeldItem | null, askedAt: string): void {
    const state = this.#needs.shards.get(work.shard);
    if (!state || !this.#isOpen(work)) return this.#leave(work);
    if (work.isConfirmed) return;
    const isNews = work.held === undefined || !isSameItem(work.held, held);
    work.held = held;
    work.observedAt = askedAt;
    if (askedAt > state.observedAt) state.observedAt = askedAt;
    if (isSameItem(work.want, held)) return this.#confirm(state, work);
    if (isNews && work.state !== "applying") this.#needs.changed(state, true);
    if (work.answer === undefined) return;
    this.#fail(work, work.answer ?? `The switch confirmed the change, but holds ${describeItem(held)}.`);
  }

  #confirm(state: ShardState, work: Work): void {
    const wasException = work.state !== "applying" || work.drift !== undefined;
    work.isConfirmed = true;
    if (wasException) work.state = "pending";
    work.error = "Waiting until the other items of its shard have been read back.";
    // Overtook nothing, so nothing has to be kept from showing.
    if (!wasException && work.floor === work.version) state.open.delete(work.key);
    this.#leave(work);
    this.#needs.changed(state, wasException);
  }

  #fail(work: Work, error: string): void {
    const { shards, timing, log, changed } = this.#needs;
    const state = shards.get(work.shard);
    this.#leave(work);
    if (!state || !this.#isOpen(work)) return;
    const isNews = work.state !== "failed" || work.error !== error;
    if (isNews)
      log.warn({ kind: work.kind, id: work.id, error }, "item in the switch differs from its desired value");
    work.state = "failed";
    work.error = error;
    work.retryAtMs = performance.now() + backOffMs(work.attempt++, timing.retryMinMs, timing.retryMaxMs);
    this.#scheduleRetry(work.retryAtMs);
    changed(state, isNews);
  }

  /** Overdue changes no longer block others, but may still complete. */
  async #passBy(batch: Batch): Promise<void> {
    const { timing, changed, shards } = this.#needs;
    batch.isPassed = true;
    this.#inFlight -= batch.unsettled.size;
    this.#passed += batch.unsettled.size;
    batch.timer = setTimeout(() => {
      const error = `The switch did not respond within ${timing.failedAfterMs / 1000} s.`;
      for (const work of batch.unsettled) this.#fail(work, error);
      this.#pump();
    }, timing.failedAfterMs - timing.pendingAfterMs);
    // Reads back first, because an exception contains the value that the switch holds.
    await this.#readBack(this.#listWaiting(batch));
    for (const work of this.#listWaiting(batch)) {
      if (work.state !== "applying") continue;
      work.state = "pending";
      changed(shards.get(work.shard)!, true);
    }
  }

  /** Current works of a batch that are still waiting. A replaced item keeps the start of its oldest wait. */
  #listWaiting(batch: Batch): Work[] {
    return [...batch.unsettled].flatMap((work) => {
      const current = this.#needs.shards.get(work.shard)?.open.get(work.key);
      return current && !current.isConfirmed && current.sinceMs === work.sinceMs ? [current] : [];
    });
  }

  #scheduleRetry(atMs: number): void {
    if (this.#isStopped || this.#retryTimer) return;
    this.#retryTimer = setTimeout(() => this.#retry(), Math.max(10, atMs - performance.now()));
  }

  /** Those that are due soon go along: many that failed together are tried together. */
  #retry(): void {
    this.#retryTimer = undefined;
    const soonMs = performance.now() + this.#needs.timing.retryMinMs / 2;
    const failed = this.#listOpen().filter((work) => work.state === "failed" && !this.#batches.has(work));
    this.program(failed.filter((work) => work.retryAtMs <= soonMs));
    let nextMs = Infinity;
    for (const { retryAtMs } of failed) if (retryAtMs > soonMs && retryAtMs < nextMs) nextMs = retryAtMs;
    if (nextMs < Infinity) this.#scheduleRetry(nextMs);
  }

  #listOpen(): Work[] {
    const works = [...this.#needs.shards.values()].flatMap((state) => [...state.open.values()]);
    return works.filter((work) => !work.isConfirmed);
  }

  #isOpen(work: Work): boolean {
    return this.#needs.shards.get(work.shard)?.open.get(work.key) === work;
  }

  #leave(work: Work): void {
    const batch = this.#batches.get(work);
    if (!batch) return;
    this.#batches.delete(work);
    if (batch.unsettled.delete(work)) {
      if (batch.isPassed) this.#passed -= 1;
      else this.#inFlight -= 1;
    }
    if (batch.unsettled.size === 0) clearTimeout(batch.timer);
  }
}

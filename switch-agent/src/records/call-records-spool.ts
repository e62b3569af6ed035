import { mkdirSync } from "node:fs";
import { join as pathOf } from "node:path";
import { type AgentLog, textOf } from "../agent-log.ts";
import type { ForwardingUse } from "../allowance.ts";
import { isDenied } from "../control-plane-error.ts";
import { backOffMs } from "../timing.ts";
import type { TrunkValue } from "../trunk-list.ts";
import type { AccRow } from "./acc-row.ts";
import { callerNumbers } from "./caller-numbers.ts";
import { StandingReports } from "./standing-reports.ts";
import { DiskReserve, isOutOfRoom } from "./disk-reserve.ts";
import { FilesTail } from "./files-tail.ts";
import { LiveCalls } from "./live-calls.ts";
import type { RecordService } from "./record-service.ts";
import { RecordsStore, type StoredCounts } from "./records-store.ts";
import { RecordsUpload } from "./records-upload.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FREEZE_BATCH = 500;
const DROP_BATCH = 2_000;

export interface SpoolTiming {
  /** How often the files are read, and so made safe against a power cut. */
  readMs: number;
  /** How long the row of an INVITE is waited for when that of its BYE is there. */
  partialMs: number;
  /** Acknowledged records are kept this long, for a database that turns out to have lost them. */
  keepMs: number;
  rotateBytes: number;
  rotateMs: number;
  retireMs: number;
  /** How often it is looked whether there is something to say of active calls. */
  liveMs: number;
  /** Live counts go stale quickly, so they are retried sooner than records. */
  liveRetryMaxMs: number;
  liveSnapshotMs: number;
  standingMs: number;
  retryMinMs: number;
  retryMaxMs: number;
  deniedMs: number;
  reserveBytes: number;
  minFreeBytes: number;
}

const USUAL: SpoolTiming = {
  readMs: 1_000,
  partialMs: 30_000,
  keepMs: 7 * DAY_MS,
  rotateBytes: 16 * 1024 * 1024,
  rotateMs: HOUR_MS,
  retireMs: HOUR_MS,
  liveMs: 250,
  liveRetryMaxMs: 1_000,
  liveSnapshotMs: 60_000,
  standingMs: 5_000,
  retryMinMs: 500,
  retryMaxMs: 30_000,
  deniedMs: 60_000,
  reserveBytes: 32 * 1024 * 1024,
  minFreeBytes: 64 * 1024 * 1024,
};

export interface SpoolOptions {
  /** Directory to which the switch appends its rows. Created if it is missing. */
  directory: string;
  /** A file of this agent alone, on a disk that survives restarts. */
  storePath: string;
  service: RecordService;
  /** How each writes the numbers of callers. */
  listTrunks?(): readonly Pick<TrunkValue, "name" | "number_format">[];
  /** Maximum length of a call. One hour later a call without an end is closed. */
  maxCallSeconds: number;
  /** Organisation that pays for forwarded calls of a number, by its present route. */
  payerOf?(numberId: string): string | undefined;
  /** Whether a row of the switch belongs to a probe, which is not a call. */
  isProbe?(row: AccRow): boolean;
  /** Makes the switch write to new files: flatstore.k_rotate. */
  rotate(): Promise<void>;
  /**
   * Called when the disk fills up and when space is free again. The operator decides whether to reject calls.
   */
  onDiskFull(isFull: boolean): void;
  log: AgentLog;
  timing?: Partial<SpoolTiming>;
  freeBytes?(directory: string): Promise<number>;
}

export interface SpoolStatus extends StoredCounts {
  isDiskFull: boolean;
  /** Calls that have no record yet. */
  open: number;
  /** Records that the service has not acknowledged. */
  unsent: number;
}

export interface CallRecordsSpool {
  /**
   * Epoch and lineage from the feed. A new epoch, promotion or restore makes the agent send all stored
   * records again.
   */
  enterEpoch(epoch: string, lineage?: string): void;
  status(): SpoolStatus;
  /** Active calls, by number. */
  live(): ReadonlyMap<string, number>;
  /** Forwarded calls of a UTC day, in days since 1970. */
  forwardedOn(day: number): ForwardingUse[];
  stop(): Promise<void>;
}

/** Joins the switch's rows into one record per call, and uploads it until it is acknowledged. */
export function startSpool(options: SpoolOptions): CallRecordsSpool {
  return new RunningSpool(options);
}

class RunningSpool implements CallRecordsSpool {
  readonly #options: SpoolOptions;
  readonly #timing: SpoolTiming;
  readonly #store: RecordsStore;
  /** Infinity at first: the clock can have been set back while the agent was down. */
  #lastPassMs = Infinity;
  readonly #tail: FilesTail;
  readonly #reserve: DiskReserve;
  readonly #upload: RecordsUpload;
  readonly #live: LiveCalls;
  readonly #standings: StandingReports;
  readonly #running: Promise<void>[];
  readonly #stopping = new AbortController();

  constructor(options: SpoolOptions) {
    this.#options = options;
    this.#timing = { ...USUAL, ...options.timing };
    const { directory, storePath, log, rotate, onDiskFull, freeBytes } = options;
    const service = this.#untilStopped(options.service);
    mkdirSync(directory, { recursive: true });
    const store = new RecordsStore(
      storePath,
      callerNumbers(() => options.listTrunks?.() ?? []),
      options.payerOf,
      options.isProbe,
    );
    const { rotateBytes, rotateMs, retireMs, reserveBytes, minFreeBytes, liveSnapshotMs } = this.#timing;
    this.#store = store;
    this.#tail = new FilesTail({ directory, store, log, rotate, rotateBytes, rotateMs, retireMs });
    this.#reserve = new DiskReserve({
      path: pathOf(directory, "reserve"),
      reserveBytes,
      minFreeBytes,
      log,
      onDiskFull,
      ...(freeBytes && { freeBytes }),
    });
    this.#upload = new RecordsUpload({ store, service, log });
    this.#live = new LiveCalls({
      service,
      live: () => store.listLive(Date.now()),
      snapshotMs: liveSnapshotMs,
    });
    this.#standings = new StandingReports({
      service,
      store,
      maxCallSeconds: options.maxCallSeconds,
      isDiskFull: () => this.#reserve.isFull,
    });
    const { readMs, retryMaxMs, standingMs, liveMs, liveRetryMaxMs } = this.#timing;
    this.#running = [
      this.#keepReading(),
      this.#keepSending(
        { everyMs: readMs, retryMaxMs },
        () => this.#sendAll(),
        "call records not uploaded; retrying",
      ),
      this.#keepSending(
        { everyMs: liveMs, retryMaxMs: liveRetryMaxMs },
        () => this.#live.report(),
        "live calls not reported; retrying",
      ),
      this.#keepSending(
        { everyMs: standingMs, retryMaxMs },
        () => this.#standings.report(),
        "record watermark not reported; retrying",
      ),
    ];
  }

  enterEpoch(epoch: string, lineage?: string): void {
    if (this.#stopping.signal.aborted || !this.#store.enterEpoch(epoch, lineage)) return;
    this.#options.log.info({ epoch, lineage }, "new epoch; sending the stored records again");
  }

  status(): SpoolStatus {
    return { ...this.#store.counts(), ...this.#store.backlog(), isDiskFull: this.#reserve.isFull };
  }

  live(): ReadonlyMap<string, number> {
    return this.#store.live();
  }

  forwardedOn(day: number): ForwardingUse[] {
    return this.#isStopped() ? [] : this.#store.forwarded.on(day);
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    await Promise.all(this.#running);
    this.#store.close();
  }

  /** A stop does not wait for open uploads. Unacknowledged records are sent again. */
  #untilStopped(service: RecordService): RecordService {
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    stopped.catch(() => {});
    this.#stopping.signal.addEventListener("abort", () => reject(new Error("Stopping.")), { once: true });
    return {
      upload: (records) => Promise.race([service.upload(records), stopped]),
      reportLive: (report) => Promise.race([service.reportLive(report), stopped]),
      reportStanding: (standing) => Promise.race([service.reportStanding(standing), stopped]),
    };
  }

  async #keepReading(): Promise<void> {
    while (!this.#isStopped()) {
      try {
        await this.#reserve.check();
        await this.#pass();
      } catch (error) {
        if (isOutOfRoom(error)) await this.#reserve.ranOut();
        this.#options.log.error({ error: textOf(error) }, "call records not read; retrying");
      }
      await this.#pause(this.#timing.readMs);
    }
  }

  async #pass(): Promise<void> {
    const beganAtMs = Date.now();
    if (beganAtMs < this.#lastPassMs) this.#store.bringBack(beganAtMs);
    this.#lastPassMs = beganAtMs;
    if (!(await this.#tail.read(() => this.#isStopped()))) return;
    this.#standings.readThrough(beganAtMs);
    // Every row that was there when this began is stored: what has not changed since then is whole.
    const by = {
      overBeforeMs: beganAtMs,
      partialBeforeMs: beganAtMs - this.#timing.partialMs,
      upBeforeUs: (beganAtMs - this.#options.maxCallSeconds * 1000 - HOUR_MS) * 1000,
      limit: FREEZE_BATCH,
    };
    while (!this.#isStopped() && this.#store.freeze(by) === FREEZE_BATCH) await breathe();
    this.#store.forwarded.dropBefore(beganAtMs);
    const keptFrom = beganAtMs - this.#timing.keepMs;
    while (!this.#isStopped() && this.#store.drop(keptFrom, DROP_BATCH) === DROP_BATCH) await breathe();
    if (!this.#isStopped()) await this.#tail.tidy(Date.now());
  }

  async #sendAll(): Promise<void> {
    while (!this.#isStopped() && (await this.#upload.sendOne())) await breathe();
  }

  async #keepSending(
    { everyMs, retryMaxMs }: { everyMs: number; retryMaxMs: number },
    send: () => Promise<void>,
    waiting: string,
  ): Promise<void> {
    const { retryMinMs, deniedMs } = this.#timing;
    let failures = 0;
    while (!this.#isStopped()) {
      let delayMs = everyMs;
      try {
        await send();
        failures = 0;
      } catch (error) {
        if (this.#isStopped()) return;
        if (isOutOfRoom(error)) await this.#reserve.ranOut();
        delayMs = isDenied(error) ? deniedMs : backOffMs(failures, retryMinMs, retryMaxMs);
        if (failures++ === 0) this.#options.log.warn({ error: textOf(error) }, waiting);
      }
      await this.#pause(delayMs);
    }
  }

  #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isStopped()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    const wake = (): void => resolve();
    this.#stopping.signal.addEventListener("abort", wake, { once: true });
    await promise;
    clearTimeout(timer);
    this.#stopping.signal.removeEventListener("abort", wake);
  }
}

function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

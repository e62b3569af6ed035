import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentLog } from "../agent-log.ts";
import { callerNumbers } from "../records/caller-numbers.ts";
import { FilesTail } from "../records/files-tail.ts";
import { RecordsStore } from "../records/records-store.ts";
import { RecordsUpload } from "../records/records-upload.ts";
import { MemoryRecordService } from "./memory-record-service.ts";

export const QUIET: AgentLog = { info() {}, warn() {}, error() {} };

interface SceneOptions {
  rotateBytes?: number;
  retireMs?: number;
  chunkBytes?: number;
  /** Payer of a number's forwarded calls. */
  payerOf?(numberId: string): string | undefined;
}

/** A folder of records with a tailer whose every step is taken by hand, and which can be started over in between. */
export class SpoolScene implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), "dialplane-records-"));
  readonly service = new MemoryRecordService();
  readonly #options: SceneOptions;
  store!: RecordsStore;
  tail!: FilesTail;
  upload!: RecordsUpload;
  /** The switch's side of a rotation. */
  rotate: () => Promise<void> = async () => {};
  /** The switch's clock and the tailer's, ahead of the files' own moments. */
  nowMs = Date.now() + 60_000;

  constructor(options: SceneOptions = {}) {
    this.#options = options;
    this.restart();
  }

  /** As after a crash: nothing but the files and the store is left. */
  restart(): void {
    this.store?.close();
    const { payerOf } = this.#options;
    this.store = new RecordsStore(
      join(this.directory, "records.sqlite"),
      callerNumbers(() => []),
      payerOf,
    );
    const { directory, store } = this;
    this.tail = new FilesTail({
      directory,
      store,
      log: QUIET,
      rotate: () => this.rotate(),
      rotateBytes: this.#options.rotateBytes ?? Infinity,
      rotateMs: Infinity,
      retireMs: this.#options.retireMs ?? 0,
      ...(this.#options.chunkBytes && { chunkBytes: this.#options.chunkBytes }),
    });
    this.upload = new RecordsUpload({ store, service: this.service, log: QUIET });
  }

  write(process: number, text: string): void {
    appendFileSync(join(this.directory, `acc_${process}.log`), text);
  }

  async read(): Promise<void> {
    await this.tail.read(() => false);
  }

  /** `afterMs` have passed since the last time. */
  async tidy(afterMs = 3_000): Promise<void> {
    this.nowMs += afterMs;
    await this.tail.tidy(this.nowMs);
  }

  /** Everything that is whole; `isLast`: also what misses a row that will never come. */
  freeze(isLast = false): void {
    const never = isLast ? Number.MAX_SAFE_INTEGER : -1;
    const by = {
      overBeforeMs: Number.MAX_SAFE_INTEGER,
      partialBeforeMs: never,
      upBeforeUs: never,
      limit: 1_000,
    };
    while (this.store.freeze(by) > 0);
  }

  async send(): Promise<void> {
    while (await this.upload.sendOne());
  }

  [Symbol.dispose](): void {
    this.store.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A process of the switch: it keeps its file open, and opens it again with its first row after a rotation. */
export class WritingProcess implements Disposable {
  readonly #path: string;
  readonly #rotation: { atSecond: number };
  #seenSecond: number;
  #file: number | undefined;

  constructor(directory: string, process: number, rotation = { atSecond: 0 }) {
    this.#path = join(directory, `acc_${process}.log`);
    this.#rotation = rotation;
    this.#seenSecond = rotation.atSecond;
  }

  /** A whole row, or the beginning of one. */
  begin(text: string): void {
    // As db_flatstore compares them.
    if (this.#seenSecond < this.#rotation.atSecond) {
      this.close();
      this.#seenSecond = this.#rotation.atSecond;
    }
    this.goOn(text);
  }

  goOn(text: string): void {
    this.#file ??= openSync(this.#path, "a");
    writeSync(this.#file, text);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

import { type FileHandle, open, readdir, rename, unlink } from "node:fs/promises";
import { join as pathOf } from "node:path";
import { type AgentLog, textOf } from "../agent-log.ts";
import { type AccRow, readRow } from "./acc-row.ts";
import type { Reading, RecordsStore, TailedFile } from "./records-store.ts";

/** Small enough that storing it holds up nothing else for long. */
const CHUNK_BYTES = 128 * 1024;
/** Enough of a file's beginning to tell it from any other: a row has its call's id and moment in it. */
const HEAD_BYTES = 256;
const NEWLINE = 0x0a;

/** The switch counts rotations by the second: a second one within it has no effect on those who saw the first. */
const ROTATION_MS = 2_000;

/** acc_<process>.log is written to; with a moment behind it, it was put aside. */
const ACTIVE = /^acc_\d+\.log$/;
const ASIDE = /^acc_\d+\.log\.\d+$/;

interface Needs {
  directory: string;
  store: RecordsStore;
  log: AgentLog;
  /** Makes the switch write to new files: flatstore.k_rotate. */
  rotate(): Promise<void>;
  /** Files larger than this are put aside. */
  rotateBytes: number;
  /** Older ones too: who called whom does not stay here forever. */
  rotateMs: number;
  /** How long a file stays whose process has not shown that it writes to another one. */
  retireMs: number;
  chunkBytes?: number;
}

/** Reads what the processes of a switch append to their files, each row once, and clears away what is stored. */
export class FilesTail {
  readonly #needs: Needs;
  readonly #chunkBytes: number;
  #rotatedAtMs = -Infinity;
  /** Retired files for which a rotation was already requested. */
  readonly #askedFor = new Set<string>();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#chunkBytes = needs.chunkBytes ?? CHUNK_BYTES;
  }

  /** Stores every whole line there is. Returns false if it was stopped before the end of a file. */
  async read(isStopped: () => boolean): Promise<boolean> {
    const { store } = this.#needs;
    const seen = new Set<string>();
    for (let left = await this.#list(); left.length > 0;) {
      left = await this.#readSome(left, seen);
      if (left.length > 0 && isStopped()) return false;
    }
    // The file was deleted, and its inode may be reused.
    for (const { inode } of store.listFiles()) if (!seen.has(inode)) store.forgetFile(inode);
    return true;
  }

  /** Puts large files aside, and removes those of which every row is stored. Call it after a whole reading. */
  async tidy(atMs: number): Promise<void> {
    // The clock can have been set back since.
    const mayRotate = atMs >= this.#rotatedAtMs + ROTATION_MS || atMs < this.#rotatedAtMs;
    if (mayRotate)
      for (const name of (await this.#list()).filter((one) => ACTIVE.test(one)))
        if (await this.#isDue(name, atMs)) await this.#putAside(name, atMs);
    const names = await this.#list();
    for (const name of names.filter((one) => ASIDE.test(one)))
      await this.#remove(name, hasSuccessor(name, names), atMs);
    if (mayRotate) await this.#rotate(atMs);
  }

  async #list(): Promise<string[]> {
    const names = await readdir(this.#needs.directory);
    return names.filter((name) => ACTIVE.test(name) || ASIDE.test(name)).toSorted();
  }

  /**
   * Reads new rows from several files up to one chunk, and stores them in one transaction to save disk syncs.
   * Returns the files that may have more.
   */
  async #readSome(names: readonly string[], seen: Set<string>): Promise<string[]> {
    await using files = new AsyncDisposableStack();
    const read: { file: FileHandle; reading: Reading }[] = [];
    const left: string[] = [];
    let bytes = 0;
    for (const name of names) {
      const file = bytes < this.#chunkBytes && (await openIfThere(pathOf(this.#needs.directory, name)));
      if (file === false) left.push(name);
      if (!file) continue;
      files.use(file);
      const inode = await inodeOf(file);
      seen.add(inode);
      const { reading, length } = await this.#readChunk(file, inode);
      if (reading) read.push({ file, reading });
      if (length === this.#chunkBytes) left.push(name);
      bytes += length;
    }
    if (read.length === 0) return left;
    // Before how far it is read is stored: power gone, a file must not be shorter than that.
    await Promise.all(read.map(({ file }) => file.datasync()));
    this.#take(read.map(({ reading }) => reading));
    return left;
  }

  async #readChunk(
    file: FileHandle,
    inode: string,
  ): Promise<{ reading: Reading | undefined; length: number }> {
    const { offset, head } = await this.#placeIn(file, inode);
    const chunk = await readAt(file, offset, this.#chunkBytes);
    const { length } = chunk;
    const lastEnd = chunk.lastIndexOf(NEWLINE) + 1;
    // No row is this long. Skips the chunk, which would otherwise block the file.
    const end = lastEnd === 0 && length === this.#chunkBytes ? length : lastEnd;
    if (end === 0) return { reading: undefined, length: 0 };
    return {
      reading: { file: { inode, offset: offset + end, head }, ...rowsIn(chunk.subarray(0, end)) },
      length,
    };
  }

  #take(readings: readonly Reading[]): void {
    const { store, log } = this.#needs;
    const anomalies = store.take(readings, Date.now());
    const sum = (name: "malformed" | "torn"): number => readings.reduce((all, one) => all + one[name], 0);
    const [malformed, torn] = [sum("malformed"), sum("torn")];
    if (malformed + torn > 0) log.warn({ malformed, torn }, "incomplete rows in the switch's record files");
    if (anomalies.length > 0)
      log.warn(
        { anomalies: anomalies.length, record: anomalies[0] },
        "rows arrived after their record was completed",
      );
  }

  /** Returns the stored offset, or 0 if the inode belongs to another file now. */
  async #placeIn(file: FileHandle, inode: string): Promise<Pick<TailedFile, "offset" | "head">> {
    const head = await readAt(file, 0, HEAD_BYTES);
    const known = this.#needs.store.findFile(inode);
    if (!known) return { offset: 0, head };
    const { size } = await file.stat();
    const isSame = size >= known.offset && head.subarray(0, known.head.length).equals(known.head);
    if (isSame) return { offset: known.offset, head };
    this.#needs.log.warn({ inode }, "record file was replaced; reading it from the start");
    this.#needs.store.forgetFile(inode);
    return { offset: 0, head };
  }

  async #isDue(name: string, atMs: number): Promise<boolean> {
    const { directory, rotateBytes, rotateMs } = this.#needs;
    await using file = await openIfThere(pathOf(directory, name));
    if (!file) return false;
    const { size, birthtimeMs } = await file.stat();
    return size > rotateBytes || (size > 0 && birthtimeMs > 0 && atMs > birthtimeMs + rotateMs);
  }

  /** hasSuccessor compares the times in the names, so a name is always later than the ones before, even if the clock was set back. */
  async #putAside(name: string, atMs: number): Promise<void> {
    const path = pathOf(this.#needs.directory, name);
    const earlier = (await this.#list()).flatMap((one) =>
      one.startsWith(`${name}.`) ? [Number(one.slice(name.length + 1)) + 1] : [],
    );
    await rename(path, `${path}.${Math.max(atMs, ...earlier)}`);
  }

  /**
   * Asks for all that was put aside and is still there. Asked twice, seconds apart, every process goes to a new file
   * with its next row; before that, or where the switch does not answer, it may still write to the old one.
   */
  async #rotate(atMs: number): Promise<void> {
    const { directory, store, log, rotate } = this.#needs;
    const unretired: string[] = [];
    for (const name of (await this.#list()).filter((one) => ASIDE.test(one))) {
      await using file = await openIfThere(pathOf(directory, name));
      const inode = file && (await inodeOf(file));
      if (inode && (store.findFile(inode)?.retiredAtMs ?? null) === null) unretired.push(inode);
    }
    if (unretired.length === 0) return;
    try {
      await rotate();
    } catch (error) {
      log.warn({ error: textOf(error) }, "record files not rotated; retrying");
      return;
    }
    this.#rotatedAtMs = atMs;
    for (const inode of unretired) {
      if (this.#askedFor.delete(inode)) store.retireFile(inode, atMs);
      else this.#askedFor.add(inode);
    }
  }

  /** A file whose process writes to the next one is final; without that sign it has to have been left alone for long. */
  async #remove(name: string, isFinal: boolean, atMs: number): Promise<void> {
    const { directory, store, retireMs, log } = this.#needs;
    const path = pathOf(directory, name);
    await using file = await openIfThere(path);
    if (!file) return;
    const { size, mtimeMs } = await file.stat();
    const inode = await inodeOf(file);
    const known = store.findFile(inode);
    if (!known) return;
    const { offset, head, retiredAtMs } = known;
    if (!isFinal && (retiredAtMs === null || atMs < Math.max(retiredAtMs, mtimeMs) + retireMs)) return;
    const rest = await readAt(file, offset, CHUNK_BYTES);
    if (rest.includes(NEWLINE)) return;
    if (rest.length > 0) {
      // The end of a row that will never come.
      store.take([{ file: { inode, offset: size, head }, rows: [], malformed: 0, torn: 1 }], atMs);
      log.warn({ torn: 1 }, "last row of a record file was truncated");
    }
    await unlink(path);
    store.forgetFile(inode);
    this.#askedFor.delete(inode);
  }
}

/** Whether there is a file that the same process can have begun only after it had left this one. */
function hasSuccessor(name: string, names: string[]): boolean {
  const [, active, asideAt] = /^(.*\.log)\.(\d+)$/.exec(name)!;
  return names.some((other) => {
    const [, base, at] = /^(.*\.log)(?:\.(\d+))?$/.exec(other)!;
    return base === active && (at === undefined || Number(at) > Number(asideAt));
  });
}

function rowsIn(chunk: Buffer): { rows: AccRow[]; malformed: number; torn: number } {
  const rows: AccRow[] = [];
  let malformed = 0;
  let torn = 0;
  for (const line of chunk.toString("utf8").split("\n")) {
    if (line === "") continue;
    const found = readRow(line);
    if (!found) malformed++;
    else {
      rows.push(found.row);
      if (found.isTorn) torn++;
    }
  }
  return { rows, malformed, torn };
}

async function readAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Some file systems have inodes beyond what a number holds. */
async function inodeOf(file: FileHandle): Promise<string> {
  return String((await file.stat({ bigint: true })).ino);
}

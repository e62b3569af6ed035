import { mkdir, open, stat, statfs, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { type AgentLog, textOf } from "../agent-log.ts";

interface Needs {
  /** On the disk that the records are written to. */
  path: string;
  reserveBytes: number;
  /** With less than this left, the disk is full. */
  minFreeBytes: number;
  log: AgentLog;
  /** Called when the disk fills up, and when space is free again. */
  onDiskFull(isFull: boolean): void;
  /** Bytes that are left on the disk of a folder. */
  freeBytes?(directory: string): Promise<number>;
}

/**
 * Reserved disk space, freed when the disk is full, so that active calls can still write their rows. The
 * operator is alerted, and new calls are rejected or unrecorded, as configured.
 */
export class DiskReserve {
  readonly #needs: Needs;
  #isFull = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  async check(): Promise<void> {
    const { path, minFreeBytes, reserveBytes } = this.#needs;
    const free = await (this.#needs.freeBytes ?? freeBytes)(dirname(path));
    if (!this.#isFull) {
      if (free < minFreeBytes) await this.#becomeFull(free);
      else if (free > minFreeBytes + reserveBytes) await this.#keep();
    } else if (free > minFreeBytes + 2 * reserveBytes) {
      await this.#keep();
      this.#isFull = false;
      this.#needs.log.info({ freeBytes: free }, "record disk has free space again");
      this.#needs.onDiskFull(false);
    }
  }

  /** Something could not be written for want of room, whatever the disk says about itself. */
  async ranOut(): Promise<void> {
    if (!this.#isFull) await this.#becomeFull(0);
  }

  async #becomeFull(free: number): Promise<void> {
    this.#isFull = true;
    const { path, log, onDiskFull } = this.#needs;
    // First of all: whatever follows may need the room.
    await unlink(path).catch(() => {});
    log.error({ freeBytes: free }, "record disk full; reserve file deleted");
    onDiskFull(true);
  }

  async #keep(): Promise<void> {
    const { path, reserveBytes, log } = this.#needs;
    const kept = await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    if (kept >= reserveBytes) return;
    await mkdir(dirname(path), { recursive: true });
    try {
      await using file = await open(path, "w");
      // Written, for a file with holes would keep no room.
      const zeros = Buffer.alloc(Math.min(reserveBytes, 1024 * 1024));
      for (let at = 0; at < reserveBytes; at += zeros.length)
        await file.write(zeros, 0, Math.min(zeros.length, reserveBytes - at), at);
      await file.datasync();
    } catch (error) {
      log.warn({ error: textOf(error) }, "reserve file not created");
    }
  }
}

/** The file system or SQLite has no room left. */
export function isOutOfRoom(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return code === "ENOSPC" || code === "EDQUOT" || errcode === 13;
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

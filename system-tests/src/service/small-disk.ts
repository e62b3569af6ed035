import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MIB = 1024 * 1024;

/** A separate disk (tmpfs). Needs root. */
export class SmallDisk implements Disposable {
  readonly folder: string;
  readonly #ballast: string;

  constructor(sizeMib: number) {
    this.folder = mkdtempSync(join(tmpdir(), "dialplane-disk-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${sizeMib}m,mode=700`, "tmpfs", this.folder]);
    this.#ballast = join(this.folder, "ballast");
  }

  freeMib(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return (bavail * bsize) / MIB;
  }

  /** By something other than records; as much as that takes now, whatever others do in the meantime. */
  fillUpTo(freeMib: number): void {
    const file = openSync(this.#ballast, "a");
    const piece = Buffer.alloc(64 * 1024);
    try {
      for (let left = (this.freeMib() - freeMib) * MIB; left > 0; left -= piece.length)
        writeSync(file, piece);
    } finally {
      closeSync(file);
    }
  }

  /** To the last byte. */
  fill(): void {
    try {
      this.fillUpTo(-1);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }

  clear(): void {
    rmSync(this.#ballast, { force: true });
  }

  [Symbol.dispose](): void {
    // Lazy, because processes with open files there are about to end.
    execFileSync("umount", ["-l", this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { CliFailure } from "./cli-failure.ts";
import { EXIT } from "./exit-codes.ts";

/** The last exported entry, and the hash of its line. */
export interface ChainEnd {
  after: string | undefined;
  previousHash: string | null;
}

export function hashOf(line: string): string {
  return createHash("sha256").update(line).digest("hex");
}

/** A line of the export. It has the hash of the line before, so that a changed line breaks the chain. */
export function chainedLine(entry: object, previousHash: string | null): string {
  return JSON.stringify({ ...entry, previous_hash: previousHash });
}

/** No entry is longer than this. */
const TAIL_BYTES = 4 * 1024 * 1024;
const NEWLINE = 10;

/** Opens an export to continue it. Removes a line that an interrupted export has not finished. */
export async function openExport(path: string): Promise<{ file: FileHandle; end: ChainEnd }> {
  const file = await open(path, "a+").catch((error: unknown) => {
    throw new CliFailure(`Cannot write ${path}: ${(error as Error).message}.`, { exitCode: EXIT.usage });
  });
  const { size } = await file.stat();
  const start = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  const tail = buffer.subarray(0, bytesRead);
  const last = tail.lastIndexOf(NEWLINE);
  await file.truncate(start + last + 1);
  if (last === -1) return { file, end: { after: undefined, previousHash: null } };
  const line = tail.subarray(last === 0 ? 0 : tail.lastIndexOf(NEWLINE, last - 1) + 1, last).toString();
  return { file, end: { after: entryIn(line, path).id, previousHash: hashOf(line) } };
}

interface ExportedEntry {
  id: string;
  previous_hash: string | null;
}

function entryIn(line: string, place: string): ExportedEntry {
  try {
    const entry = JSON.parse(line) as Partial<ExportedEntry> | null;
    if (typeof entry?.id === "string" && entry.previous_hash !== undefined) return entry as ExportedEntry;
  } catch {
    // Reported below.
  }
  throw new CliFailure(`${place} is not an export of audit entries.`, { exitCode: EXIT.usage });
}

/** Checks that each line has the hash of the line before. */
export async function verifyExport(path: string): Promise<{ entries: number; lastHash: string | null }> {
  const input = createReadStream(path, "utf8");
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  let [entries, lastHash]: [number, string | null] = [0, null];
  try {
    for await (const line of lines) {
      const { previous_hash: previousHash } = entryIn(line, `Line ${entries + 1}`);
      if (entries > 0 && previousHash !== lastHash)
        throw new CliFailure(
          `Line ${entries + 1} does not follow line ${entries}: a line was changed, added or removed.`,
          { exitCode: EXIT.conflict },
        );
      entries += 1;
      lastHash = hashOf(line);
    }
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    throw new CliFailure(`Cannot read ${path}: ${(error as Error).message}.`, { exitCode: EXIT.usage });
  }
  return { entries, lastHash };
}

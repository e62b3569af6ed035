import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Database } from "../../platform/db/database.ts";
import { type FileContent, readCalls, writeCalls } from "./calls.archive.parquet.ts";
import { type CallRow, COLUMNS, type DaySums, listDayPage, listDays, sumDay } from "./calls.archive.store.ts";

const PAGE = 10_000;
const MANIFEST = "manifest.json";

interface ArchivedFile extends FileContent {
  name: string;
  day: string;
  bytes: number;
  sha256: string;
}

/** Contents of an archived month. Written last: a month without it is not archived. */
export interface Manifest extends DaySums {
  format: 1;
  month: string;
  columns: typeof COLUMNS;
  files: ArchivedFile[];
}

/** Progress of a month while its files are written. */
interface Progress {
  files: ArchivedFile[];
}

/**
 * Writes a month of call records, a file per day, and reads each file back. Continues with the day after the last written
 * one. Returns undefined if it was stopped before the end.
 */
export async function archiveMonth(
  db: Database,
  { month, to }: { month: string; to: string },
  stopping: AbortSignal,
): Promise<Manifest | undefined> {
  const folder = join(to, `calls-${month}`);
  await mkdir(folder, { recursive: true });
  const progress = (await readJson<Progress>(join(folder, "progress.json"))) ?? { files: [] };
  for (const day of await listDays(db, month)) {
    if (stopping.aborted) return undefined;
    const sums = await sumDay(db, day);
    const done = progress.files.find((file) => file.day === day);
    if (done && isEqual(done, sums) && (await isIntact(folder, done))) continue;
    progress.files = progress.files.filter((file) => file.day !== day);
    progress.files.push(await archiveDay(db, folder, day));
    await writeJson(join(folder, "progress.json"), progress);
  }
  const manifest: Manifest = {
    format: 1,
    month,
    rows: sum(progress.files.map(({ rows }) => rows)),
    talk_seconds: sum(progress.files.map(({ talk_seconds }) => talk_seconds)),
    columns: COLUMNS,
    files: progress.files.toSorted((a, b) => a.day.localeCompare(b.day)),
  };
  await writeJson(join(folder, MANIFEST), manifest);
  // A month without calls has none.
  await rm(join(folder, "progress.json"), { force: true });
  return manifest;
}

/** Reads a manifest and all of its files. Throws if any of them differs. */
export async function verifyArchive(folder: string): Promise<Manifest> {
  const manifest = await readJson<Manifest>(join(folder, MANIFEST));
  if (!manifest) throw new Error(`${folder} has no manifest.`);
  for (const file of manifest.files)
    if (!(await isIntact(folder, file)))
      throw new Error(`${join(folder, file.name)} differs from its manifest.`);
  return manifest;
}

/** Whether an archived month has the same calls as the database. */
export async function isArchived(
  db: Database,
  { month, to }: { month: string; to: string },
): Promise<boolean> {
  const folder = join(to, `calls-${month}`);
  const manifest = await readJson<Manifest>(join(folder, MANIFEST));
  if (!manifest) return false;
  for (const day of await listDays(db, month)) {
    const file = manifest.files.find((one) => one.day === day);
    if (
      !file ||
      !isEqual(file, await sumDay(db, day)) ||
      (await hashOf(join(folder, file.name))) !== file.sha256
    )
      return false;
  }
  return true;
}

async function archiveDay(db: Database, folder: string, day: string): Promise<ArchivedFile> {
  const name = `calls-${day}.parquet`;
  const partial = join(folder, `${name}.partial`);
  const written = await writeCalls(partial, pagesOf(db, day));
  await syncFile(partial);
  const readBack = await readCalls(partial);
  if (readBack.digest !== written.digest || !isEqual(readBack, await sumDay(db, day)))
    throw new Error(`The archive of ${day} differs from the database. The calls are kept.`);
  const { size } = await stat(partial);
  const sha256 = await hashOf(partial);
  await rename(partial, join(folder, name));
  return { name, day, ...readBack, bytes: size, sha256 };
}

async function* pagesOf(db: Database, day: string): AsyncGenerator<CallRow[]> {
  for (let after: CallRow | undefined; ;) {
    const rows = await listDayPage(db, { day, after, limit: PAGE });
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1);
  }
}

async function isIntact(folder: string, file: ArchivedFile): Promise<boolean> {
  const path = join(folder, file.name);
  try {
    if ((await hashOf(path)) !== file.sha256) return false;
    const content = await readCalls(path);
    return content.digest === file.digest && isEqual(content, file);
  } catch {
    return false;
  }
}

function isEqual(one: DaySums, other: DaySums): boolean {
  return one.rows === other.rows && one.talk_seconds === other.talk_seconds;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

async function readJson<Value>(path: string): Promise<Value | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as Value);
}

/** Complete or absent, also after a loss of power. */
async function writeJson(path: string, value: object): Promise<void> {
  await writeFile(`${path}.partial`, `${JSON.stringify(value, null, 2)}\n`);
  await syncFile(`${path}.partial`);
  await rename(`${path}.partial`, path);
  await syncFile(join(path, ".."));
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  await file.sync();
  await file.close();
}

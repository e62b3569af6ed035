import type { App } from "../../app.ts";
import type { Database } from "../../platform/db/database.ts";
import { archiveMonth, isArchived, type Manifest } from "./calls.archive.ts";
import { listMonths } from "./calls.archive.store.ts";

/** A run ends before the queue takes it for dead. The next one continues. */
const RUN_MS = 200_000;

/** Archives a month before its partition is dropped. False if it needs another run. */
export async function archiveBeforeDrop(
  { db, config, log }: Pick<App, "db" | "config" | "log">,
  partition: string,
): Promise<boolean> {
  const to = config.callArchive;
  if (to === undefined) return true;
  const month = partition.replace(/^records_(\d{4})_(\d{2})$/, "$1-$2");
  if (await isArchived(db, { month, to })) return true;
  const manifest = await archiveMonth(db, { month, to }, AbortSignal.timeout(RUN_MS));
  if (manifest) log.info({ month, rows: manifest.rows }, "call records are archived");
  return manifest !== undefined;
}

/** Archives all stored months before this one. */
export async function archiveCallsBefore(
  db: Database,
  { before, to }: { before: string; to: string },
): Promise<Manifest[]> {
  const manifests = [];
  for (const month of await listMonths(db, before)) {
    const manifest = await archiveMonth(db, { month, to }, new AbortController().signal);
    if (manifest && manifest.rows > 0) manifests.push(manifest);
  }
  return manifests;
}

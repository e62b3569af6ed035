import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { backup, type DatabaseSync } from "node:sqlite";

/** The newest ones; older files are deleted. */
const MOST_KEPT = 3;

export interface SavedState {
  /** The epoch that ended. */
  epoch: string;
  savedAt: Date;
  path: string;
}

/** Copies the whole store, so that a restore can later be compared with what this switch held before it. */
export async function saveState(db: DatabaseSync, storePath: string, epoch: string): Promise<void> {
  const path = `${storePath}.epoch-${epoch}`;
  // Gets its final name only when it is complete: an interrupted copy is repeated.
  await backup(db, `${path}.partial`);
  renameSync(`${path}.partial`, path);
  for (const old of listSavedStates(storePath).slice(MOST_KEPT)) rmSync(old.path);
}

/** Newest first. */
export function listSavedStates(storePath: string): SavedState[] {
  const folder = dirname(storePath);
  const prefix = `${basename(storePath)}.epoch-`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && /^[\w-]+$/.test(name.slice(prefix.length)))
    .map((name) => {
      const path = join(folder, name);
      return { epoch: name.slice(prefix.length), savedAt: statSync(path).mtime, path };
    })
    .toSorted((one, other) => other.savedAt.getTime() - one.savedAt.getTime());
}

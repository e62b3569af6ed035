import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { backup, type DatabaseSync } from "node:sqlite";

/** The newest ones; older files are deleted. */
const MOST_KEPT = 3;

export interface SavedState {
  /** The epoch that ended. */
  epoch: string;
  /** Epoch of the restore that began. Undefined for a state that was saved when its epoch ended. */
  hold?: string | undefined;
  savedAt: Date;
  path: string;
}

/** Copies the whole store, so that a restore can later be compared with what this switch held before it. */
export async function saveState(
  db: DatabaseSync,
  storePath: string,
  { epoch, hold }: Pick<SavedState, "epoch" | "hold">,
): Promise<void> {
  if (listSavedStates(storePath).some((one) => one.epoch === epoch && one.hold !== undefined)) return;
  const path = `${storePath}.epoch-${epoch}${hold === undefined ? "" : `.hold-${hold}`}`;
  // Gets its final name only when it is complete: an interrupted copy is repeated.
  await backup(db, `${path}.partial`);
  renameSync(`${path}.partial`, path);
  for (const old of listSavedStates(storePath).slice(MOST_KEPT)) rmSync(old.path);
}

const SAVED = /^([\w-]+)(?:\.hold-([\w-]+))?$/;

/** Newest first. */
export function listSavedStates(storePath: string): SavedState[] {
  const folder = dirname(storePath);
  const prefix = `${basename(storePath)}.epoch-`;
  return readdirSync(folder)
    .flatMap((name) => {
      const [, epoch, hold] = (name.startsWith(prefix) && SAVED.exec(name.slice(prefix.length))) || [];
      if (epoch === undefined) return [];
      const path = join(folder, name);
      return { epoch, hold, savedAt: statSync(path).mtime, path };
    })
    .toSorted((one, other) => other.savedAt.getTime() - one.savedAt.getTime());
}

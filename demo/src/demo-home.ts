import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { stopLeftCluster } from "@dialplane/server/private-cluster";
import { DemoFailure } from "./demo-failure.ts";
import type { Population } from "./population.ts";

/** State that a demo needs to continue with an earlier demo's data. */
export interface Kept {
  masterSecret: string;
  switchCredential: string;
  population: Population;
}

/** The folder of a demo. */
export interface DemoHome {
  directory: string;
  /** PostgreSQL's data directory. */
  cluster: string;
  isKept: boolean;
  /** Path of the log, which stays when everything else is removed. */
  log: string;
  /** State of an earlier demo that had become ready. */
  kept: Kept | undefined;
  keep(kept: Kept): void;
  leave(): void;
}

interface HomeOptions {
  /** `undefined` for a temporary folder that is removed at the end. */
  directory: string | undefined;
  /** If true, deletes the data of an earlier demo. */
  isReset: boolean;
}

export async function openHome({ directory: wanted, isReset }: HomeOptions): Promise<DemoHome> {
  const directory = wanted === undefined ? mkdtempSync(join(tmpdir(), "dialplane-demo-")) : resolve(wanted);
  mkdirSync(directory, { recursive: true });
  allowPostgres(directory);
  const lock = lockHome(directory);
  const cluster = join(directory, "cluster");
  const file = join(directory, "demo.json");
  await stopLeftCluster(cluster);
  // A demo that was killed before it was ready is half a demo.
  if (isReset || !existsSync(file)) removeData({ directory, cluster, file });
  return {
    directory,
    cluster,
    isKept: wanted !== undefined,
    log: wanted === undefined ? `${directory}.log` : join(directory, "demo.log"),
    kept: existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Kept) : undefined,
    keep(kept) {
      writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
    leave() {
      // The next start would discard them anyway: the example data are incomplete.
      if (!existsSync(file)) removeData({ directory, cluster, file });
      lock.close();
      if (wanted === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL runs as another account if root starts it. Secret files have their own permissions. */
function allowPostgres(directory: string): void {
  if (process.getuid?.() !== 0) return;
  process.umask(0o022);
  chmodSync(directory, 0o711);
}

/** The kernel releases SQLite's lock when the owning process ends, even after a crash. */
function lockHome(directory: string): DatabaseSync {
  const lock = new DatabaseSync(join(directory, "lock.sqlite"));
  try {
    lock.exec("begin exclusive");
    return lock;
  } catch {
    throw new DemoFailure(
      `Another demo is running in ${directory}. End it first, or name another --directory.`,
    );
  }
}

function removeData({
  directory,
  cluster,
  file,
}: {
  directory: string;
  cluster: string;
  file: string;
}): void {
  for (const path of [file, cluster, join(directory, "mail")]) rmSync(path, { recursive: true, force: true });
  for (const suffix of ["", "-wal", "-shm"])
    rmSync(join(directory, `switch.sqlite${suffix}`), { force: true });
}

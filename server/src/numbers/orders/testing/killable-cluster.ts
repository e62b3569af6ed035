import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startPrivateCluster } from "../../../platform/db/private-cluster.ts";
import { migrateDatabase } from "../../../start.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import { onCluster, TEMPLATE } from "../../../../testing/test-database.ts";

export interface KillableCluster extends AsyncDisposable {
  /** The same before and after a kill. */
  url: string;
  /** All of its processes at once, then starts it on what they left. */
  kill(): Promise<void>;
}

/** A cluster with a migrated template and the default durability of PostgreSQL. */
export async function startKillableCluster(): Promise<KillableCluster> {
  const directory = mkdtempSync(join(tmpdir(), "dialplane-killed-"));
  const port = await freePort();
  const start = () => startPrivateCluster({ directory, settings: { port: String(port) } });
  let cluster = await start();
  const urlOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  await onCluster(urlOf("postgres"), `create database ${TEMPLATE}`);
  await migrateDatabase(testConfig(urlOf(TEMPLATE)));
  return {
    url: urlOf("postgres"),
    async kill() {
      const pids = [cluster.pid, ...childrenOf(cluster.pid)];
      for (const pid of pids) killOne(pid);
      // A process that still has the shared memory prevents the next start.
      while (pids.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 5));
      cluster = await start();
    },
    async [Symbol.asyncDispose]() {
      await cluster[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && statusOf(Number(name))?.parent === parent)
    .map(Number);
}

/** One that ended between being listed and being killed is gone either way. */
function killOne(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {}
}

/** One that is dead and not yet collected holds nothing any longer. */
function isRunning(pid: number): boolean {
  const state = statusOf(pid)?.state;
  return state !== undefined && state !== "Z" && state !== "X";
}

/** As proc_pid_stat(5) has it, after the name, which may contain anything. */
function statusOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = line.slice(line.lastIndexOf(")") + 2).split(" ");
    return { state: state!, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

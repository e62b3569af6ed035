import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { until } from "../sip/until.ts";
import type { DatabaseCluster, DatabaseNode } from "./database-cluster.ts";
import { ownedByPostgres } from "./drill-folder.ts";
import { asUser } from "./part.ts";

const RECOVERY_MS = 300_000;

/** Takes a full backup of the primary. */
export async function backUp(node: DatabaseNode): Promise<void> {
  await pgBackRest(node, "--type=full", "backup");
}

/** Restores the whole cluster to a point in time. Nothing uses the database. `node` took the backup, and is the primary. */
export async function restoreCluster(database: DatabaseCluster, node: DatabaseNode, to: Date): Promise<void> {
  // The primary last: otherwise a standby would take its place.
  for (const other of database.nodes) if (other !== node) await other.patroni.stop();
  await node.patroni.stop();
  const time = to.toISOString().replace("T", " ").replace("Z", "+00");
  await pgBackRest(node, "--delta", "--type=time", `--target=${time}`, "--target-action=promote", "restore");
  await recover(node);
  await forgetCluster(node);
  for (const other of database.nodes) if (other !== node) empty(other);
  node.patroni.start();
  await until("the restored primary", async () => (await database.primary()) === node, RECOVERY_MS);
  for (const { patroni } of database.nodes) if (patroni !== node.patroni) patroni.start();
  await database.waitUntilWhole();
}

/**
 * Replays the WAL up to the point in time, without Patroni: it would replace the settings of the recovery, and replay all.
 * No standby confirms commits, and no client can connect.
 */
async function recover(node: DatabaseNode): Promise<void> {
  const { POSTGRES_BIN: bin, POSTGRES_DATA: data, POSTGRES_RUN: run } = node.values;
  const settings = "-c listen_addresses= -c synchronous_standby_names=";
  const log = join(run!, "recovery.log");
  await asPostgres([`${bin}/pg_ctl`, "start", "-w", "-t", "300", "-D", data!, "-o", settings, "-l", log]);
  const query = (sql: string): Promise<string> =>
    asPostgres(["psql", "-XAt", "-h", run!, "-c", sql, "postgres"]);
  const isOver = async (): Promise<boolean> => (await query("select pg_is_in_recovery()")).trim() === "f";
  await until("the end of the recovery", isOver, RECOVERY_MS);
  // The target and the archive, which the node must not use as a standby later.
  await query("alter system reset all");
  await asPostgres([`${bin}/pg_ctl`, "stop", "-w", "-m", "fast", "-D", data!]);
}

/** Without this, Patroni would reject a data directory that is older than its cluster. */
async function forgetCluster(node: DatabaseNode): Promise<void> {
  const child = spawn("patronictl", ["-c", node.patroniFile, "remove", "dialplane"]);
  child.stdin.end("dialplane\nYes I am aware\n");
  const [output, [status]] = await Promise.all([
    text(child.stderr),
    once(child, "close"),
    text(child.stdout),
  ]);
  if (status !== 0) throw new Error(`patronictl remove: ${output}`);
}

/** Patroni copies the primary into an empty folder. */
function empty({ values }: DatabaseNode): void {
  const data = values["POSTGRES_DATA"]!;
  rmSync(data, { recursive: true });
  mkdirSync(data, { mode: 0o700 });
  ownedByPostgres(data);
}

function pgBackRest({ values }: DatabaseNode, ...args: string[]): Promise<string> {
  const config = `--config=${values["PGBACKREST_CONFIG"]}`;
  return asPostgres(["pgbackrest", config, "--stanza=dialplane", ...args]);
}

async function asPostgres(command: string[]): Promise<string> {
  const [program, ...args] = asUser(command, "postgres");
  const { stdout } = await promisify(execFile)(program!, args, { cwd: "/" });
  return stdout;
}

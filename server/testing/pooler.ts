import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DOORS, roleOf } from "../src/platform/db/database.ts";
import type { StatementMode } from "../src/platform/db/statement-name.ts";
import { freePort } from "../src/platform/db/private-cluster.ts";

const REFERENCE = new URL("../../deploy/pgbouncer/pgbouncer.ini", import.meta.url);

export interface Pooler extends AsyncDisposable {
  /** How this release of PgBouncer wants statements. */
  statements: StatementMode;
  /** Address of a database of the cluster, through PgBouncer. */
  urlOf(databaseUrl: string): string;
}

interface PoolerOptions {
  poolSize?: number;
  /** Contents of `userlist.txt`. Without it, passwords are not checked: tests that share a cluster change those of its roles. */
  users?: string;
}

/** A real PgBouncer with the reference configuration, in front of all databases of a cluster. */
export async function startPooler(
  clusterUrl: string,
  { poolSize = 4, users }: PoolerOptions = {},
): Promise<Pooler> {
  const directory = mkdtempSync(join(tmpdir(), "dialplane-pgbouncer-"));
  const port = await freePort();
  const statements = hasPreparedStatements() ? "named" : "unnamed";
  const { hostname, port: databasePort } = new URL(clusterUrl);
  const changed = {
    listen_port: String(port),
    auth_file: join(directory, "users"),
    unix_socket_dir: "",
    default_pool_size: String(poolSize),
    ...(statements === "named" ? { max_prepared_statements: "500" } : {}),
    // Databases of tests come and go.
    server_idle_timeout: "10",
    autodb_idle_timeout: "10",
    ...(users === undefined ? { auth_type: "trust", auth_user: "", auth_query: "" } : {}),
  };
  const reference = readFileSync(REFERENCE, "utf8");
  const lines = [
    reference.replace(/^dialplane = .*$/m, `* = host=${hostname} port=${databasePort}`),
    // The section is the last one, and the last value of a setting counts.
    ...Object.entries(changed).map(([name, value]) => `${name} = ${value}`),
  ];
  const configuration = join(directory, "pgbouncer.ini");
  writeFileSync(configuration, lines.join("\n"));
  writeFileSync(join(directory, "users"), users ?? DOORS.map((door) => `"${roleOf(door)}" ""\n`).join(""));
  const child = start(directory, configuration);
  let log = "";
  child.stderr?.on("data", (chunk: Buffer) => (log = (log + chunk).slice(-20_000)));
  await untilReady(child, () => log);
  return {
    statements,
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      url.port = String(port);
      return url.href;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Since 1.21. Debian 12 has 1.18. */
function hasPreparedStatements(): boolean {
  const [, minor] = /PgBouncer 1\.(\d+)/.exec(
    execFileSync("pgbouncer", ["--version"], { encoding: "utf8" }),
  )!;
  return Number(minor) >= 21;
}

/** As another user, because PgBouncer does not run as root. */
function start(directory: string, configuration: string): ChildProcess {
  const stdio = ["ignore", "ignore", "pipe"] as ["ignore", "ignore", "pipe"];
  if (process.getuid?.() !== 0) return spawn("pgbouncer", [configuration], { stdio });
  const [uid, gid] = ["-u", "-g"].map((which) => Number(execFileSync("id", [which, "postgres"])));
  chownSync(directory, uid!, gid!);
  const identity = ["--reuid", String(uid), "--regid", String(gid), "--clear-groups", "--pdeathsig", "TERM"];
  return spawn("setpriv", [...identity, "pgbouncer", configuration], { stdio });
}

async function untilReady(child: ChildProcess, log: () => string): Promise<void> {
  let failure: unknown;
  child.on("error", (error) => (failure = error));
  while (!log().includes("process up")) {
    if (failure || child.exitCode !== null)
      throw new Error(`PgBouncer did not start: ${log()}`, { cause: failure });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

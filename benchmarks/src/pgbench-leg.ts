import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { binary } from "@dialplane/server/private-cluster";
import { cpuOfCluster, cpuOfEndedChildren } from "./cpu-time.ts";
import { cpuPerOperation, type Leg, quantile } from "./leg.ts";

/** The one statement of a request with a session; cost-of-a-request.ts makes sure that the API sends this very text. */
export const SESSION_SQL = "select * from authenticate_session($1, $2, $3)";

/** Enough latencies for a 99th percentile, and hardly any work for pgbench. */
const LOGGED_SHARE = 0.1;
const SESSION_IDLE_DAYS = 7;

export interface PgbenchLoad {
  databaseUrl: string;
  clusterPid: number;
  connections: number;
  warmUpSeconds: number;
  seconds: number;
  /** Of as many sessions as there are connections, as text: where each begins. */
  firstHashes: string[];
}

/** The same statement without anything of ours around it: what PostgreSQL by itself can answer. */
export async function runPgbenchLeg(load: PgbenchLoad, signal: AbortSignal): Promise<Leg> {
  const directory = mkdtempSync(join(tmpdir(), "dialplane-pgbench-"));
  try {
    const script = join(directory, "script");
    writeFileSync(script, scriptFrom(load.firstHashes));
    await runPgbench(load, load.warmUpSeconds, ["-f", script], signal);

    const before = { postgres: cpuOfCluster(load.clusterPid), client: cpuOfEndedChildren() };
    const log = ["-l", `--sampling-rate=${LOGGED_SHARE}`, `--log-prefix=${join(directory, "log")}`];
    const said = await runPgbench(load, load.seconds, ["-f", script, ...log], signal);
    const postgres = cpuOfCluster(load.clusterPid) - before.postgres;
    const client = cpuOfEndedChildren() - before.client;

    const operations = numberIn(said, /^number of transactions actually processed: (\d+)/m);
    const failed = numberIn(said, /^number of failed transactions: (\d+)/m);
    if (failed > 0) throw new Error(`pgbench: ${failed} transactions failed`);
    const latenciesMs = readLatencies(directory);
    return {
      operations,
      perSecond: numberIn(said, /^tps = ([\d.]+)/m),
      p50Ms: quantile(latenciesMs, 0.5),
      p99Ms: quantile(latenciesMs, 0.99),
      cpu: cpuPerOperation({ server: undefined, postgres, client }, operations),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * pgbench can draw numbers by chance, but not texts. So each person is named after the hash of another's
 * session (bench-population.ts): what one execution returns as "name" is what the next one asks for. \gset
 * also makes pgbench stop unless exactly one session is found.
 */
function scriptFrom(firstHashes: readonly string[]): string {
  const start = `(array[${firstHashes.map((hash) => `'${hash}'`).join(", ")}])[:client_id + 1]`;
  const statement = SESSION_SQL.replace("$1", ":name").replace("$2", ":at").replace("$3", ":seen_since");
  return [
    "\\if :is_first",
    `select ${start} as name \\gset`,
    "\\set is_first 0",
    "\\endif",
    `${statement} \\gset`,
    "",
  ].join("\n");
}

async function runPgbench(
  load: PgbenchLoad,
  seconds: number,
  more: string[],
  signal: AbortSignal,
): Promise<string> {
  const now = Date.now();
  const values = {
    is_first: "1",
    at: new Date(now).toISOString(),
    seen_since: new Date(now - SESSION_IDLE_DAYS * 86_400_000).toISOString(),
  };
  // It takes whole seconds only.
  const duration = String(Math.max(1, Math.round(seconds)));
  const variables = Object.entries(values).flatMap(([name, value]) => ["-D", `${name}=${value}`]);
  const shape = ["-n", "-M", "prepared", "-c", String(load.connections), "-j", "1", "-T", duration];
  const run = promisify(execFile);
  const { stdout } = await run(binary("pgbench"), [...shape, ...variables, ...more, load.databaseUrl], {
    signal,
  });
  return stdout;
}

function readLatencies(directory: string): number[] {
  const lines = readdirSync(directory)
    .filter((name) => name.startsWith("log."))
    .flatMap((name) => readFileSync(join(directory, name), "utf8").trim().split("\n"));
  // client, transaction, latency in µs, script, seconds, µs
  return lines.filter(Boolean).map((line) => Number(line.split(" ")[2]) / 1000);
}

function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`pgbench said something unexpected:\n${text}`);
  return Number(found);
}

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { binary } from "@dialplane/server/private-cluster";
import { cpuOf, cpuOfCluster } from "./cpu-time.ts";
import { cpuPerOperation, type Leg, quantile } from "./leg.ts";
import type { PgbenchScript } from "./pgbench-script.ts";

/** It must still be running when the measurement ends; a signal ends it then. */
const SPARE_SECONDS = 600;
/** A leg without a single answer is measured again, this much longer. */
const LONGER = 4;
const LONGEST_SECONDS = 60;

export interface PgbenchLoad {
  databaseUrl: string;
  clusterPid: number;
  connections: number;
  warmUpSeconds: number;
  seconds: number;
  script: PgbenchScript;
}

/**
 * The same statements without the API: the capacity of PostgreSQL alone.
 * The start of the run does not count: a new connection has no plans yet, and the API's connections are old.
 */
export async function runPgbenchLeg(load: PgbenchLoad, signal: AbortSignal): Promise<Leg> {
  const directory = mkdtempSync(join(tmpdir(), "dialplane-pgbench-"));
  try {
    const script = join(directory, "script");
    writeFileSync(script, load.script.text);
    const running = startPgbench(
      load,
      ["-f", script, "-l", `--log-prefix=${join(directory, "log")}`],
      signal,
    );
    const ended = running.then(() => {
      throw new Error("pgbench ended before it was measured");
    });
    await Promise.race([pause(load.warmUpSeconds * 1000), ended]);
    const before = stateOf(load, running.child.pid!);
    await Promise.race([pause(load.seconds * 1000), ended]);
    const after = stateOf(load, running.child.pid!);
    ended.catch(() => {});
    // Its own timer sends the same signal, but only after whole seconds.
    running.child.kill("SIGALRM");
    checkOutcome((await running).stdout);

    const latenciesMs = readLatencies(directory, before.at, after.at);
    const operations = latenciesMs.length;
    if (operations === 0) return await measureLonger(load, signal);
    return {
      operations,
      perSecond: (operations / (after.at - before.at)) * 1000,
      p50Ms: quantile(latenciesMs, 0.5),
      p99Ms: quantile(latenciesMs, 0.99),
      mostMs: quantile(latenciesMs, 1),
      cpu: cpuPerOperation(
        {
          server: undefined,
          postgres: after.postgres - before.postgres,
          client: after.client - before.client,
        },
        operations,
      ),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A machine with other things to do may need longer for one transaction than a short leg takes. */
function measureLonger(load: PgbenchLoad, signal: AbortSignal): Promise<Leg> {
  const seconds = load.seconds * LONGER;
  if (seconds > LONGEST_SECONDS) throw new Error("pgbench got not one answer");
  return runPgbenchLeg({ ...load, seconds }, signal);
}

function startPgbench(load: PgbenchLoad, more: string[], signal: AbortSignal) {
  const duration = String(Math.ceil(load.warmUpSeconds + load.seconds + SPARE_SECONDS));
  const variables = Object.entries(load.script.variables).flatMap(([name, value]) => [
    "-D",
    `${name}=${value}`,
  ]);
  const shape = ["-n", "-M", "prepared", "-c", String(load.connections), "-j", "1", "-T", duration];
  const run = promisify(execFile);
  return run(binary("pgbench"), [...shape, ...variables, ...more, load.databaseUrl], { signal });
}

function stateOf({ clusterPid }: PgbenchLoad, pid: number): { at: number; postgres: number; client: number } {
  return { at: Date.now(), postgres: cpuOfCluster(clusterPid), client: cpuOf(pid) };
}

function checkOutcome(said: string): void {
  const failed = /^number of failed transactions: (\d+)/m.exec(said)?.[1];
  if (failed !== "0") throw new Error(`pgbench: not every transaction went through:\n${said}`);
}

/** Latencies of executions that ended between the two times. */
function readLatencies(directory: string, from: number, to: number): number[] {
  const lines = readdirSync(directory)
    .filter((name) => name.startsWith("log."))
    .flatMap((name) => readFileSync(join(directory, name), "utf8").trim().split("\n"));
  return lines.filter(Boolean).flatMap((line) => {
    // client, transaction, latency in µs, script, seconds, µs
    const [, , latency, , seconds, micros] = line.split(" ").map(Number);
    const endedAt = seconds! * 1000 + micros! / 1000;
    return endedAt >= from && endedAt < to ? [latency! / 1000] : [];
  });
}

import { readFileSync } from "node:fs";
import type { PrivateCluster } from "../../../platform/db/private-cluster.ts";
import type { TestDatabase } from "../../../../testing/test-database.ts";

/** Resources that a period of work used. */
export interface Cost {
  seconds: number;
  serverCpuSeconds: number;
  serverRssMb: number;
  postgresCpuSeconds: number;
  transactionsPerSecond: number;
  statementsPerSecond: number;
}

/** PostgreSQL counts statements only when it was started with this. */
export const COUNTING_SETTINGS = {
  shared_preload_libraries: "pg_stat_statements",
  track_commit_timestamp: "on",
};

interface Reading {
  atMs: number;
  serverCpu: number;
  postgresCpu: number;
  transactions: number;
  statements: number;
}

export interface Measured {
  serverPid: number;
  cluster: Pick<PrivateCluster, "pid">;
  admin: TestDatabase["admin"];
}

/** Starts counting. The returned function reports the cost up to its call. */
export async function countCost(measured: Measured): Promise<() => Promise<Cost>> {
  await measured.admin("create extension if not exists pg_stat_statements");
  const before = await read(measured);
  return async () => {
    const after = await read(measured);
    const seconds = (after.atMs - before.atMs) / 1000;
    return {
      seconds: rounded(seconds),
      serverCpuSeconds: rounded(after.serverCpu - before.serverCpu),
      serverRssMb: rounded(rssBytesOf(measured.serverPid) / 2 ** 20),
      postgresCpuSeconds: rounded(after.postgresCpu - before.postgresCpu),
      transactionsPerSecond: rounded((after.transactions - before.transactions) / seconds),
      statementsPerSecond: rounded((after.statements - before.statements) / seconds),
    };
  };
}

async function read({ serverPid, cluster, admin }: Measured): Promise<Reading> {
  const [row] = await admin<{ transactions: string; statements: string }>(
    `select (select xact_commit + xact_rollback from pg_stat_database where datname = current_database()) as transactions,
       (select sum(calls) from pg_stat_statements) as statements`,
  );
  return {
    atMs: performance.now(),
    serverCpu: cpuOf(serverPid).own,
    postgresCpu: cpuOfFamily(cluster.pid),
    transactions: Number(row!.transactions),
    statements: Number(row!.statements),
  };
}

/** A process, its living children and those that have ended. */
function cpuOfFamily(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  const { own, reaped } = cpuOf(pid);
  return children.reduce((sum, child) => sum + cpuIfThere(Number(child)), own + reaped);
}

function cpuIfThere(pid: number): number {
  try {
    return cpuOf(pid).own;
  } catch {
    return 0; // it ended in the meantime and is among the reaped at the next reading
  }
}

/** Seconds of all threads; proc(5) counts in hundredths. The program's name may hold spaces and parentheses. */
function cpuOf(pid: number): { own: number; reaped: number } {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
  return { own: (utime! + stime!) / 100, reaped: (cutime! + cstime!) / 100 };
}

function rssBytesOf(pid: number): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
  return Number(pages) * 4096;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

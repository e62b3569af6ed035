import { setTimeout as pause } from "node:timers/promises";
import type { Settings } from "@dialplane/server/config";
import pg from "pg";
import { startWorker } from "./bench-processes.ts";
import { cpuOf, cpuOfCluster } from "./cpu-time.ts";
import { quantile } from "./leg.ts";
import { psql } from "./psql.ts";

/** A backlog that is worked off: jobs from the end of the warm-up to the last one. */
export interface WorkedOff {
  jobs: number;
  perSecond: number;
  /** From taking a job up to its end. */
  p50Ms: number;
  p99Ms: number;
  /** Microseconds per job, of the worker and of all of PostgreSQL. */
  cpu: { worker: number; postgres: number };
}

export interface OrdersWorkedOff extends WorkedOff {
  /** Per order, as PostgreSQL counts them: those of the queue and of the worker's other duties among them. */
  transactions: number;
  /** Maximum of concurrently claimed orders. */
  mostAtOnce: number;
}

/** The first part of a backlog, while code is compiled and connections are opened. */
export const WARM_UP_SHARE = 0.2;

const LOOK_EVERY_MS = 25;
const STUCK_AFTER_MS = 120_000;

export interface OrderLoad {
  databaseUrl: string;
  clusterPid: number;
  workerSettings: Settings;
  /** Called when the part that counts begins. */
  onWarm?: () => void;
  signal: AbortSignal;
}

/** A new worker finds all these orders waiting. */
export async function runOrderLeg(load: OrderLoad, orders: number): Promise<OrdersWorkedOff> {
  const commitsBefore = await commitsOf(load.databaseUrl);
  let looks = 0;
  let measured: Pick<WorkedOff, "cpu" | "jobs"> & { from: number };
  {
    await using worker = startWorker(load.workerSettings);
    const client = new pg.Client(load.databaseUrl);
    await client.connect();
    try {
      const untilOpen = (most: number): Promise<number> =>
        untilLeft(client, load.signal, most, () => looks++);
      const cpu = (): WorkedOff["cpu"] => ({
        worker: cpuOf(worker.pid),
        postgres: cpuOfCluster(load.clusterPid),
      });
      const left = await untilOpen(Math.floor(orders * (1 - WARM_UP_SHARE)));
      const [from, before] = [Date.now(), cpu()];
      load.onWarm?.();
      await untilOpen(0);
      const after = cpu();
      const perJob = (total: number): number => total / left;
      measured = {
        from,
        jobs: left,
        cpu: {
          worker: perJob(after.worker - before.worker),
          postgres: perJob(after.postgres - before.postgres),
        },
      };
    } finally {
      await client.end();
    }
  }
  const transactions = ((await commitsOf(load.databaseUrl)) - commitsBefore - looks) / orders;
  const { from, ...counted } = measured;
  return { ...counted, ...(await timesOf(load.databaseUrl, from, orders)), transactions };
}

/** How many are left once there are no more than this. */
async function untilLeft(
  client: pg.Client,
  signal: AbortSignal,
  most: number,
  onLook: () => void,
): Promise<number> {
  let last = Infinity;
  for (let movedAt = performance.now(); ; await pause(LOOK_EVERY_MS)) {
    signal.throwIfAborted();
    onLook();
    const { rows } = await client.query<{ left: number }>(
      "select count(*)::int as left from jobs where is_open",
    );
    const left = rows[0]!.left;
    if (left <= most) return left;
    if (left < last) movedAt = performance.now();
    else if (performance.now() - movedAt > STUCK_AFTER_MS) throw new Error(`${left} orders do not go on`);
    last = left;
  }
}

/** Complete once the worker has exited: a connection reports its counts at its end at the latest. */
async function commitsOf(databaseUrl: string): Promise<number> {
  const count = "select xact_commit from pg_stat_database where datname = current_database()";
  return Number(await psql(databaseUrl, [count]));
}

/** Times of the newest orders. Each of them must have got its number at the first attempt. */
async function timesOf(
  databaseUrl: string,
  from: number,
  orders: number,
): Promise<Pick<OrdersWorkedOff, "perSecond" | "p50Ms" | "p99Ms" | "mostAtOnce">> {
  const said = await psql(databaseUrl, [
    `select extract(epoch from started_at) * 1000, extract(epoch from finished_at) * 1000, status, attempts
     from jobs order by id desc limit ${orders}`,
  ]);
  const rows = said
    .trim()
    .split("\n")
    .map((line) => line.split("|"));
  const odd = rows.find(([, , status, attempts]) => status !== "succeeded" || attempts !== "1");
  if (odd || rows.length < orders) throw new Error(`not every order ended well: ${odd?.join(", ")}`);
  const times = rows.map(([start, end]) => ({ start: Number(start), end: Number(end) }));
  const counted = times.filter(({ end }) => end > from);
  const tookMs = counted.map(({ start, end }) => end - start);
  return {
    perSecond: (counted.length / (Math.max(...counted.map(({ end }) => end)) - from)) * 1000,
    p50Ms: quantile(tookMs, 0.5),
    p99Ms: quantile(tookMs, 0.99),
    mostAtOnce: mostAtOnce(times),
  };
}

function mostAtOnce(times: readonly { start: number; end: number }[]): number {
  const edges = times.flatMap(({ start, end }) => [
    { at: start, step: 1 },
    { at: end, step: -1 },
  ]);
  edges.sort((a, b) => a.at - b.at || a.step - b.step);
  let now = 0;
  return Math.max(...edges.map(({ step }) => (now += step)));
}

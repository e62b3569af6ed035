import { readFileSync } from "node:fs";
import { send } from "../../../../testing/send.ts";
import type { ServerProcess } from "../../../../testing/server-process.ts";
import { until } from "../../../../testing/service.ts";
import type { TestDatabase } from "../../../../testing/test-database.ts";

export interface Watched {
  /** Longest wait for a connection that all samples show, by process and database role. */
  poolWaitMs: Record<string, number>;
  mostUsed: Record<string, number>;
  /** Longest idle time in a transaction, in any process. */
  idleInTransactionMs: number;
  /** CPU time of both processes and of the database's connections, which a busy neighbour does not distort. */
  cpuSeconds: Record<"api" | "worker" | "postgres", number>;
  seconds: number;
  looks: number;
}

export interface OutageWatch<Phase extends string> extends AsyncDisposable {
  enter(phase: Phase): void;
  watched(): Record<Phase, Watched>;
  /** Milliseconds from then until each process was first seen not to ask the carrier; Infinity where it never was. */
  firstAwayAfter(ms: number): Record<"api" | "worker", number>;
}

const EVERY_MS = 250;
const BACKENDS = `select pid, case when state like 'idle in transaction%'
    then extract(epoch from clock_timestamp() - state_change)::float * 1000 else 0 end as idle_ms
  from pg_stat_activity where datname = current_database()`;

/** Looks at the metrics of both processes and into the database, repeatedly. */
export async function openOutageWatch<Phase extends string>(
  { admin }: Pick<TestDatabase, "admin">,
  processes: Record<"api" | "worker", ServerProcess>,
): Promise<OutageWatch<Phase>> {
  const phases = new Map<Phase, Watched>();
  const away: { name: "api" | "worker"; atMs: number }[] = [];
  let now: Watched | undefined;

  const notePools = openPoolNotes();
  const noteProcess = async (name: "api" | "worker"): Promise<void> => {
    const text = await metricsOf(processes[name]);
    if (/^carrier_away\{carrier="telnyx"\} 1$/m.test(text)) away.push({ name, atMs: performance.now() });
    notePools(name, text, now);
  };
  const cpuSince = openCpuMeter();
  let lookedMs = performance.now();
  const look = async (): Promise<void> => {
    const [backends] = await Promise.all([
      admin<{ pid: number; idle_ms: number }>(BACKENDS),
      noteProcess("api"),
      noteProcess("worker"),
    ]);
    const grown = {
      api: cpuSince(processes.api.process.pid!),
      worker: cpuSince(processes.worker.process.pid!),
      postgres: backends.reduce((sum, { pid }) => sum + cpuSince(pid), 0),
    };
    const sinceMs = lookedMs;
    lookedMs = performance.now();
    if (!now) return;
    now.idleInTransactionMs = Math.max(now.idleInTransactionMs, ...backends.map(({ idle_ms }) => idle_ms));
    for (const name of ["api", "worker", "postgres"] as const) now.cpuSeconds[name] += grown[name];
    now.seconds += (lookedMs - sinceMs) / 1000;
    now.looks++;
  };

  await until(
    () =>
      look().then(
        () => true,
        () => false,
      ),
    30_000,
  );
  const watching = repeat(look);
  return {
    enter(phase) {
      now = phases.get(phase) ?? nothingWatched();
      phases.set(phase, now);
    },
    watched: () => Object.fromEntries(phases) as Record<Phase, Watched>,
    firstAwayAfter(ms) {
      const first = (name: string): number =>
        Math.round((away.find((one) => one.name === name && one.atMs >= ms)?.atMs ?? Infinity) - ms);
      return { api: first("api"), worker: first("worker") };
    },
    [Symbol.asyncDispose]: watching.stop,
  };
}

function openPoolNotes(): (name: string, metrics: string, into: Watched | undefined) => void {
  const waitedSince = new Map<string, number>();
  return (name, metrics, into) => {
    const atMs = performance.now();
    for (const [, door, state, value] of metrics.matchAll(POOL)) {
      const pool = `${name} ${door}`;
      if (state === "used" && into) into.mostUsed[pool] = Math.max(into.mostUsed[pool] ?? 0, Number(value));
      if (state !== "waited_for") continue;
      if (Number(value) === 0) waitedSince.delete(pool);
      else if (!waitedSince.has(pool)) waitedSince.set(pool, atMs - EVERY_MS);
      const waitedMs = waitedSince.has(pool) ? Math.round(atMs - waitedSince.get(pool)!) : 0;
      if (into) into.poolWaitMs[pool] = Math.max(into.poolWaitMs[pool] ?? 0, waitedMs);
    }
  };
}

function nothingWatched(): Watched {
  const cpuSeconds = { api: 0, worker: 0, postgres: 0 };
  return { poolWaitMs: {}, mostUsed: {}, idleInTransactionMs: 0, cpuSeconds, seconds: 0, looks: 0 };
}

/** CPU time of a process since the last call. proc(5) counts in hundredths of a second. */
function openCpuMeter(): (pid: number) => number {
  const before = new Map<number, number>();
  return (pid) => {
    let text: string;
    try {
      text = readFileSync(`/proc/${pid}/stat`, "utf8");
    } catch {
      return 0; // it has ended
    }
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const used = (Number(fields[11]) + Number(fields[12])) / 100;
    const grown = used - (before.get(pid) ?? 0);
    before.set(pid, used);
    return grown;
  };
}

const POOL = /^db_client_connections\{door="(\w+)",state="(\w+)"\} (\d+)$/gm;

async function metricsOf({ metricsPort }: ServerProcess): Promise<string> {
  return (await send(`http://127.0.0.1:${metricsPort}`, "GET", "/metrics")).text;
}

function repeat(work: () => Promise<void>): { stop(): Promise<void> } {
  let hasEnded = false;
  const running = (async () => {
    while (!hasEnded) {
      await work();
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  running.catch(() => {});
  return {
    async stop() {
      hasEnded = true;
      await running;
    },
  };
}

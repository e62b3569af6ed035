import pg from "pg";
import { cpuOfCluster } from "./cpu-time.ts";
import { quantile } from "./leg.ts";
import type { WorkedOff } from "./order-leg.ts";

/** Baseline of a loop over a job table. A separate program, which bare-loop-leg.ts starts. */
export interface BareLoop {
  databaseUrl: string;
  clusterPid: number;
  /** Number of concurrent loops, each with its own connection. */
  atOnce: number;
  /** Of each job. The first writing one takes it up, the last one ends it. */
  transactions: { writing: number; reading: number };
  warmUpJobs: number;
}

export type BareLoopOutcome = { workedOff: WorkedOff } | { error: string };

process.once("disconnect", () => process.exit(1)); // the parent has exited
process.once("message", (loop: BareLoop) => {
  workOff(loop).then(
    (workedOff) => tell({ workedOff }),
    (error: unknown) => tell({ error: error instanceof Error ? error.message : String(error) }),
  );
});

function tell(outcome: BareLoopOutcome): void {
  process.send!(outcome, () => process.disconnect());
}

async function workOff(loop: BareLoop): Promise<WorkedOff> {
  const clients = Array.from(
    { length: loop.atOnce },
    () => new pg.Client({ connectionString: loop.databaseUrl, pipeline: true }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  const tookMs: number[] = [];
  let seen = 0;
  let before = stateOf(loop);
  const onEnd = (ms: number): void => {
    if (seen++ < loop.warmUpJobs) {
      if (seen === loop.warmUpJobs) before = stateOf(loop);
    } else tookMs.push(ms);
  };
  await Promise.all(clients.map((client) => workOn(client, loop.transactions, onEnd)));
  const after = stateOf(loop);
  await Promise.all(clients.map((client) => client.end()));
  return {
    jobs: tookMs.length,
    perSecond: (tookMs.length / (after.at - before.at)) * 1000,
    p50Ms: quantile(tookMs, 0.5),
    p99Ms: quantile(tookMs, 0.99),
    cpu: {
      worker: (after.worker - before.worker) / tookMs.length,
      postgres: (after.postgres - before.postgres) / tookMs.length,
    },
  };
}

const TAKE = named(
  "take",
  "select id from bare_jobs where status = 'queued' order by id for update skip locked limit 1",
);
const SET = named("set", "update bare_jobs set status = $2, steps = steps + 1 where id = $1");
const READ = named("read", "select id, status, steps, data from bare_jobs where id = $1");

/** Runs until no job is unclaimed. Pipelines statements where possible, as the server does. */
async function workOn(
  client: pg.Client,
  { writing, reading }: BareLoop["transactions"],
  onEnd: (ms: number) => void,
): Promise<void> {
  const inOneFlight = (begin: string, statement: pg.QueryConfig): Promise<unknown> =>
    Promise.all([client.query(begin), client.query(statement), client.query("commit")]);
  for (;;) {
    const startedAt = performance.now();
    const [, taken] = await Promise.all([client.query("begin"), client.query<{ id: string }>(TAKE())]);
    const id = taken.rows[0]?.id;
    if (id === undefined) {
      await client.query("commit");
      return;
    }
    await Promise.all([client.query(SET(id, writing === 1 ? "done" : "running")), client.query("commit")]);
    for (let at = 0; at < reading; at++) await inOneFlight("begin read only", READ(id));
    for (let at = 2; at <= writing; at++)
      await inOneFlight("begin", SET(id, at === writing ? "done" : "running"));
    onEnd(performance.now() - startedAt);
  }
}

function named(name: string, text: string): (...values: string[]) => pg.QueryConfig {
  return (...values) => ({ name, text, values });
}

function stateOf({ clusterPid }: BareLoop): { at: number; worker: number; postgres: number } {
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), worker: user + system, postgres: cpuOfCluster(clusterPid) };
}

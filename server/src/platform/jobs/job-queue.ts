import { type ConstructorOptions, type JobResult, PgBoss } from "pg-boss";
import type { Tx } from "../db/database.ts";
import type { Login } from "../db/door-login.ts";
import { clientConfigOf } from "../db/primary-socket.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { pause } from "../pause.ts";

/**
 * The queue only wakes workers. The pending work is in our tables, and a sweep queues all due work again.
 * Emptying the queue loses nothing.
 */
export interface Jobs {
  /** Queued in the caller's transaction: the change and its job both happen, or neither. */
  enqueue(tx: Tx, name: string, ...data: object[]): Promise<void>;
  /** Whether something waits there that could be run now: then the queue is slow, and not lost. */
  isBehind(tx: Tx, name: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface JobDefinition<App> {
  /** noun.verb, after the feature it belongs to. */
  name: string;
  run(app: App, data: never): Promise<void>;
  /** A cron line (UTC) for recurring work. */
  every?: string;
  /** For jobs that mostly wait for others: a batch takes as long as its slowest, so more of them go side by side. */
  batchesAtOnce?: number;
}

/** Recurring work of each worker, at shorter intervals than the queue's cron, which has minutes. */
export interface Chore<App> {
  name: string;
  everyMs: number;
  run(app: App): Promise<void>;
}

interface JobsOptions {
  login: Login;
  log: Log;
  metrics: Metrics;
}

const SCHEMA = "pgboss";
const MAINTENANCE_MS = 300_000;
const DEAD_LETTERS = "dead_letters";

/** Retries for about a day with growing pauses; a dead worker's job is taken over after ten seconds. */
const QUEUE = {
  heartbeatSeconds: 10,
  retryLimit: 20,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 3600,
  expireInSeconds: 300,
  retentionSeconds: 90 * 86_400,
  deleteAfterSeconds: 86_400,
  notify: true,
};

/** Batches, so that a backlog is worked off without a pause: one at a time, the queue waits for the next poll after each. */
const WORKING = {
  localConcurrency: 2,
  batchSize: 5,
  burstWhenBatchFull: true,
  perJobResults: true,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 5,
} as const;

export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const boss = newBoss(options, { supervise: false, schedule: false, useListenNotify: false, max: 2 });
  await boss.start();
  return {
    async enqueue(tx, name, ...data) {
      const db = {
        executeSql: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values) }),
      };
      const [only, ...more] = data;
      if (only && more.length === 0) await boss.send(name, only, { db });
      else if (only)
        await boss.insert(
          name,
          data.map((one) => ({ data: one })),
          { db },
        );
    },
    async isBehind(tx, name) {
      const waiting = await tx.query(
        `select from ${SCHEMA}.job where name = $1 and state < 'active' and not blocked and start_after <= now() limit 1`,
        [name],
      );
      return waiting.length > 0;
    },
    close: () => boss.stop({ graceful: false }),
  };
}

/** Runs jobs until closed; closing waits for those under way. */
export async function workOff<App>(
  options: JobsOptions,
  app: App,
  definitions: readonly JobDefinition<App>[],
): Promise<{ close(): Promise<void> }> {
  const boss = newBoss(options, { supervise: true, schedule: true, useListenNotify: true, max: 6 });
  await boss.start();
  for (const definition of definitions) {
    if (definition.every) await boss.schedule(definition.name, definition.every);
    const localConcurrency = definition.batchesAtOnce ?? WORKING.localConcurrency;
    await boss.work(definition.name, { ...WORKING, localConcurrency }, (jobs) =>
      Promise.all(jobs.map((job) => runOne(options, app, definition, job))),
    );
  }
  return { close: () => boss.stop({ graceful: true, timeout: 15_000 }) };
}

/** Runs each chore repeatedly until closed; closing waits for those under way. */
export function keepUp<App>(
  { log }: Pick<JobsOptions, "log">,
  app: App,
  chores: readonly Chore<App>[],
): { close(): Promise<void> } {
  const closing = new AbortController();
  const running = chores.map(async ({ name, everyMs, run }) => {
    while (!closing.signal.aborted) {
      await run(app).catch((error: unknown) => log.error({ err: error, chore: name }, "timer failed"));
      await pause(everyMs, closing.signal);
    }
  });
  return {
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}

/** Makes the queue's own tables and one queue per definition; part of migrating, as the owner. */
export async function installJobs(ownerUrl: string, names: readonly string[]): Promise<string> {
  const boss = new PgBoss({
    ...(clientConfigOf(ownerUrl) as ConstructorOptions),
    schema: SCHEMA,
    supervise: false,
    schedule: false,
    max: 1,
  });
  await boss.start();
  if (!(await boss.getQueue(DEAD_LETTERS)))
    await boss.createQueue(DEAD_LETTERS, { retentionSeconds: 90 * 86_400 });
  for (const name of names) {
    const options = { ...QUEUE, deadLetter: DEAD_LETTERS };
    if (await boss.getQueue(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, options);
  }
  await boss.stop({ graceful: false });
  return GRANTS;
}

/** Roles that enqueue may insert a job and read its ID, but not other jobs. The system role runs them. */
const GRANTS = `
  grant usage on schema ${SCHEMA} to dialplane_organisation, dialplane_caller, dialplane_system;
  grant insert, select (id, start_after) on ${SCHEMA}.job_common, ${SCHEMA}.job to dialplane_organisation, dialplane_caller;
  grant select on ${SCHEMA}.queue to dialplane_organisation, dialplane_caller;
  grant select, insert, update, delete on all tables in schema ${SCHEMA} to dialplane_system;
  grant execute on all functions in schema ${SCHEMA} to dialplane_organisation, dialplane_caller, dialplane_system;
`;

function newBoss(
  options: JobsOptions,
  role: { supervise: boolean; schedule: boolean; useListenNotify: boolean; max: number },
): PgBoss {
  // Its maintenance reads whole tables, for which the role's limits are too short.
  const limits = { statement_timeout: MAINTENANCE_MS, lock_timeout: MAINTENANCE_MS };
  const boss = new PgBoss({
    ...({ ...options.login, ...limits } as ConstructorOptions),
    application_name: "dialplane_jobs",
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    reindex: false, // only the owner may; see docs/operations
    monitorVacuum: false,
    ...role,
  });
  boss.on("error", (error) => options.log.error({ err: error }, "job queue"));
  boss.on("warning", (warning) => options.log.warn({ warning: warning.message }, "job queue"));
  return boss;
}

/** Each job of a batch succeeds or fails independently. */
async function runOne<App>(
  options: JobsOptions,
  app: App,
  definition: JobDefinition<App>,
  job: { id: string; data: unknown },
): Promise<JobResult> {
  const stop = options.metrics.jobSeconds.startTimer({ name: definition.name });
  try {
    await definition.run(app, job.data as never);
    stop({ outcome: "done" });
    return { id: job.id, status: "completed" };
  } catch (error) {
    stop({ outcome: "failed" });
    options.log.error({ err: error, job: definition.name }, "job failed; it will be retried");
    return {
      id: job.id,
      status: "failed",
      output: { message: error instanceof Error ? error.message : "unknown" },
    };
  }
}

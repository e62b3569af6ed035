import type { App } from "../../app.ts";
import { pageOfScan } from "../../platform/db/bounded-scan.ts";
import type { OrganisationTx, Tx } from "../../platform/db/database.ts";
import { type Actor, type Caller, isOpenTo } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { pause } from "../../platform/pause.ts";
import type { ErrorCode } from "../../platform/error-catalogue.ts";
import { notFound } from "../../platform/api-error.ts";
import { endOf, hasEnded, type JobType, pauseAfterFailureMs, pauseMs, WAKES } from "./jobs.rules.ts";
import {
  deleteJobsEndedBefore,
  insertJob,
  JOB_OF_CALLER,
  type JobChange,
  type JobFilters,
  type JobRow,
  listJobsBefore,
  lockJob,
  setJobDue,
  setJobsDueAfterSwitch,
  setJob,
  takeJob,
} from "./jobs.store.ts";

export { hasEnded, pauseMs, setJobsDueAfterSwitch, WAKES };
export type { JobRow };

/**
 * Lease: no other worker can claim the job within this time of its last update. Longer than a carrier call may take.
 */
const LEASE_MS = 30_000;
const LOOK_AGAIN_MS = 200;
const KEPT_DAYS = 90;

/** Begins with the change that needs it: both are there, or neither. */
export async function startJob(
  tx: OrganisationTx,
  app: Pick<App, "jobs">,
  job: { type: JobType; total: number; orderId?: string; numberId?: string; requestId: string; at: Date },
): Promise<string> {
  const id = newId();
  await insertJob(tx, {
    id,
    type: job.type,
    total: job.total,
    order_id: job.orderId ?? null,
    number_id: job.numberId ?? null,
    request_id: job.requestId,
    created_at: job.at,
  });
  await app.jobs.enqueue(tx, WAKES[job.type], { id });
  return id;
}

/**
 * Continues a waiting job because of a change in this transaction. `change` runs while the job is locked, so that a
 * worker which is about to let it wait sees the change.
 */
export async function wakeJob<Result>(
  tx: OrganisationTx,
  app: Pick<App, "jobs" | "clock">,
  { id, type }: { id: string; type: JobType },
  change: () => Promise<Result>,
): Promise<Result> {
  await lockJob(tx, id);
  const result = await change();
  await setJobDue(tx, id, app.clock.now());
  await app.jobs.enqueue(tx, WAKES[type], { id });
  return result;
}

/** Finds a job in any organisation of the caller. An API key sees only its own environment. */
export async function getJob({ db }: Pick<App, "db">, caller: Caller, id: string): Promise<JobRow> {
  const scope = caller.kind === "session" ? { userId: caller.userId } : { apiKeyId: caller.id };
  const [job] = await db.forCaller.read<JobRow>(scope, JOB_OF_CALLER, [
    id,
    caller.memberships.filter(isOpenTo).map((one) => one.organisationId),
    caller.kind === "session" ? null : caller.environment,
  ]);
  if (!job) throw notFound("job_not_found");
  return job;
}

/** Reason of a job that waits for the customer. */
export const ACTION_REQUIRED = "action_required";

/** Until it has ended or begins to wait for the customer, or `until` says that it has been long enough. */
export async function waitForJob(
  app: Pick<App, "db">,
  caller: Caller,
  id: string,
  until: AbortSignal,
): Promise<JobRow> {
  const first = await getJob(app, caller, id);
  for (let job = first; ; job = await getJob(app, caller, id)) {
    const isNews = job.reason === ACTION_REQUIRED && first.reason !== ACTION_REQUIRED;
    if (hasEnded(job.status) || isNews || until.aborted) return job;
    await pause(LOOK_AGAIN_MS, until);
  }
}

export async function listJobs(
  { db }: Pick<App, "db">,
  actor: Actor,
  filters: JobFilters,
  { after, limit }: Page,
): Promise<{ jobs: JobRow[]; last: string | null }> {
  const rows = await listJobsBefore(db, actor, { ...filters, before: after, limit });
  const { matches, last } = pageOfScan(rows, limit);
  return { jobs: matches, last: last?.id ?? null };
}

/** The worker lost its lease to another worker, so its pending writes are discarded. */
export class JobTakenOver extends Error {
  constructor() {
    super("Another worker has claimed this job.");
    this.name = "JobTakenOver";
  }
}

/**
 * Continues a job, unless it has ended or another worker has its lease. `step` does what is possible now and leaves
 * the job ended or waiting. A failed step is retried after a backoff.
 */
export async function advanceJob(
  app: Pick<App, "db" | "clock" | "log" | "jobs">,
  id: string,
  step: (job: JobRow) => Promise<void>,
): Promise<void> {
  const now = app.clock.now();
  const job = await app.db.forSystem("jobs", (tx) =>
    takeJob(tx, id, now, new Date(now.getTime() + LEASE_MS)),
  );
  if (!job) return;
  try {
    await step(job);
  } catch (error) {
    if (error instanceof JobTakenOver) return;
    app.log.error({ err: error, job: id, type: job.type }, "job step failed; it will be retried");
    await app.db
      .forSystem("jobs", (tx) =>
        moveJob(tx, app, job, { waitMs: pauseAfterFailureMs(job.waits), reason: "internal_error" }),
      )
      .catch((again: unknown) => {
        if (!(again instanceof JobTakenOver)) throw again;
      });
  }
}

interface Move {
  /** How many of its parts have ended so far; as before where left out. */
  progress?: Progress;
  /** Delay until the next attempt, in milliseconds. If omitted, the job continues. */
  waitMs?: number;
  /** Reason for waiting. */
  reason?: string;
}

export interface Progress {
  succeeded: number;
  failed: number;
}

/**
 * Updates a claimed job in the transaction of its step. Call it first: it locks the row, and a lost lease rolls the
 * step back.
 */
export async function moveJob(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  job: JobRow,
  { progress, waitMs, reason }: Move,
): Promise<void> {
  await setJobOrStop(tx, job, {
    status: waitMs === undefined ? "running" : "waiting",
    reason: (waitMs !== undefined && reason) || null,
    progress,
    nextCheckAt: new Date(clock.now().getTime() + (waitMs ?? LEASE_MS)),
  });
}

/** A carrier call that begins within this time of the last update ends before the lease does. */
const BEGIN_WITHIN_MS = 10_000;

/** Renews the lease before something that cannot be undone. Returns the time of the renewal. */
export async function holdJob(app: Pick<App, "db" | "clock">, job: JobRow): Promise<Date> {
  const since = app.clock.now();
  await app.db.forSystem("jobs", (tx) => moveJob(tx, app, job, {}));
  return since;
}

/** Rejects calls of a stalled worker: the job may have ended without it, and the call would leave no record. */
export function rejectLate({ clock }: Pick<App, "clock">, since: Date): void {
  if (clock.now().getTime() - since.getTime() > BEGIN_WITHIN_MS) throw new JobTakenOver();
}

/** How it ends follows from its parts. */
export async function endJob(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  job: JobRow,
  end: Progress & { error?: { code: ErrorCode; detail: string } },
): Promise<void> {
  const { error, ...progress } = end;
  await setJobOrStop(tx, job, {
    status: endOf(progress),
    progress,
    ...(error && { error }),
    finishedAt: clock.now(),
  });
}

async function setJobOrStop(tx: Tx, job: JobRow, change: JobChange): Promise<void> {
  if (!(await setJob(tx, job, change))) throw new JobTakenOver();
}

/** Orders and numbers outlive the jobs that made them. */
export async function sweepEndedJobs({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await deleteJobsEndedBefore(db, new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000));
}

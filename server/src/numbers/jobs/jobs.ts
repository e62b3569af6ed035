import type { App } from "../../app.ts";
import type { OrganisationTx, Tx } from "../../platform/db/database.ts";
import { type Actor, type Caller, isOpenTo } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { pause } from "../../platform/pause.ts";
import type { ErrorCode } from "../../platform/error-catalogue.ts";
import { ApiError } from "../../platform/api-error.ts";
import { endOf, hasEnded, type JobType, pauseAfterFailureMs, pauseMs, WAKES } from "./jobs.rules.ts";
import {
  deleteJobsEndedBefore,
  insertJob,
  JOB_OF_CALLER,
  type JobChange,
  type JobRow,
  listJobsBefore,
  setJobsDueAfterSwitch,
  setJob,
  takeJob,
} from "./jobs.store.ts";

export { hasEnded, pauseMs, setJobsDueAfterSwitch, WAKES };
export type { JobRow };

/** Nobody else takes a job up while it was moved within this time; longer than a carrier may take to answer. */
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

/** Of any organisation of the caller's; a key sees its own side only. */
export async function getJob({ db }: Pick<App, "db">, caller: Caller, id: string): Promise<JobRow> {
  const scope = caller.kind === "session" ? { userId: caller.userId } : { apiKeyId: caller.id };
  const [job] = await db.forCaller.read<JobRow>(scope, JOB_OF_CALLER, [
    id,
    caller.memberships.filter(isOpenTo).map((one) => one.organisationId),
    caller.kind === "session" ? null : caller.environment,
  ]);
  if (!job) throw new ApiError("job_not_found", "There is no such thing here.");
  return job;
}

/** Until it has ended, or `until` says that it has been long enough. */
export async function waitForJob(
  app: Pick<App, "db">,
  caller: Caller,
  id: string,
  until: AbortSignal,
): Promise<JobRow> {
  for (;;) {
    const job = await getJob(app, caller, id);
    if (hasEnded(job.status) || until.aborted) return job;
    await pause(LOOK_AGAIN_MS, until);
  }
}

export async function listJobs({ db }: Pick<App, "db">, actor: Actor, page: Page): Promise<JobRow[]> {
  return db.forOrganisation(actor, (tx) => listJobsBefore(tx, page.after, page.limit));
}

/** A worker that was unreachable too long finds that somebody else has taken its job up; what it was about to write is void. */
export class JobTakenOver extends Error {
  constructor() {
    super("Somebody else has taken this job up.");
    this.name = "JobTakenOver";
  }
}

/**
 * Goes on with a job, unless it has ended or somebody else has it in hand. `step` does what can be done now and
 * leaves the job ended or waiting; one that fails is retried after a pause.
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
    app.log.error({ err: error, job: id, type: job.type }, "a job could not go on; it will be tried again");
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
  /** Waiting: somebody looks again after this time. Left out: it continues. */
  waitMs?: number;
  /** What it waits for. */
  reason?: string;
}

export interface Progress {
  succeeded: number;
  failed: number;
}

/**
 * Moves a job one has in hand, in the transaction of the step that it shows. First in it: the row is locked from
 * here on, and a job that is no longer one's own undoes the step.
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

/** A call to a carrier that begins so soon after the job was moved has ended before anybody else takes the job up. */
const BEGIN_WITHIN_MS = 10_000;

/** Makes sure that the job is still one's own, before something that cannot be undone. Answers since when it is sure. */
export async function holdJob(app: Pick<App, "db" | "clock">, job: JobRow): Promise<Date> {
  const since = app.clock.now();
  await app.db.forSystem("jobs", (tx) => moveJob(tx, app, job, {}));
  return since;
}

/** Not by a worker that stood still: the job may have ended without it, and nobody would know what it did. */
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

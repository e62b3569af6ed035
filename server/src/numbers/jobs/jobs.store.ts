import { binder, boundedScan, scanKey, type Scanned } from "../../platform/db/bounded-scan.ts";
import type {
  Database,
  Environment,
  OrganisationScope,
  OrganisationTx,
  Tx,
} from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";
import type { JobStatus, JobType } from "./jobs.rules.ts";

export interface JobRow {
  id: string;
  organisation_id: string;
  environment: Environment;
  type: JobType;
  status: JobStatus;
  reason: string | null;
  total: number;
  succeeded: number;
  failed: number;
  order_id: string | null;
  number_id: string | null;
  error_code: string | null;
  error_detail: string | null;
  request_id: string;
  attempts: number;
  waits: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

const COLUMNS = `id, organisation_id, environment, type, status, reason, total, succeeded, failed, order_id, number_id,
  error_code, error_detail, request_id, attempts, waits, created_at, started_at, finished_at`;

export async function insertJob(
  tx: OrganisationTx,
  job: Pick<JobRow, "id" | "type" | "total" | "order_id" | "number_id" | "request_id" | "created_at">,
): Promise<void> {
  await tx.query(
    `insert into jobs (id, organisation_id, environment, type, total, order_id, number_id, request_id, created_at, next_check_at, queued_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $9)`,
    [
      job.id,
      tx.organisationId,
      tx.environment,
      job.type,
      job.total,
      job.order_id,
      job.number_id,
      job.request_id,
      job.created_at,
    ],
  );
}

/** For the caller's door: of one of these organisations, and of one side where only that may be seen. */
export const JOB_OF_CALLER = `select ${COLUMNS} from jobs
  where id = $1 and organisation_id = any($2::uuid[]) and ($3::text is null or environment = $3)`;

export interface JobFilters {
  status?: JobStatus;
  type?: JobType;
}

/** Newest first. */
export async function listJobsBefore(
  db: Database,
  scope: OrganisationScope,
  page: JobFilters & { before: string | undefined; limit: number },
): Promise<(JobRow & Scanned)[]> {
  const { text, values } = jobsStatement(scope, page);
  return db.forOrganisation.readPlanned<JobRow & Scanned>(scope, text, values);
}

export function jobsStatement(
  { organisationId, environment }: OrganisationScope,
  { status, type, before, limit }: JobFilters & { before: string | undefined; limit: number },
): { text: string; values: unknown[] } {
  const { values, bind } = binder(organisationId, environment);
  const key = scanKey(
    "id",
    status === undefined ? undefined : { column: "status", value: bind(status, "text") },
  );
  const conditions = [
    "organisation_id = $1 and environment = $2",
    ...key.conditions,
    ...(before === undefined ? [] : [key.compare("<", bind(before, "uuid"))]),
  ];
  const scan = `select ${COLUMNS} from jobs where ${conditions.join(" and ")} order by ${key.order(" desc")}`;
  const matches = type === undefined ? [] : [`r.type = ${bind(type, "text")}`];
  return { text: boundedScan(scan, matches, limit), values };
}

/**
 * Claims a job. Undefined if it has ended or another worker has its lease. A queued job has no lease, even if the
 * clock of the process that queued it is ahead.
 */
export async function takeJob(tx: Tx, id: string, now: Date, until: Date): Promise<JobRow | undefined> {
  const [job] = await tx.query<JobRow>(
    `update jobs set status = 'running', reason = null, attempts = attempts + 1, next_check_at = $3, started_at = coalesce(started_at, $2)
     where id = $1 and is_open and (status = 'queued' or next_check_at <= $2)
       and not (select is_restore from feed_epoch) returning ${COLUMNS}`,
    [id, now, until],
  );
  return job;
}

export interface JobChange {
  status: JobStatus;
  reason?: string | null;
  /** Unchanged if omitted. */
  progress?: { succeeded: number; failed: number } | undefined;
  error?: { code: string; detail: string };
  nextCheckAt?: Date;
  finishedAt?: Date;
}

/** False if another worker has claimed the job since then. */
export async function setJob(
  tx: Tx,
  { id, attempts }: Pick<JobRow, "id" | "attempts">,
  { status, reason, progress, error, nextCheckAt, finishedAt }: JobChange,
): Promise<boolean> {
  const set = await tx.query(
    `update jobs set status = $3, reason = $4, succeeded = coalesce($5, succeeded), failed = coalesce($6, failed),
       error_code = $7, error_detail = left($8, 1000), next_check_at = $9, finished_at = $10,
       waits = waits + ($3 = 'waiting')::int
     where id = $1 and attempts = $2 and is_open returning 1`,
    [
      id,
      attempts,
      status,
      reason ?? null,
      progress?.succeeded ?? null,
      progress?.failed ?? null,
      error?.code ?? null,
      error?.detail ?? null,
      nextCheckAt ?? null,
      finishedAt ?? null,
    ],
  );
  return set.length === 1;
}

/** A worker that is about to let the job wait does so before or after this transaction. */
export async function lockJob(tx: OrganisationTx, id: string): Promise<void> {
  await tx.query(
    "select from jobs where organisation_id = $1 and environment = $2 and id = $3 for no key update",
    [tx.organisationId, tx.environment, id],
  );
}

/** Makes a waiting job due. One that a worker has claimed keeps its lease. */
export async function setJobDue(tx: OrganisationTx, id: string, now: Date): Promise<void> {
  await tx.query(
    `update jobs set next_check_at = $4, waits = 0
     where organisation_id = $1 and environment = $2 and id = $3 and is_open and status = 'waiting'`,
    [tx.organisationId, tx.environment, id, now],
  );
}

/** A switch is no longer waited for: whatever may have waited for it is looked at now. */
export async function setJobsDueAfterSwitch(tx: Tx, now: Date): Promise<void> {
  await tx.query(
    `update jobs set next_check_at = $1, waits = 0
     where is_open and status = 'waiting' and reason in ('switch_pending', 'switch_unreachable') and next_check_at > $1`,
    [now],
  );
}

/** Claims due jobs that are not queued, or were queued too long ago, and marks them as queued now. */
export async function takeDueJobs(
  tx: Tx,
  { types, now, queuedBefore }: { types: readonly JobType[]; now: Date; queuedBefore: Date },
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `update jobs set queued_at = $1 where id in (
       select id from jobs where is_open and next_check_at <= $1 and (queued_at < next_check_at or queued_at <= $2)
         and type = any($4::text[])
       order by next_check_at limit $3 for update skip locked)
     returning id`,
    [now, queuedBefore, limit, types],
  );
  return rows.map(({ id }) => id);
}

export async function deleteJobsEndedBefore(db: Database, before: Date): Promise<void> {
  await sweepTable(db, { table: "jobs", where: "not is_open and finished_at < $1", values: [before] });
}

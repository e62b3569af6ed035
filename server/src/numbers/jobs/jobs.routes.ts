import { type App, operation } from "../../app.ts";
import type { ErrorCode } from "../../platform/error-catalogue.ts";
import { problemOf } from "../../platform/http/problem.ts";
import type { Answer } from "../../platform/http/operation.ts";
import { jsonPageOf } from "../../platform/http/page.ts";
import { ApiError } from "../../platform/api-error.ts";
import { ByJobId, Job, JobPage, JobsQuery } from "./jobs.schema.ts";
import { getJob, hasEnded, type JobRow, listJobs, waitForJob } from "./jobs.ts";

const PATH = "/v1/jobs";

/** Polling more often shows nothing new. Callers that cannot wait send `Prefer: wait`. */
const RETRY_AFTER_SECONDS = "1";

const getJobOperation = operation({
  id: "getJob",
  method: "GET",
  path: `${PATH}/{job_id}`,
  tag: "Jobs",
  summary: "Get a job",
  description:
    "The job can belong to any of your organisations. `Retry-After` gives the polling interval while it is not finished. With `Prefer: wait=30` the API responds when the job finishes or begins to need your action, or after 30 seconds.",
  access: { callers: "authenticated", sessions: { roles: "any" }, keys: "any" },
  idempotency: "none",
  http: { retryAfter: true, waitsFor: "the job has finished or begins to need your action" },
  params: ByJobId,
  notFound: "job_not_found",
  answers: { 200: Job },
  run: async (app, { caller, params }) => shownJob(app, await getJob(app, caller, params.job_id)),
  settle: async (app, { caller, params }, until) =>
    shownJob(app, await waitForJob(app, caller, params.job_id, until)),
});

const listJobsOperation = operation({
  id: "listJobs",
  method: "GET",
  path: PATH,
  tag: "Jobs",
  summary: "List jobs",
  description:
    "Newest first. All filters must match. With `type`, each page scans 4,000 jobs at most, so it can contain fewer results than `limit`, or none. The list ends when `next_cursor` is `null`.",
  access: { callers: "organisation", sessions: { roles: "any" }, keys: "none" },
  idempotency: "none",
  query: JobsQuery,
  answers: { 200: JobPage },
  async run(app, { actor, query }) {
    const { limit: _limit, cursor: _cursor, ...filters } = query;
    return jsonPageOf(app, { path: PATH, of: actor, filters }, query, async (page) => {
      const { jobs, last } = await listJobs(app, actor, filters, page);
      return { data: JSON.stringify(jobs.map((row) => jobOf(app, row))), last };
    });
  },
});

function shownJob(app: Pick<App, "config">, row: JobRow): Answer {
  return {
    status: 200,
    body: jobOf(app, row),
    ...(!hasEnded(row.status) && { headers: { "retry-after": RETRY_AFTER_SECONDS } }),
  };
}

function jobOf({ config }: Pick<App, "config">, row: JobRow): Job {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    reason: row.reason,
    progress: { total: row.total, succeeded: row.succeeded, failed: row.failed },
    subject: {
      ...(row.order_id && { order_id: row.order_id }),
      ...(row.number_id && { number_id: row.number_id }),
    },
    error:
      row.error_code === null
        ? null
        : problemOf(
            new ApiError(row.error_code as ErrorCode, row.error_detail!),
            config.baseUrl,
            row.request_id,
          ),
    attempts: row.attempts,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

export const jobsOperations = [getJobOperation, listJobsOperation];

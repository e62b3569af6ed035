import { type App, operation } from "../../app.ts";
import type { Actor, Caller } from "../../platform/http/access.ts";
import type { Answer } from "../../platform/http/operation.ts";
import { ByNumber } from "../../platform/http/shapes.ts";
import { hasEnded, waitForJob } from "../jobs/jobs.ts";
import { getNumber, hasNumber } from "../numbers/numbers.ts";
import { Release } from "./releases.schema.ts";
import { releaseNumber, restoreNumber } from "./releases.ts";

const OF_NUMBER = {
  tag: "Releases",
  params: ByNumber,
  notFound: "number_not_found",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: "none" },
} as const;

const releaseNumberOperation = operation({
  ...OF_NUMBER,
  id: "releaseNumber",
  method: "POST",
  path: "/v1/numbers/{id}/release",
  summary: "Release a number",
  description:
    "Stops calls to the number. When all switches have confirmed, the service notifies the carrier and the number enters quarantine. You can restore it until `restore_until`. Poll the job for its progress, or wait for it with `Prefer: wait`.",
  idempotency: "required",
  http: { waitsFor: "the job of the release has finished" },
  answers: { 202: Release },
  errors: ["release_blocked", "release_in_progress", "number_not_active"],
  isVisible: (tx, { params }) => hasNumber(tx, params.id),
  async change(tx, { actor, params }, app) {
    return accepted(app, "releasing", await releaseNumber(tx, app, actor, params.id));
  },
  settle,
});

const restoreNumberOperation = operation({
  ...OF_NUMBER,
  id: "restoreNumber",
  method: "POST",
  path: "/v1/numbers/{id}/restore",
  summary: "Restore a quarantined number",
  description: "The number keeps its ID and its routing. Poll the job for its progress.",
  idempotency: "optional",
  http: { waitsFor: "the job of the restore has finished" },
  answers: { 202: Release },
  errors: ["number_not_quarantined", "restore_in_progress", "number_not_restorable"],
  isVisible: (tx, { params }) => hasNumber(tx, params.id),
  async change(tx, { actor, params }, app) {
    return accepted(app, "restoring", await restoreNumber(tx, app, actor, params.id));
  },
  settle,
});

/** Returns the number's status once the job has ended. */
async function settle(
  app: App,
  { actor, caller }: { actor: Actor; caller: Caller },
  until: AbortSignal,
  first: string,
): Promise<Answer> {
  const { job_id: jobId, number_id: numberId, status } = JSON.parse(first) as Release;
  const job = await waitForJob(app, caller, jobId, until);
  const number = hasEnded(job.status) && (JSON.parse(await getNumber(app, actor, numberId)) as Release);
  return accepted(app, number ? number.status : status, { jobId, numberId });
}

function accepted(
  { config }: Pick<App, "config">,
  status: Release["status"],
  { jobId, numberId }: { jobId: string; numberId: string },
): Answer {
  return {
    status: 202,
    body: { job_id: jobId, number_id: numberId, status },
    headers: { location: `${config.baseUrl}/v1/jobs/${jobId}` },
  };
}

export const releasesOperations = [releaseNumberOperation, restoreNumberOperation];

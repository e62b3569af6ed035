import type { App } from "../../app.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Actor } from "../../platform/http/access.ts";
import { newId } from "../../platform/ids.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { type Author, authorOf } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { startJob } from "../jobs/jobs.ts";
import { type HeldNumber, lockNumber, moveNumber } from "../numbers/numbers.ts";
import { findOpenRelease, insertRelease, setRestoring } from "./releases.store.ts";

/** Calls stop with this; the rest takes a while and is a job's. */
export async function releaseNumber(
  tx: OrganisationTx,
  app: Pick<App, "clock" | "jobs">,
  actor: Actor,
  numberId: string,
): Promise<{ jobId: string; numberId: string }> {
  return beginRelease(tx, app, authorOf(actor.caller, actor.origin), numberId);
}

export async function beginRelease(
  tx: OrganisationTx,
  app: Pick<App, "clock" | "jobs">,
  author: Author,
  numberId: string,
): Promise<{ jobId: string; numberId: string }> {
  const number = await lockedNumber(tx, numberId);
  const previous = await rejectUnlessReleasable(tx, number);
  const now = app.clock.now();
  const jobId = await startJob(tx, app, {
    type: "number_release",
    total: 1,
    numberId,
    requestId: author.request_id ?? "",
    at: now,
  });
  await insertRelease(tx, {
    id: newId(),
    holding_id: numberId,
    e164: number.e164,
    job_id: jobId,
    previous_status: previous,
    carrier: number.carrier,
    asked_by_kind: author.actor_kind,
    asked_by_id: author.actor_id,
    asked_by_name: author.actor_name,
    created_at: now,
  });
  await recordChange(tx, author, now, {
    type: "number.releasing",
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: numberId,
    data: { e164: number.e164, job_id: jobId },
    before: { status: previous },
    after: { status: "releasing" },
  });
  await moveNumber(tx, tx, numberId, { from: previous, to: "releasing", at: now });
  return { jobId, numberId };
}

/** Starts the restore of a quarantined number, with its previous routing. */
export async function restoreNumber(
  tx: OrganisationTx,
  app: Pick<App, "clock" | "jobs">,
  actor: Actor,
  numberId: string,
): Promise<{ jobId: string; numberId: string }> {
  const number = await lockedNumber(tx, numberId);
  const now = app.clock.now();
  const release = number.status === "quarantined" ? await findOpenRelease(tx, numberId) : undefined;
  if (!release)
    throw new ApiError(
      "number_not_quarantined",
      `The number is ${number.status}. Only quarantined numbers can be restored.`,
    );
  if (release.step === "restoring")
    throw new ApiError("restore_in_progress", "The number is already being restored. See job_id.", {
      members: { job_id: release.restore_job_id },
    });
  if (!number.restore_until || number.restore_until <= now)
    throw new ApiError(
      "number_not_restorable",
      "The quarantine of this number has ended, so it can no longer be restored.",
    );
  const jobId = await startJob(tx, app, {
    type: "number_restore",
    total: 1,
    numberId,
    requestId: actor.origin.requestId,
    at: now,
  });
  const author = authorOf(actor.caller, actor.origin);
  const by = {
    restored_by_kind: author.actor_kind,
    restored_by_id: author.actor_id,
    restored_by_name: author.actor_name,
  };
  if (!(await setRestoring(tx, release.id, jobId, by)))
    throw new ApiError(
      "number_not_restorable",
      "The quarantine of this number has ended, so it can no longer be restored.",
    );
  await recordChange(tx, author, now, {
    type: "number.restoring",
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: numberId,
    data: { e164: number.e164, job_id: jobId },
  });
  return { jobId, numberId };
}

async function lockedNumber(tx: OrganisationTx, id: string): Promise<HeldNumber> {
  const number = await lockNumber(tx, tx, id);
  if (!number) throw notFound("number_not_found");
  return number;
}

async function rejectUnlessReleasable(
  tx: OrganisationTx,
  { id, status, release_lock }: HeldNumber,
): Promise<"active" | "suspended"> {
  if (status === "releasing") {
    const release = await findOpenRelease(tx, id);
    throw new ApiError("release_in_progress", "The number is already being released. See job_id.", {
      members: { job_id: release?.job_id ?? null },
    });
  }
  if (status !== "active" && status !== "suspended")
    throw new ApiError(
      "number_not_active",
      `The number is ${status}. Only active and suspended numbers can be released.`,
    );
  if (release_lock)
    throw new ApiError(
      "release_blocked",
      "The number has a release lock. An owner or admin can set release_lock to false.",
    );
  return status;
}

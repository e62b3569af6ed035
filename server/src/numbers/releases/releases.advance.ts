import type { App } from "../../app.ts";
import { CarrierFault, type Ordering, type ReleaseState } from "../carriers/carrier.ts";
import { pause } from "../../platform/pause.ts";
import { endJob, type JobRow, moveJob, rejectLate } from "../jobs/jobs.ts";
import { findRouteStanding, type RouteStanding } from "../numbers/numbers.ts";
import { askerOf, moveRelease, scopeOf, waitFor, wantedOf } from "./releases.moves.ts";
import { restoreReleased } from "./releases.restore.ts";
import { findReleaseOfJob, type ReleaseRow, setReleaseStep } from "./releases.store.ts";

type Needs = Pick<App, "db" | "clock" | "carriers" | "config">;

/** Switches mostly answer within this time; a job that waits is looked at rarely. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 50;
const DAY_MS = 86_400_000;

/**
 * Advances a release as far as possible. Every step is recorded before the next begins, and none is done twice.
 * `patienceMs` is the time to wait for switches before the job waits.
 */
export async function advanceRelease(app: Needs, job: JobRow, patienceMs = PATIENCE_MS): Promise<void> {
  const release = await app.db.forSystem("releases", (tx) => findReleaseOfJob(tx, job.id));
  if (!release) throw new Error("The job has no release.");
  // Waiting blocks a worker, so a job that has waited before only checks.
  const patience = job.waits === 0 ? patienceMs : 0;
  try {
    if (job.type === "number_restore") await restoreReleased(app, job, release);
    else if (release.step === "telling") await tellAgain(app, job, release, patience);
    else await tell(app, job, release, patience);
  } catch (error) {
    if (!(error instanceof CarrierFault)) throw error;
    // That a question was rejected says nothing of the number.
    await waitFor(app, job, error.kind === "not_sent" ? "carrier_unreachable" : "carrier_unknown");
  }
}

/** The carrier must not be notified while a switch still accepts calls for the number. */
async function tell(app: Needs, job: JobRow, release: ReleaseRow, patienceMs: number): Promise<void> {
  const standing = await waitForSwitches(app, release, patienceMs);
  if (standing !== "settled") return waitFor(app, job, `switch_${standing}`);
  const ordering = orderingOf(app, release);
  if (release.carrier !== null && !ordering) {
    if (release.step === "telling") return waitFor(app, job, "carrier_not_connected");
    return putBack(app, job, release, `The carrier ${release.carrier} is no longer connected.`);
  }
  const since = app.clock.now();
  await app.db.forSystem("releases", async (tx) => {
    await moveJob(tx, app, job, {});
    if (release.step === "unrouting") await setReleaseStep(tx, release, { step: "telling" });
  });
  const notified = { ...release, step: "telling" } as const;
  if (!ordering) return rest(app, job, notified);
  rejectLate(app, since);
  const answer = await ordering.release(scopeOf(release), wantedOf(release)).catch((error: unknown) => {
    if (error instanceof CarrierFault && error.kind === "refused") return error;
    throw error;
  });
  await heed(app, job, notified, answer);
}

/**
 * After a crash it is unknown whether the carrier was notified, so its status is queried first. That may be hours
 * later, so the switches are checked again.
 */
async function tellAgain(app: Needs, job: JobRow, release: ReleaseRow, patienceMs: number): Promise<void> {
  const ordering = orderingOf(app, release);
  if (release.carrier !== null && !ordering) return waitFor(app, job, "carrier_not_connected");
  const known = await ordering?.releaseStatus(scopeOf(release), wantedOf(release));
  if (known === undefined) await tell(app, job, release, patienceMs);
  else await heed(app, job, release, known);
}

function orderingOf({ carriers }: Needs, { carrier }: ReleaseRow): Ordering | undefined {
  return carrier === null ? undefined : carriers.named(carrier)?.ordering;
}

async function waitForSwitches(
  { db }: Needs,
  release: ReleaseRow,
  patienceMs: number,
): Promise<RouteStanding> {
  const until = AbortSignal.timeout(patienceMs);
  for (;;) {
    const standing = await db.forSystem("releases", (tx) => findRouteStanding(tx, release.holding_id));
    if (standing !== "pending" || until.aborted) return standing;
    await pause(LOOK_AGAIN_MS, until);
  }
}

async function heed(
  app: Needs,
  job: JobRow,
  release: ReleaseRow,
  answer: ReleaseState | CarrierFault,
): Promise<void> {
  if (answer === "pending") return waitFor(app, job, "carrier_pending");
  if (answer === "released") return rest(app, job, release);
  await putBack(app, job, release, answer === "refused" ? "The carrier keeps the number." : answer.message);
}

async function rest(app: Needs, job: JobRow, release: ReleaseRow): Promise<void> {
  const canRestore =
    release.carrier === null || app.carriers.named(release.carrier)?.ordering.restore !== undefined;
  await app.db.forSystem("releases", async (tx) => {
    await endJob(tx, app, job, { succeeded: 1, failed: 0 });
    const at = app.clock.now();
    const until = new Date(at.getTime() + app.config.quarantineDays * DAY_MS);
    const restoreUntil = canRestore ? until : null;
    await moveRelease(
      tx,
      release,
      { author: askerOf(release), at },
      {
        step: "quarantined",
        quarantinedUntil: until,
        event: "number.quarantined",
        data: { restore_until: restoreUntil?.toISOString() ?? null },
        number: { from: "releasing", to: "quarantined", rest: { restoreUntil, releasedAt: null } },
      },
    );
  });
}

/** The carrier still has the number, so the organisation keeps it and its calls are routed as before. */
async function putBack(app: Needs, job: JobRow, release: ReleaseRow, detail: string): Promise<void> {
  const error = { code: "carrier_refused", detail } as const;
  await app.db.forSystem("releases", async (tx) => {
    await endJob(tx, app, job, { succeeded: 0, failed: 1, error });
    await moveRelease(
      tx,
      release,
      { author: askerOf(release), at: app.clock.now() },
      {
        step: "failed",
        isEnd: true,
        event: "number.release_failed",
        data: { error },
        number: { from: "releasing", to: release.previous_status },
      },
    );
  });
}

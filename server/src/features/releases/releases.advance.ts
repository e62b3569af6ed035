import type { App } from "../../app.ts";
import { CarrierFault, type ReleaseState } from "../../carriers/carrier.ts";
import { pause } from "../../platform/pause.ts";
import { endJob, type JobRow, moveJob, pauseMs } from "../jobs/jobs.ts";
import { findRouteStanding, type RouteStanding } from "../numbers/numbers.ts";
import { askerOf, moveRelease, scopeOf } from "./releases.moves.ts";
import { takeBack } from "./releases.restore.ts";
import { findReleaseOfJob, type ReleaseRow, setReleaseStep } from "./releases.store.ts";

type Needs = Pick<App, "db" | "clock" | "carriers" | "config">;

/** Switches mostly answer within this time; a job that waits is looked at rarely. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 50;
const DAY_MS = 86_400_000;

/** As far as it goes now. Every step is written down before the next begins, and none is done twice. */
export async function advanceRelease(app: Needs, job: JobRow): Promise<void> {
  const release = await app.db.forSystem("releases", (tx) => findReleaseOfJob(tx, job.id));
  if (!release) throw new Error("The job has no release.");
  try {
    if (job.type === "number_restore") await takeBack(app, job, release);
    else if (release.step === "telling") await tell(app, job, release, "again");
    else await stopCalls(app, job, release);
  } catch (error) {
    if (!(error instanceof CarrierFault) || error.kind === "refused") throw error;
    await waitFor(app, job, error.kind === "not_sent" ? "carrier_unreachable" : "carrier_unknown");
  }
}

/** The carrier must not hear of it while any switch still takes calls for the number. */
async function stopCalls(app: Needs, job: JobRow, release: ReleaseRow): Promise<void> {
  const standing = await waitForSwitches(app, release);
  if (standing !== "settled") return waitFor(app, job, `switch_${standing}`);
  await app.db.forSystem("releases", async (tx) => {
    await moveJob(tx, app, job, {});
    await setReleaseStep(tx, release, { step: "telling" });
  });
  await tell(app, job, { ...release, step: "telling" }, "first");
}

async function waitForSwitches({ db }: Needs, release: ReleaseRow): Promise<RouteStanding> {
  const until = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const standing = await db.forSystem("releases", (tx) => findRouteStanding(tx, release.holding_id));
    if (standing !== "pending" || until.aborted) return standing;
    await pause(LOOK_AGAIN_MS, until);
  }
}

async function tell(app: Needs, job: JobRow, release: ReleaseRow, time: "first" | "again"): Promise<void> {
  const answer = await askCarrier(app, release, time);
  if (answer === "pending") await waitFor(app, job, "carrier_pending");
  else if (answer === "released") await rest(app, job, release);
  else await putBack(app, job, release, answer);
}

/** After a crash nobody knows whether it was told: it is asked before it is told once more. */
async function askCarrier(
  { carriers }: Needs,
  release: ReleaseRow,
  time: "first" | "again",
): Promise<Exclude<ReleaseState, "refused"> | CarrierFault> {
  if (release.carrier === null) return "released";
  const ordering = carriers.named(release.carrier)?.ordering;
  if (!ordering) return new CarrierFault("refused", `The carrier ${release.carrier} is no longer connected.`);
  const of = scopeOf(release);
  const wanted = { reference: release.id, e164: release.e164 };
  try {
    const known = time === "again" ? await ordering.releaseStatus(of, wanted) : undefined;
    const state = known ?? (await ordering.release(of, wanted));
    return state === "refused" ? new CarrierFault("refused", "The carrier keeps the number.") : state;
  } catch (error) {
    if (error instanceof CarrierFault && error.kind === "refused") return error;
    throw error;
  }
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

/** The carrier has it still, so it is the organisation's still: calls go on as they did. */
async function putBack(app: Needs, job: JobRow, release: ReleaseRow, fault: CarrierFault): Promise<void> {
  const error = { code: "carrier_refused", detail: fault.message } as const;
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

async function waitFor(app: Needs, job: JobRow, reason: string): Promise<void> {
  await app.db.forSystem("releases", (tx) => moveJob(tx, app, job, { waitMs: pauseMs(job.waits), reason }));
}

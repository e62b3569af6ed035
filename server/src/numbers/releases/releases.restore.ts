import type { App } from "../../app.ts";
import { CarrierFault, type Ordering } from "../carriers/carrier.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { endJob, holdJob, type JobRow, rejectLate } from "../jobs/jobs.ts";
import { endRouting } from "../numbers/numbers.ts";
import { moveRelease, ReleaseMoved, restorerOf, scopeOf, waitFor, wantedOf } from "./releases.moves.ts";
import { listRested, type ReleaseRow } from "./releases.store.ts";

type Needs = Pick<App, "db" | "clock" | "carriers">;

/** Restores a quarantined number. A repetition after a crash gets the same result from the carrier. */
export async function restoreReleased(app: Needs, job: JobRow, release: ReleaseRow): Promise<void> {
  const carrier = release.carrier === null ? null : app.carriers.named(release.carrier);
  if (carrier === undefined) return waitFor(app, job, "carrier_not_connected");
  const isBack = carrier === null || (await askForNumber(app, job, release, carrier.ordering));
  await app.db.forSystem("releases", async (tx) => {
    const at = app.clock.now();
    if (isBack) {
      await endJob(tx, app, job, { succeeded: 1, failed: 0 });
      await moveRelease(
        tx,
        release,
        { author: restorerOf(release), at },
        {
          step: "restored",
          isEnd: true,
          event: "number.restored",
          number: {
            from: "quarantined",
            to: release.previous_status,
            rest: { restoreUntil: null, releasedAt: null },
          },
        },
      );
      return;
    }
    const detail = "The carrier did not restore the number.";
    await endJob(tx, app, job, { succeeded: 0, failed: 1, error: { code: "number_not_restorable", detail } });
    await moveRelease(
      tx,
      release,
      { author: restorerOf(release), at },
      {
        step: "quarantined",
        event: "number.restore_failed",
        number: { from: "quarantined", to: "quarantined", rest: { restoreUntil: null, releasedAt: null } },
      },
    );
  });
}

async function askForNumber(
  app: Needs,
  job: JobRow,
  release: ReleaseRow,
  { restore }: Ordering,
): Promise<boolean> {
  if (!restore) return false;
  rejectLate(app, await holdJob(app, job));
  try {
    return (await restore(scopeOf(release), wantedOf(release))) === "restored";
  } catch (error) {
    if (error instanceof CarrierFault && error.kind === "refused") return false;
    throw error;
  }
}

const BATCH = 100;
const GOES = "quarantine";

/** Ends expired quarantines, so that the numbers become available. */
export async function endRests(app: Pick<App, "db" | "clock" | "log">): Promise<void> {
  const now = app.clock.now();
  const rested = await app.db.forSystem("releases", (tx) => listRested(tx, now, BATCH));
  for (const release of rested) await endRest(app, release, now);
}

async function endRest({ db, log }: Pick<App, "db" | "log">, release: ReleaseRow, at: Date): Promise<void> {
  await db
    .forSystem("releases", async (tx) => {
      await endRouting(tx, release.holding_id, GOES, at);
      await moveRelease(
        tx,
        release,
        { author: systemAuthor(GOES), at },
        {
          step: "released",
          isEnd: true,
          event: "number.released",
          number: { from: "quarantined", to: "released", rest: { restoreUntil: null, releasedAt: at } },
        },
      );
    })
    .catch((error: unknown) => {
      // The number was restored at the last moment, or another worker was faster. Other errors must not stop the
      // remaining quarantines from ending.
      if (!(error instanceof ReleaseMoved))
        log.error({ err: error, release: release.id }, "quarantine could not be ended; it will be retried");
    });
}

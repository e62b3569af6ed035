import type { Clock } from "./clock.ts";
import type { Database } from "./db/database.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

const MOST_MS = 2_000;

/** Job leases depend on time, so workers need the same clock. The database's clock is the reference. */
export const checkClockChore = {
  name: "clock.check",
  everyMs: 60_000,
  async run({ db, clock, log, metrics }: { db: Database; clock: Clock; log: Log; metrics: Metrics }) {
    const before = clock.now().getTime();
    const [database] = await db.forSystem.read<{ now: Date }>("sweep", "select clock_timestamp() as now", []);
    const offsetMs = (before + clock.now().getTime()) / 2 - database!.now.getTime();
    metrics.clockOffset.set(offsetMs / 1000);
    if (Math.abs(offsetMs) > MOST_MS)
      log.error(
        { offsetMs },
        "clock of this machine differs from the database's: set it, or jobs may run twice",
      );
  },
};

import type { App } from "../../app.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import type { CallStanding } from "./calls.standings.schema.ts";
import { setStanding } from "./calls.standings.store.ts";

/** Calls are attributed to hours by the clock of their switch. As the alarms of switches have it. */
const MOST_OFFSET_MS = 1_000;

/** Notes how far the records of a switch are complete. Returns what time it is. */
export async function takeStanding(
  app: Pick<App, "db" | "clock" | "log" | "metrics">,
  who: SwitchCaller,
  standing: CallStanding,
): Promise<Date> {
  const { clock_offset_ms: offsetMs, is_disk_full: isDiskFull = false } = standing;
  if (offsetMs !== null) {
    app.metrics.switchClockOffset.set({ switch: who.name }, offsetMs / 1000);
    if (Math.abs(offsetMs) > MOST_OFFSET_MS)
      app.log.error(
        { switch: who.name, offsetMs },
        "clock of a switch's machine is wrong: set it, or calls count in the wrong hour",
      );
  }
  app.metrics.switchDiskFull.set({ switch: who.name }, Number(isDiskFull));
  if (isDiskFull)
    app.log.error(
      { switch: who.name },
      "record disk of a switch's machine is full: free space, or calls are not recorded",
    );
  await app.db.forSwitch(who, (tx) => setStanding(tx, who, standing, app.clock.now()));
  return app.clock.now();
}

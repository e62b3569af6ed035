import type { App } from "../../app.ts";
import { dropPartitions } from "../../platform/db/drop-partitions.ts";
import {
  advanceUsageStart,
  compareUsageDays,
  endUsageDays,
  listOrganisationsWithOldUsage,
  readHoursSince,
  rollUpUsage,
} from "./usage.retention.store.ts";

type Needs = Pick<App, "db" | "clock" | "config">;

/**
 * Keeps usage by the hour for USAGE_HOURS_MONTHS and by the day for USAGE_YEARS. Works on what the previous run has marked
 * as old, and then marks what is old now.
 */
export async function sweepUsage({ db, clock, config }: Needs, stopping: AbortSignal): Promise<void> {
  const at = clock.now();
  for (const id of await listOrganisationsWithOldUsage(db)) await rollUpUsage(db, id, stopping);
  const hours = { table: "usage_hours", before: dayOf(await readHoursSince(db)) } as const;
  await dropPartitions(db, hours, async (partition) => {
    await compareUsageDays(db, partition);
    return true;
  });
  const years = dayOf(new Date(Date.UTC(at.getUTCFullYear() - config.usageYears, 0, 1)));
  await endUsageDays(db, years);
  await dropPartitions(db, { table: "usage_days", before: years });
  await advanceUsageStart(
    db,
    new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - config.usageHoursMonths, 1)),
  );
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

import type { App } from "../../app.ts";
import { monthsBefore } from "../../platform/clock.ts";
import { endRoutingHistory } from "./routing.retention.store.ts";

type Needs = Pick<App, "db" | "clock" | "config">;

/** Deletes revisions and readings of routes that no audit entry and no stored call can name. */
export async function sweepRoutingHistory(
  { db, clock, config }: Needs,
  stopping: AbortSignal,
): Promise<void> {
  const months = Math.max(config.auditMonths, config.callRecordsMonths);
  await endRoutingHistory(db, monthsBefore(clock.now(), months), stopping);
}

import type { App } from "../../app.ts";
import { monthsBefore } from "../../platform/clock.ts";
import { endAuditEntries, listScopesWithEntriesBefore } from "./audit.retention.store.ts";

type Needs = Pick<App, "db" | "clock" | "config">;

/** Deletes audit entries that are older than AUDIT_MONTHS. */
export async function sweepAuditEntries({ db, clock, config }: Needs, stopping: AbortSignal): Promise<void> {
  const before = monthsBefore(clock.now(), config.auditMonths);
  for (const organisationId of await listScopesWithEntriesBefore(db, before))
    await endAuditEntries(db, { organisationId, before }, stopping);
}

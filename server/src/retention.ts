import type { App } from "./app.ts";
import { sweepAuditEntries } from "./events/audit/audit.jobs.ts";
import { sweepEvents } from "./events/events/events.jobs.ts";
import { sweepFinishedBulkChanges } from "./numbers/bulk-changes/bulk-changes.jobs.ts";
import { sweepRoutingHistory } from "./numbers/routing/routing.jobs.ts";
import { sweepTable } from "./platform/db/sweep.ts";
import { sweepUsage } from "./switching/usage/usage.jobs.ts";

type Needs = Pick<App, "db" | "clock" | "config" | "log">;

const DAY_MS = 86_400_000;
/** A run ends before the queue takes it for dead. The next one continues. */
const RUN_MS = 240_000;
const BATCH = 2_000;

const SWEEPS: readonly ((app: Needs, stopping: AbortSignal) => Promise<void>)[] = [
  sweepEvents,
  sweepAuditEntries,
  sweepUsage,
  sweepFinishedBulkChanges,
  sweepFixedPeriods,
  endReservations,
];

export const sweepRetentionJob = {
  name: "retention.sweep",
  every: "23 * * * *",
  run: (app: App): Promise<void> => sweepRetention(app, AbortSignal.timeout(RUN_MS)),
};

/** Once a day, because it walks all numbers. */
export const sweepRoutingHistoryJob = {
  name: "routing-history.sweep",
  every: "37 2 * * *",
  run: (app: App): Promise<void> => sweepRoutingHistory(app, AbortSignal.timeout(RUN_MS)),
};

/** If a sweep fails, the others still run. */
export async function sweepRetention(app: Needs, stopping: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const sweep of SWEEPS) {
    if (stopping.aborted) return;
    await sweep(app, stopping).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, "Old rows could not be deleted.");
}

const OLD_RECONCILIATIONS = `select r.id from reconciliations r where r.finished_at < $1 and exists (
  select from reconciliations n where n.carrier = r.carrier and n.status = 'finished' and n.id > r.id)`;

async function sweepFixedPeriods({ db, clock }: Needs): Promise<void> {
  const daysAgo = (days: number): Date => new Date(clock.now().getTime() - days * DAY_MS);
  for (const [table, where, days] of [
    ["invitations", "expires_at < $1", 30],
    ["sandbox_calls", "first_at < $1", 90],
    ["sandbox_submissions", "submitted_at < $1", 90],
    ["reconciliation_findings", `reconciliation_id in (${OLD_RECONCILIATIONS})`, 400],
    ["reconciliations", `id in (${OLD_RECONCILIATIONS})`, 400],
  ] as const)
    await sweepTable(db, { table, where, values: [daysAgo(days)] });
}

async function endReservations({ db, clock }: Needs, stopping: AbortSignal): Promise<void> {
  const before = new Date(clock.now().getTime() - 90 * DAY_MS);
  while (!stopping.aborted) {
    const [row] = await db.forSystem.write<{ gone: number }>(
      "sweep",
      "select end_reservations($1, $2) as gone",
      [before, BATCH],
    );
    if (row!.gone < BATCH) return;
  }
}

import type { App } from "./app.ts";
import { monthsBefore } from "./platform/clock.ts";
import type { Database } from "./platform/db/database.ts";
import type { Config } from "./config.ts";
import { oldestRecord } from "./switching/usage/usage.ts";

const DAY_MS = 86_400_000;
/** The job runs every hour. After two days, it does not work. */
const MOST_LAG_MS = 2 * DAY_MS;

interface Oldest {
  table: string;
  /** Rows before this time are deleted. */
  before(config: Config, at: Date): Date;
  /** Time of the oldest row, by an index. */
  oldest: string;
}

const oldestPartition = (prefix: string, format: string): string =>
  `select min(to_date(substring(relname from '\\d.*$'), '${format}')::timestamp at time zone 'UTC') as at
   from pg_class where relnamespace = 'call_partitions'::regnamespace and relkind = 'r' and relname like '${prefix}\\_%'`;
const monthStart = (at: Date, months: number): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months, 1));

/** Tables that grow fastest. */
const OLDEST: readonly Oldest[] = [
  {
    table: "events",
    before: ({ eventsDays }, at) => new Date(at.getTime() - eventsDays * DAY_MS),
    oldest: `select min(e.created_at) as at from event_heads h cross join lateral (
      select created_at from events where organisation_id = h.organisation_id order by sequence limit 1) e`,
  },
  {
    table: "audit_entries",
    before: ({ auditMonths }, at) => monthsBefore(at, auditMonths),
    oldest: `select min(e.at) as at from organisations o cross join lateral (
      select at from audit_entries where organisation_id = o.id order by organisation_id, committed_in, id limit 1) e`,
  },
  {
    table: "idempotency_keys",
    before: (_, at) => at,
    oldest: "select min(expires_at) as at from idempotency_keys",
  },
  {
    table: "webhook_deliveries",
    before: (_, at) => new Date(at.getTime() - 30 * DAY_MS),
    oldest: "select min(created_at) as at from webhook_deliveries where status <> 'pending'",
  },
  {
    table: "call_records",
    before: (config, at) => oldestRecord({ config }, at),
    oldest: oldestPartition("records", "YYYY_MM"),
  },
  {
    table: "call_parties",
    before: ({ callPartiesDays }, at) => new Date(at.getTime() - (callPartiesDays + 1) * DAY_MS),
    oldest: oldestPartition("parties", "YYYY_MM_DD"),
  },
  {
    table: "usage_hours",
    before: ({ usageHoursMonths }, at) => monthStart(at, usageHoursMonths),
    oldest: oldestPartition("hours", "YYYY_MM"),
  },
];

/** Milliseconds by which the oldest row of each table is older than its settings allow. 0 if it is not. */
async function measureLag(
  db: Database,
  config: Config,
  at: Date,
): Promise<{ table: string; lagMs: number }[]> {
  const lags = [];
  for (const { table, before, oldest } of OLDEST) {
    const [row] = await db.forSystem.read<{ at: Date | null }>("doctor", oldest);
    const lagMs = row?.at ? Math.max(0, before(config, at).getTime() - row.at.getTime()) : 0;
    lags.push({ table, lagMs });
  }
  return lags;
}

/** Tables whose rows should have been deleted for days. */
export async function listOverdueTables(db: Database, config: Config, at: Date): Promise<string[]> {
  const lags = await measureLag(db, config, at);
  return lags
    .filter(({ lagMs }) => lagMs > MOST_LAG_MS)
    .map(({ table, lagMs }) => `${table}: ${Math.floor(lagMs / DAY_MS)} days`);
}

export const measureLagChore = {
  name: "retention.measure",
  everyMs: 600_000,
  async run({ db, config, clock, metrics }: App): Promise<void> {
    for (const { table, lagMs } of await measureLag(db, config, clock.now()))
      metrics.retentionLag.set({ table }, lagMs / 1000);
  },
};

import type { Clock } from "./clock.ts";
import type { Database } from "./db/database.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** A snapshot older than this many transactions keeps PostgreSQL from removing dead rows of hot tables. */
export const MOST_TRANSACTIONS = 100_000;
const WARNED_EVERY_MS = 3_600_000;

/**
 * Holders of a snapshot of this database, with its age in transactions: sessions, prepared transactions and replication
 * slots. The age in seconds is hidden from roles without pg_read_all_stats, and the service's roles have no such power.
 */
export const SNAPSHOTS = `
  select 'session ' || pid as holder, age(backend_xmin) as transactions, backend_xmin::text as xmin
  from pg_stat_activity where backend_xmin is not null and pid <> pg_backend_pid() and coalesce(datname, current_database()) = current_database()
  union all select 'prepared transaction ' || gid, age(transaction), transaction::text
  from pg_prepared_xacts where database = current_database()
  union all select 'replication slot ' || slot_name, age(xmin), xmin::text from pg_replication_slots where xmin is not null`;

interface OldestSnapshot {
  holder: string;
  transactions: number;
  xmin: string;
}

interface Needs {
  db: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Measures the oldest snapshot, in transactions and in the seconds since this worker first saw it. */
export function snapshotCheck(): { name: string; everyMs: number; run(needs: Needs): Promise<void> } {
  let seen: { xmin: string; atMs: number } | undefined;
  let warnedAtMs = -Infinity;
  return {
    name: "snapshots.check",
    everyMs: 15_000,
    async run({ db, clock, log, metrics }) {
      const [oldest] = await db.forSystem.read<OldestSnapshot>(
        "sweep",
        `select * from (${SNAPSHOTS}) s order by transactions desc limit 1`,
      );
      const nowMs = clock.now().getTime();
      if (oldest?.xmin !== seen?.xmin) seen = oldest && { xmin: oldest.xmin, atMs: nowMs };
      const transactions = oldest?.transactions ?? 0;
      metrics.oldestSnapshotTransactions.set(transactions);
      metrics.oldestSnapshotSeconds.set(seen ? (nowMs - seen.atMs) / 1000 : 0);
      if (transactions <= MOST_TRANSACTIONS || nowMs - warnedAtMs < WARNED_EVERY_MS) return;
      warnedAtMs = nowMs;
      log.warn(
        { holder: oldest!.holder, transactions },
        "a long transaction prevents PostgreSQL from removing dead rows; end it",
      );
    },
  };
}

import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Leg } from "./leg.ts";
import { numberIdSql } from "./number-ids.ts";
import { psql } from "./psql.ts";
import type { UsagePopulation } from "./usage-population.ts";

/** Latency of reads and uploads, without and with concurrent creation and removal of partitions. */
export interface Upkeep {
  quiet: Loads;
  busy: Loads;
  made: number;
  dropped: number;
  /** Rows in the dropped partitions. */
  droppedRows: number;
  longestMs: number;
}

export interface Loads {
  read: Leg;
  ingest: Leg;
}

/** Months before those that are looked at, and days of who called: what retention takes away. */
const OLD_MONTHS = 24;
const MOST_OLD_ROWS = 20_000;
const CALLS_PER_OLD_ROW = 100;
const EVERY_MS = 100;

interface Needs {
  databaseUrl: string;
  population: UsagePopulation;
  runLoads(): Promise<Loads>;
  signal: AbortSignal;
}

export async function measureUpkeep(needs: Needs): Promise<Upkeep> {
  const { calls } = needs.population.counted.at(-1)!;
  const rows = Math.min(MOST_OLD_ROWS, Math.ceil(calls / CALLS_PER_OLD_ROW));
  const old = await fillOldMonths(needs, rows);
  const quiet = await needs.runLoads();
  const client = new pg.Client(needs.databaseUrl);
  await client.connect();
  try {
    // Same as the service: gives up instead of blocking other sessions.
    await client.query("set lock_timeout = '3s'");
    const keeping = new AbortController();
    const kept = keepPartitions(client, { old, rows, signal: keeping.signal });
    const busy = await needs.runLoads().finally(() => keeping.abort());
    return { quiet, busy, ...(await kept) };
  } finally {
    await client.end();
  }
}

/** First days, oldest first. */
async function fillOldMonths({ databaseUrl, population, signal }: Needs, rows: number): Promise<string[]> {
  const [year, month] = population.year.firsts[0]!.split("-").map(Number);
  const firsts = Array.from({ length: OLD_MONTHS }, (_, at) =>
    new Date(Date.UTC(year!, month! - 1 - OLD_MONTHS + at, 1)).toISOString().slice(0, 10),
  );
  const { organisationId, switches } = population;
  await psql(
    databaseUrl,
    [
      `select make_call_partitions(array[${firsts.map((day) => `'${day}'`).join(", ")}]::date[])`,
      "set session_replication_role = replica",
      ...["call_records", "call_parties"].map(
        (table) => `insert into ${table} (id, switch_id, started_at, organisation_id, environment, holding_id
             ${table === "call_records" ? ", ending, result, received_at" : ", caller, called, target"})
           select gen_random_uuid(), '${switches[0]!.id}', day + n * interval '1 millisecond', '${organisationId}', 'live', ${numberIdSql("0")}
             ${table === "call_records" ? ", 'hung_up', 'answered', now()" : ", '+15550009999', '+4930901820', 'sip:alice@192.0.2.9'"}
           from unnest(array[${firsts.map((day) => `'${day} 00:00+00'`).join(", ")}]::timestamptz[]) day, generate_series(1, ${rows}) n`,
      ),
      "vacuum analyze call_records, call_parties",
    ],
    signal,
  );
  return firsts;
}

/** Until the abort: creates the next month's partition and drops the oldest. */
async function keepPartitions(
  client: pg.Client,
  { old, rows, signal }: { old: readonly string[]; rows: number; signal: AbortSignal },
): Promise<Omit<Upkeep, "quiet" | "busy">> {
  const kept = { made: 0, dropped: 0, droppedRows: 0, longestMs: 0 };
  const timed = async (text: string, values: unknown[]): Promise<number> => {
    const beganAt = performance.now();
    const { rowCount } = await client.query(text, values);
    kept.longestMs = Math.max(kept.longestMs, performance.now() - beganAt);
    return rowCount!;
  };
  const count = async (): Promise<number> => {
    const parts =
      "select from pg_class where relnamespace = 'call_partitions'::regnamespace and relkind = 'r'";
    return (await client.query(parts)).rowCount!;
  };
  const now = new Date();
  for (const [at, first] of old.entries()) {
    if (signal.aborted) break;
    const ahead = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3 + at, 1))
      .toISOString()
      .slice(0, 10);
    const before = await count();
    await timed("select make_call_partitions(array[$1::date])", [ahead]);
    kept.made += (await count()) - before;
    const [year, month] = first.split("-").map(Number);
    const next = new Date(Date.UTC(year!, month, 1)).toISOString().slice(0, 10);
    // One table at a time, as the worker does.
    for (const before of [
      [next, null],
      [null, next],
    ]) {
      const dropped = await timed("select * from drop_call_partitions($1::date, $2::date)", before);
      kept.dropped += dropped;
      kept.droppedRows += dropped * rows;
    }
    await pause(EVERY_MS);
  }
  if (kept.dropped === 0) throw new Error("not one partition was dropped");
  return kept;
}

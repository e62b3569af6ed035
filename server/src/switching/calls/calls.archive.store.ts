import type { Database } from "../../platform/db/database.ts";

export type Kind = "uuid" | "text" | "timestamp" | "int32" | "int64" | "boolean";

/** Columns of an archived call, in the order of the file. */
export const COLUMNS = {
  id: "uuid",
  switch_id: "uuid",
  started_at: "timestamp",
  organisation_id: "uuid",
  environment: "text",
  holding_id: "uuid",
  claimed_holding_id: "uuid",
  answered_at: "timestamp",
  ended_at: "timestamp",
  ending: "text",
  result: "text",
  mode: "text",
  generation: "int64",
  trunk: "text",
  code: "int32",
  why: "text",
  received_at: "timestamp",
  is_forwarded_by_webhook: "boolean",
  ended_by: "text",
  setup_ms: "int32",
  ring_ms: "int32",
  q850: "int32",
  gateway: "text",
  connection_id: "uuid",
  step: "int32",
  talk_seconds: "int32",
} as const satisfies Record<string, Kind>;

export type Column = keyof typeof COLUMNS;
export type CallRow = Record<Column, string | number | boolean | null>;

/** Sums of a day's calls. */
export interface DaySums {
  rows: number;
  talk_seconds: number;
}

/** Calls of a day. The first pair of conditions chooses the partition, the second one uses the index of its times. */
function within(day: string): string {
  const time = "c.started_at at time zone 'UTC'";
  return `c.started_at >= ${day} at time zone 'UTC' and c.started_at < (${day} + interval '1 day') at time zone 'UTC'
    and ${time} >= ${day} and ${time} < ${day} + interval '1 day'`;
}

/** No request waits for these statements, so they may take longer. */
async function readLong<Row>(db: Database, text: string, values: unknown[]): Promise<Row[]> {
  return db.forSystem("calls", async (tx) => {
    await tx.extendTimeout(120_000);
    return tx.query<Row>(text, values);
  });
}

/** Days (UTC) of the month with stored calls. */
export async function listDays(db: Database, month: string): Promise<string[]> {
  const rows = await readLong<{ day: string }>(
    db,
    `select to_char(d, 'YYYY-MM-DD') as day
     from generate_series($1::timestamp, $1::timestamp + interval '1 month' - interval '1 day', interval '1 day') d
     where exists (select from call_records c where ${within("d")})`,
    [`${month}-01`],
  );
  return rows.map(({ day }) => day);
}

export async function sumDay(db: Database, day: string): Promise<DaySums> {
  const [row] = await readLong<{ rows: string; talk_seconds: string }>(
    db,
    `select count(*) as rows, coalesce(sum(talk_seconds(answered_at, ended_at)), 0) as talk_seconds from call_records c where ${within("$1::timestamp")}`,
    [day],
  );
  return { rows: Number(row!.rows), talk_seconds: Number(row!.talk_seconds) };
}

/** Times are microseconds since 1970, because a Date has milliseconds. */
const SELECTED = Object.entries(COLUMNS)
  .map(([name, kind]) => {
    if (name === "talk_seconds") return "talk_seconds(c.answered_at, c.ended_at) as talk_seconds";
    return kind === "timestamp"
      ? `(extract(epoch from c.${name}) * 1000000)::bigint as ${name}`
      : `c.${name}`;
  })
  .join(", ");

/** Calls of a day in the order of an index. */
export async function listDayPage(
  db: Database,
  { day, after, limit }: { day: string; after: CallRow | undefined; limit: number },
): Promise<CallRow[]> {
  const place = "(c.started_at at time zone 'UTC', c.switch_id, c.id)";
  const behind = after
    ? `and ${place} > (to_timestamp(0) at time zone 'UTC' + $3::bigint * interval '1 microsecond', $4::uuid, $5::uuid)`
    : "";
  return readLong<CallRow>(
    db,
    `select ${SELECTED} from call_records c
     where ${within("$1::timestamp")} ${behind}
     order by c.started_at at time zone 'UTC', c.switch_id, c.id limit $2`,
    [day, limit, ...(after ? [after.started_at, after.switch_id, after.id] : [])],
  );
}

/** Months with a partition, oldest first. */
export async function listMonths(db: Database, before: string): Promise<string[]> {
  const rows = await readLong<{ month: string }>(
    db,
    `select replace(substr(relname, 9), '_', '-') as month from pg_class
     where relnamespace = 'call_partitions'::regnamespace and relkind = 'r' and relname like 'records\\_%'
       and replace(substr(relname, 9), '_', '-') < $1 order by 1`,
    [before],
  );
  return rows.map(({ month }) => month);
}

import { numberIdSql } from "./number-ids.ts";
import type { BenchYear } from "./usage-year.ts";

interface Filling {
  year: BenchYear;
  organisationId: string;
  switchId: string;
  hourly: number;
}

/** By the hour of the day, so that all days come to the same. */
const ANSWERED = "(1 + h % 4)";
const BUSY = "(case when h % 3 = 0 then 1 else 0 end)";
const TALK_SECONDS = 90;
const VALUES = `${ANSWERED} + ${BUSY}, ${ANSWERED}, ${BUSY}, 0, 0, 0, 0, ${ANSWERED} * ${TALK_SECONDS}, 0`;
const HOUR_OF = (at: string): string => `extract(hour from ${at} at time zone 'UTC')::integer`;

/** Other organisations whose calls lie between. */
const NEIGHBOURS = 40;

export function hourStatements({ year, organisationId, hourly }: Filling, month: number): string[] {
  const [from, to] = [year.firsts[month]!, year.firsts[month + 1]!];
  return partStatements({ table: "usage_hours", prefix: "hours", year, month }, [
    `with hour as materialized (
       select at, ${HOUR_OF("at")} as h from generate_series('${from}'::timestamptz, '${to}'::timestamptz - interval '1 hour', '1 hour') at)
     select '${organisationId}'::uuid, 'live', n.id, hour.at, ${VALUES}
     from (select ${numberIdSql("n")} as id from generate_series(0, ${hourly - 1}) n offset 0) n cross join hour`,
  ]);
}

/** Days, and hours of the organisation; and partitions for everything. */
export function sumStatements({ year, organisationId, switchId, hourly }: Filling): string[] {
  const [first, last] = [year.firsts[0]!, year.firsts.at(-1)!];
  const firsts = year.firsts.map((day) => `'${day}'`).join(", ");
  const sums = VALUES.split(", ").map((value) => `sum(${value})`);
  return [
    `select make_call_partitions(array[${firsts}]::date[])`,
    `insert into usage_days
     with one as materialized (select ${sums.map((sum, at) => `${sum} as s${at}`).join(", ")} from generate_series(0, 23) h)
     select '${organisationId}'::uuid, 'live', ${numberIdSql("n")}, day::date, one.*
     from generate_series(0, ${hourly - 1}) n cross join generate_series('${first}'::date, '${last}'::date - 1, '1 day') day cross join one`,
    `insert into organisation_usage_hours (organisation_id, environment, hour, switch_id, calls, answered, busy, no_answer, cancelled,
       rejected, failed, talk_seconds, forwarded_seconds)
     select o.id, 'live', at, '${switchId}'::uuid, ${VALUES.split(", ")
       .map((value) => `${hourly} * (${value})`)
       .join(", ")}
     from generate_series('${first}'::timestamptz, '${last}'::timestamptz - interval '1 hour', '1 hour') at
     cross join lateral (select ${HOUR_OF("at")} as h) of_day
     cross join (
       select '${organisationId}'::uuid as id
       union (select id from organisations order by id limit ${NEIGHBOURS})) o
     order by at, o.id`,
  ];
}

/** Single calls where windows begin and end, which are counted in their hours already. */
export function edgeStatements({ year, organisationId, switchId, hourly }: Filling): string[] {
  const hours = year.edges.map((hour) => `'${hour}'`).join(", ");
  return [
    "set session_replication_role = replica",
    `insert into call_records (${RECORD_COLUMNS})
     select gen_random_uuid(), '${switchId}'::uuid, started_at, '${organisationId}'::uuid, 'live', ${numberIdSql("n")},
       case when is_answered then started_at end, started_at + interval '${TALK_SECONDS} seconds',
       case when is_answered then 'hung_up' else 'refused' end, case when is_answered then 'answered' else 'busy' end, 'sip_uri', 1, 'acme',
       case when is_answered then 200 else 486 end, now()
     from unnest(array[${hours}]::timestamptz[]) hour
     cross join lateral (select ${HOUR_OF("hour")} as h) of_day
     cross join generate_series(0, ${hourly - 1}) n
     cross join lateral generate_series(1, ${ANSWERED} + ${BUSY}) call
     cross join lateral (select hour + call * interval '10 minutes' as started_at, call <= ${ANSWERED} as is_answered) what`,
    "set session_replication_role = default",
  ];
}

/** A twelfth of the calls of each, evenly over the month. */
export function recordStatements(filling: Filling, counted: readonly Counted[], month: number): string[] {
  return partStatements(
    { table: "call_records", prefix: "records", year: filling.year, month },
    counted.map((one) => callsSql(filling, one, month)),
  );
}

export interface Counted {
  number: number;
  calls: number;
}

const RECORD_COLUMNS = `id, switch_id, started_at, organisation_id, environment, holding_id, answered_at, ended_at, ending, result, mode,
  generation, trunk, code, received_at`;

function callsSql(
  { year, organisationId, switchId }: Filling,
  { number, calls }: Counted,
  month: number,
): string {
  const [from, to] = [year.firsts[month]!, year.firsts[month + 1]!].map((day) => Date.parse(day) / 1000);
  const share = Math.floor((calls * (month + 1)) / 12) - Math.floor((calls * month) / 12);
  return `(${RECORD_COLUMNS})
    select gen_random_uuid(), '${switchId}'::uuid, started_at, '${organisationId}'::uuid, 'live', ${numberIdSql(String(number))},
      case when call % 10 < 7 then started_at + interval '2 seconds' end, started_at + (20 + call % 300) * interval '1 second',
      case when call % 10 < 7 then 'hung_up' else 'refused' end,
      case call % 10 when 7 then 'busy' when 8 then 'no_answer' when 9 then 'cancelled' else 'answered' end,
      case when call % 20 = 0 then 'forward' else 'sip_uri' end, 1, 'acme', 200, started_at + interval '10 minutes'
    from generate_series(1, ${share}) call
    cross join lateral (select to_timestamp(${from} + (call - 0.5) * ${(to! - from!) / Math.max(1, share)}::float8) as started_at) at`;
}

/** Hours and days of those whose calls are there one by one. */
export function countStatements(counted: readonly Counted[]): string[] {
  const numbers = counted.map(({ number }) => numberIdSql(String(number))).join(", ");
  const results = ["answered", "busy", "no_answer", "cancelled", "rejected", "failed"];
  const seconds = "sum(talk_seconds(answered_at, ended_at))";
  return [
    ["usage_hours", "date_trunc('hour', started_at)"],
    ["usage_days", "started_at::date"],
  ].map(
    ([table, time]) => `insert into ${table}
      select organisation_id, environment, holding_id, ${time}, count(*),
        ${results.map((result) => `count(*) filter (where result = '${result}')`).join(", ")},
        ${seconds}, coalesce(${seconds} filter (where mode = 'forward'), 0)
      from call_records where holding_id in (${numbers}) group by 1, 2, 3, 4`,
  );
}

/** A month, filled before it becomes a partition: its indexes are then built at once, and not row by row. */
function partStatements(
  { table, prefix, year, month }: { table: string; prefix: string; year: BenchYear; month: number },
  rows: readonly string[],
): string[] {
  const [from, to] = [year.firsts[month]!, year.firsts[month + 1]!];
  const part = `call_partitions.${prefix}_${from.slice(0, 7).replace("-", "_")}`;
  const room = table === "usage_hours" ? " with (fillfactor = 70)" : "";
  return [
    "begin",
    `drop table if exists ${part}`,
    `create table ${part} (like ${table} including defaults including constraints)${room}`,
    ...rows.map((sql) => `insert into ${part} ${sql}`),
    `alter table ${table} attach partition ${part} for values from ('${from}') to ('${to}')`,
    `alter table ${part} owner to dialplane_calls`,
    "commit",
  ];
}

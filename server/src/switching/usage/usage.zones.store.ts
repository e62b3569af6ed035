import type { Database, OrganisationScope } from "../../platform/db/database.ts";
import {
  ofNumber,
  ofOrganisation,
  OWN_NUMBER,
  RECORD_SUMS,
  type Statement,
  SUMS,
  timeOf,
  type UsageRow,
} from "./usage.store.ts";
import type { UsageTotals } from "./usage.schema.ts";

/** Edges of the buckets in order, and the hours that an edge cuts: their smaller rows are read instead. */
export interface CutWindow {
  edges: readonly number[];
  hours: readonly number[];
  /** Start of the oldest usage by the hour. Usage before it is read by the day. */
  oldestHour: number;
}

export interface CutRow extends Omit<UsageRow, "usage"> {
  /** Buckets that are not empty, counted from 1. */
  usage: (UsageTotals & { bucket: number })[] | null;
}

/** Single calls of the cut hours: for each hour, one index scan. */
const RECORDS = `
    select width_bucket(c.started_at, $4::timestamptz[]) as bucket, ${RECORD_SUMS}
    from unnest($7::timestamptz[]) cut (hour) cross join lateral (
      select * from call_records where ${OWN_NUMBER} and started_at >= greatest(cut.hour, $5::timestamptz)
        and started_at < least(cut.hour + interval '1 hour', $6::timestamptz) and result <> 'not_served' offset 0) c
    group by 1`;
const DAY = "day::timestamp at time zone 'UTC'";

export function cutNumberUsageStatement(
  scope: OrganisationScope,
  numberId: string,
  { edges, hours, oldestHour }: CutWindow,
): Statement {
  const whole = `select width_bucket(hour, $4::timestamptz[]) as bucket, ${SUMS} from usage_hours where ${OWN_NUMBER} and hour >= date_trunc('hour', greatest($5::timestamptz, $8::timestamptz), 'UTC') and hour < $6::timestamptz and hour not in (select unnest($7::timestamptz[])) group by 1`;
  const days = `select width_bucket(${DAY}, $4::timestamptz[]) as bucket, ${SUMS} from usage_days where ${OWN_NUMBER} and day >= $5::date and day < least($6::timestamptz, $8::timestamptz)::date group by 1`;
  return {
    text: ofNumber(
      byBucket([whole, ...(hours.length > 0 ? [RECORDS] : []), ...(edges[0]! < oldestHour ? [days] : [])]),
    ),
    values: [
      scope.organisationId,
      scope.environment,
      numberId,
      ...windowOf(edges),
      hours.map((at) => timeOf(at)),
      timeOf(oldestHour),
    ],
  };
}

/** `quarters` are those of the cut hours that are in the window. Each call is in an hour or in a day, never in both. */
export function cutOrganisationUsageStatement(
  scope: OrganisationScope,
  { edges, hours, oldestHour }: CutWindow,
  quarters: readonly number[],
): Statement {
  const own = "organisation_id = $1 and environment = $2";
  const whole = `select width_bucket(hour, $3::timestamptz[]) as bucket, ${SUMS} from organisation_usage_hours where ${own} and hour >= date_trunc('hour', $4::timestamptz, 'UTC') and hour < $5::timestamptz and hour not in (select unnest($6::timestamptz[])) group by 1`;
  const parts = `select width_bucket(quarter, $3::timestamptz[]) as bucket, ${SUMS} from organisation_usage_quarters where ${own} and quarter = any ($7::timestamptz[]) group by 1`;
  const days = `select width_bucket(${DAY}, $3::timestamptz[]) as bucket, ${SUMS} from organisation_usage_days where ${own} and ${DAY} >= $4::timestamptz and ${DAY} < $5::timestamptz group by 1`;
  const times = [hours, quarters].map((list) => list.map((at) => timeOf(at)));
  return {
    text: ofOrganisation(byBucket([whole, parts, ...(edges[0]! < oldestHour ? [days] : [])])),
    values: [scope.organisationId, scope.environment, ...windowOf(edges), ...times],
  };
}

export interface UsageStart {
  quarter: number;
  hour: number;
}

/** Times since which usage is stored by the quarter of an hour, and by the hour. */
export async function readUsageStart(db: Database, scope: OrganisationScope): Promise<UsageStart> {
  const [row] = await db.forOrganisation.read<{ since: Date; hours_since: Date }>(
    scope,
    "select since, hours_since from usage_quarters_start",
    [],
  );
  return { quarter: row!.since.getTime(), hour: row!.hours_since.getTime() };
}

function windowOf(edges: readonly number[]): unknown[] {
  return [edges.map((at) => timeOf(at)), timeOf(edges[0]!), timeOf(edges.at(-1)!)];
}

function byBucket(selects: string[]): string {
  return `(select json_agg(b) from (select bucket, ${SUMS} from (${selects.join("\n    union all ")}) parts group by bucket order by bucket) b)`;
}

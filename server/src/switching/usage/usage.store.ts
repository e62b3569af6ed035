import type { Database, OrganisationScope } from "../../platform/db/database.ts";
import type { Granularity, Parts, Range, SwitchStanding } from "./usage.rules.ts";
import type { UsageTotals } from "./usage.schema.ts";

const COUNTS = ["calls", "answered", "busy", "no_answer", "cancelled", "rejected", "failed"] as const;
const COLUMNS = [...COUNTS, "talk_seconds", "forwarded_seconds"] as const;
export const SUMS = COLUMNS.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(", ");
const SHOWN = `json_build_object(${COLUMNS.map((column) => `'${column}', coalesce(sum(${column}), 0)`).join(", ")})`;
export const RECORD_SUMS = [
  "count(*) as calls",
  ...COUNTS.slice(1).map((result) => `count(*) filter (where result = '${result}') as ${result}`),
  "coalesce(sum(talk_seconds(answered_at, ended_at)), 0) as talk_seconds",
  "coalesce(sum(talk_seconds(answered_at, ended_at)) filter (where mode = 'forward' or is_forwarded_by_webhook), 0) as forwarded_seconds",
].join(", ");

export interface Statement {
  text: string;
  values: unknown[];
}

export interface UsageRow {
  is_known: boolean;
  /** One for the whole window, or one for each bucket that is not empty. */
  usage: (UsageTotals & { at?: string })[] | null;
  switches: SwitchRow[] | null;
}

export interface SwitchRow {
  name: string;
  settled_through: string | null;
  open_since: string | null;
  max_call_seconds: number;
  is_away: boolean;
}

/** Calls before there was anything to count them, or long after: no database needs to look for them. */
const FIRST = Date.UTC(2000, 0, 1);
const LAST = Date.UTC(2100, 0, 1);

/** All of it in one statement, so that it is true of one moment. */
export function numberUsageStatement(
  scope: OrganisationScope,
  numberId: string,
  parts: Parts,
  granularity?: Granularity,
): Statement {
  const ranges = [...parts.days, ...parts.hours, ...parts.records];
  return {
    text: numberUsageText(parts, granularity),
    values: [
      scope.organisationId,
      scope.environment,
      numberId,
      ...ranges.flatMap(({ from, to }) => [timeOf(from), timeOf(to)]),
    ],
  };
}

/** Windows are of a few kinds only, and putting the text together costs as much as sending it. */
const numberUsageTexts = new Map<string, string>();

function numberUsageText({ days, hours, records }: Parts, granularity: Granularity | undefined): string {
  const kind = `${days.length} ${hours.length} ${records.length} ${granularity}`;
  let text = numberUsageTexts.get(kind);
  if (!text) {
    text = writeNumberUsage({ days, hours, records }, granularity);
    numberUsageTexts.set(kind, text);
  }
  return text;
}

function writeNumberUsage({ days, hours, records }: Parts, granularity: Granularity | undefined): string {
  let last = 3;
  const within = (column: string, type: string): string =>
    `${column} >= $${++last}::${type} and ${column} < $${++last}::${type}`;
  const bucket = (column: string): string =>
    granularity ? `date_trunc('${granularity}', ${column}, 'UTC') as at, ` : "";
  const by = granularity ? " group by 1" : "";
  const selects = [
    ...days.map(
      () =>
        `select ${granularity ? "day::timestamp at time zone 'UTC' as at, " : ""}${SUMS} from usage_days where ${OWN_NUMBER} and ${within("day", "date")}${by}`,
    ),
    ...hours.map(
      () =>
        `select ${bucket("hour")}${SUMS} from usage_hours where ${OWN_NUMBER} and ${within("hour", "timestamptz")}${by}`,
    ),
    ...records.map(
      () =>
        `select ${bucket("started_at")}${RECORD_SUMS} from call_records where ${OWN_NUMBER} and ${within("started_at", "timestamptz")} and result <> 'not_served'${by}`,
    ),
  ];
  return ofNumber(usageOf(selects, granularity));
}

export const OWN_NUMBER = "organisation_id = $1 and environment = $2 and holding_id = $3";

/** The whole row of the routing: for group_id alone the planner scans all of the organisation in an index that has it. */
export function ofNumber(usage: string): string {
  return `with routing as materialized (select * from routings where ${OWN_NUMBER})
    select exists (select from holdings where organisation_id = $1 and environment = $2 and id = $3) as is_known,
    ${usage} as usage,
    (${SWITCHES("o.holding_id = $3")}
      where s.state <> 'retired' and s.group_id = (select group_id from routing)) as switches`;
}

/** By the hour: single records of a whole organisation are not looked for. By the day if the hours may be deleted. */
export function organisationUsageStatement(
  scope: OrganisationScope,
  { from, to }: Range,
  granularity: Granularity | undefined,
  oldestHour: number,
): Statement {
  const by = granularity ? " group by 1" : "";
  const hours = `select ${granularity ? `date_trunc('${granularity}', hour, 'UTC') as at, ` : ""}${SUMS} from organisation_usage_hours
    where organisation_id = $1 and environment = $2 and hour >= $3::timestamptz and hour < $4::timestamptz${by}`;
  const days = `select ${granularity ? "day::timestamp at time zone 'UTC' as at, " : ""}${SUMS} from organisation_usage_days
    where organisation_id = $1 and environment = $2 and day::timestamp at time zone 'UTC' >= $3::timestamptz
      and day::timestamp at time zone 'UTC' < $4::timestamptz${by}`;
  const text = ofOrganisation(usageOf(from < oldestHour ? [hours, days] : [hours], granularity));
  return { text, values: [scope.organisationId, scope.environment, timeOf(from), timeOf(to)] };
}

/**
 * A group has numbers of the organisation if it is the first one with any, counted from itself: with `exists` the planner
 * reads all routings of the organisation.
 */
export function ofOrganisation(usage: string): string {
  return `select true as is_known, ${usage} as usage,
    (${SWITCHES("true")}
      where s.state <> 'retired' and s.group_id = (
        select r.group_id from routings r where r.organisation_id = $1 and r.environment = $2 and r.group_id >= s.group_id
        order by r.group_id limit 1)) as switches`;
}

/**
 * A switch that has never reported has no routes, so no call went through it. The simulated switch of the test
 * environment is always complete.
 */
const SWITCHES = (
  open: string,
): string => `select json_agg(json_build_object('name', s.name, 'settled_through', wire_time(coalesce(
        t.settled_through, case when $2 = 'test' then now() end)),
      'open_since', wire_time((select min(o.oldest_began_at) from open_calls o
        where o.organisation_id = $1 and o.environment = $2 and o.switch_id = s.id and ${open})),
      'max_call_seconds', coalesce(t.max_call_seconds, 14400),
      'is_away', s.last_seen_at < now() - make_interval(secs => s.unreachable_after_seconds)) order by s.name)
    filter (where s.last_seen_at is not null)
    from switches s left join call_standings t on t.switch_id = s.id`;

export interface TopNumberRow extends UsageTotals {
  number_id: string;
  e164: string;
  label: string | null;
}

export async function listTopNumbers(
  db: Database,
  scope: OrganisationScope,
  { from, to }: Range,
  { by, limit }: { by: "calls" | "answered" | "talk_seconds"; limit: number },
): Promise<TopNumberRow[]> {
  const [row] = await db.forOrganisation.read<{ data: TopNumberRow[] | null }>(
    scope,
    `select json_agg(jsonb_build_object('number_id', h.id, 'e164', h.e164, 'label', h.label) || to_jsonb(top) - 'holding_id' order by top.${by} desc, h.id) as data
     from (
       select holding_id, ${SUMS} from usage_days
       where organisation_id = $1 and environment = $2 and day >= $3::date and day < $4::date
       group by holding_id order by sum(${by}) desc, holding_id limit $5
     ) top join holdings h on h.organisation_id = $1 and h.environment = $2 and h.id = top.holding_id`,
    [scope.organisationId, scope.environment, timeOf(from), timeOf(to), limit],
  );
  return row!.data ?? [];
}

export function standingsOf(rows: SwitchRow[] | null): SwitchStanding[] {
  return (rows ?? []).map((row) => ({
    name: row.name,
    settledThrough: momentOrNull(row.settled_through),
    openSince: momentOrNull(row.open_since),
    maxCallSeconds: row.max_call_seconds,
    isAway: row.is_away,
  }));
}

function usageOf(selects: string[], granularity: Granularity | undefined): string {
  const from = `from (${selects.join("\n      union all ")}) parts`;
  return granularity
    ? `(select json_agg(bucket) from (select wire_time(at) as at, ${SUMS} ${from} group by at order by at) bucket)`
    : `(select json_build_array(${SHOWN}) ${from})`;
}

export function timeOf(ms: number): string {
  return new Date(Math.min(LAST, Math.max(FIRST, ms))).toISOString();
}

function momentOrNull(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

import type { Database, OrganisationScope } from "../../platform/db/database.ts";
import type { OverviewProblem, ProblemKind } from "./overview.schema.ts";

export interface ProblemRow {
  kind: ProblemKind;
  since: string;
  subject_type: "number" | "connection" | "webhook_endpoint" | "order";
  subject_id: string;
  label: string | null;
  switch: string | null;
  found: OverviewProblem["found"];
  expected: OverviewProblem["expected"];
  error: string | null;
  times_found: number | null;
  /** Problems of this kind, up to the limit of counting. */
  total: number;
}

/** Problems of a kind that are counted, and that are listed one by one. */
const MOST_COUNTED = 500;
const MOST_LISTED = 20;

/** An order that failed is a problem for this long. */
const ORDER_HOURS = 24;

const OWN = "organisation_id = $1 and environment = $2";
const NONE = "null::text, null::jsonb, null::jsonb";
const listed = (select: string): string =>
  `(select p.*, count(*) over ()::integer as total from (${select}) p order by p.since, p.subject_id limit ${MOST_LISTED})`;

/** The first exception of each number. */
const FAILING_NUMBERS = `
  select 'number_failing' as kind, x.since, 'number' as subject_type, x.item_id::text as subject_id, h.e164 as label,
    w.name as switch, shown_destination(x.applied, x.applied_generation) as found,
    shown_destination(routing_shape(r.routing), (r.routing).generation) as expected, nullif(x.error, '') as error,
    null::integer as times_found
  from (select distinct on (item_id) * from (select * from applied_exceptions
      where ${OWN} and state = 'failed' order by since limit ${MOST_COUNTED}) x
    where kind = 'route' order by item_id, since) x
  cross join lateral (select r as routing from routings r where r.holding_id = x.item_id and r.version <= x.version limit 1) r
  cross join lateral (select h.e164 from holdings h
    where h.organisation_id = $1 and h.environment = $2 and h.id = x.item_id and h.is_held limit 1) h
  join switches w on w.id = x.switch_id`;

const DEVIATING_CONNECTIONS = `
  select case x.state when 'failed' then 'connection_failing' else 'connection_drifting' end, x.since, 'connection',
    x.item_id::text, c.name, w.name, null::jsonb, null::jsonb, nullif(x.error, ''), null::integer
  from (select distinct on (item_id, state) * from (
      (select * from applied_exceptions where ${OWN} and state = 'failed' and kind = 'connection' order by since limit ${MOST_COUNTED})
      union all
      (select * from applied_exceptions where ${OWN} and state = 'drifted' and kind = 'connection' order by since limit ${MOST_COUNTED})) x
    order by item_id, state, since) x
  join connections c on c.organisation_id = $1 and c.environment = $2 and c.id = x.item_id
  join switches w on w.id = x.switch_id`;

/** The open episode that was found most often, since the first one began. */
const DRIFTING_NUMBERS = `
  select case when e.count >= 3 then 'number_flapping' else 'number_drifting' end, e.began_at, 'number',
    e.item_id::text, h.e164, w.name, shown_destination(e.found, e.found_generation),
    shown_destination(e.expected, e.expected_generation), nullif(e.error, ''), e.count
  from (select distinct on (item_id) *, min(first_at) over (partition by item_id) as began_at from (
      select * from drift_episodes where ${OWN} and closed_at is null order by first_at limit ${MOST_COUNTED}) e
    where kind = 'route' order by item_id, count desc, last_at desc) e
  cross join lateral (select h.e164 from holdings h
    where h.organisation_id = $1 and h.environment = $2 and h.id = e.item_id and h.is_held limit 1) h
  join switches w on w.id = e.switch_id`;

const ENDPOINTS = `
  select 'webhook_endpoint_disabled', coalesce(disabled_at, failing_since, created_at), 'webhook_endpoint', id::text, url,
    ${NONE}, disabled_reason, null::integer
  from webhook_endpoints where ${OWN} and disabled_reason is not null limit ${MOST_COUNTED}`;

const ORDERS = `
  select 'order_failed', o.finished_at, 'order', o.id::text, o.external_ref, ${NONE},
    (select i.error_detail from order_items i where i.organisation_id = $1 and i.environment = $2 and i.order_id = o.id
      and i.error_detail is not null order by i.position limit 1), null::integer
  from (select * from orders where ${OWN} and status = 'failed' order by id desc limit ${MOST_COUNTED}) o
  where o.finished_at > $3::timestamptz - interval '${ORDER_HOURS} hours'`;

/** By kind, because a kind with many problems must not hide the others. */
const PROBLEMS = `
  with all_of as materialized (
    ${FAILING_NUMBERS} union all (${DEVIATING_CONNECTIONS}) union all (${DRIFTING_NUMBERS}) union all (${ENDPOINTS})
    union all (${ORDERS}))
  select k.kind, wire_time(p.since) as since, p.subject_type, p.subject_id, p.label, p.switch, p.found, p.expected,
    left(p.error, 500) as error, p.times_found, p.total
  from (select distinct kind from all_of) k
  cross join lateral ${listed("select * from all_of a where a.kind = k.kind")} p`;

export function problemsStatement(
  { organisationId, environment }: OrganisationScope,
  at: Date,
): { text: string; values: unknown[] } {
  return { text: PROBLEMS, values: [organisationId, environment, at] };
}

export async function listProblems(db: Database, scope: OrganisationScope, at: Date): Promise<ProblemRow[]> {
  const { text, values } = problemsStatement(scope, at);
  return db.forOrganisation.read<ProblemRow>(scope, text, values);
}

/** Calls of a problem that are looked at. */
const MOST_CALLS = 200;

const callsBy = (column: string): string => `
  select count(*) filter (where c.result = 'failed')::integer as failed, count(*)::integer as seen
  from (select result from call_records where ${OWN} and ${column} = p.id and started_at >= p.since
    order by started_at limit ${MOST_CALLS}) c`;

/** Failed calls of numbers and connections since a time. Null if there were more calls than are looked at. */
export async function countFailedCalls(
  db: Database,
  scope: OrganisationScope,
  subjects: readonly { type: "number" | "connection"; id: string; since: string }[],
): Promise<(number | null)[]> {
  const rows = await db.forOrganisation.readPlanned<{ failed: number; seen: number }>(
    scope,
    `select coalesce(n.failed, c.failed) as failed, coalesce(n.seen, c.seen) as seen
     from unnest($3::text[], $4::uuid[], $5::timestamptz[]) with ordinality p(type, id, since, place)
     left join lateral (${callsBy("holding_id")}) n on p.type = 'number'
     left join lateral (${callsBy("connection_id")}) c on p.type = 'connection'
     order by p.place`,
    [
      scope.organisationId,
      scope.environment,
      subjects.map(({ type }) => type),
      subjects.map(({ id }) => id),
      subjects.map(({ since }) => since),
    ],
  );
  return rows.map(({ failed, seen }) => (seen < MOST_CALLS ? failed : null));
}

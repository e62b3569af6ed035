import type { Database, OrganisationScope } from "../../platform/db/database.ts";

export type NumberUse = "unrouted" | "connection" | "step" | "other";

/** Numbers of one switch group with the same kind of route. */
export interface CountRow {
  group_id: string;
  /** State of numbers in this group that have no deviation. */
  group_state: "in_sync" | "pending" | "unknown";
  use: NumberUse;
  /** Connections of all steps. */
  connection_ids: string[];
  numbers: number;
}

/** Numbers that deviate themselves. They are included in the counts. */
export interface DeviatingRow {
  group_id: string;
  use: NumberUse;
  connection_ids: string[];
  state: "failed" | "drifted" | "pending";
  numbers: number;
}

/** A connection that a switch group does not have as desired, or of which a switch reaches no target. */
export interface ConnectionRow {
  connection_id: string;
  group_id: string;
}

export interface LostConnectionRow extends ConnectionRow {
  name: string;
  switch: string;
  since: string;
  error: string;
}

export interface SwitchRow {
  name: string;
  group_id: string;
  is_silent: boolean;
  is_joining: boolean;
  is_draining: boolean;
  last_seen_at: string;
  observed_at: string | null;
  active_calls: number;
}

export interface NumbersRow {
  counts: CountRow[];
  deviating: DeviatingRow[];
  connections: (ConnectionRow & { state: "failed" | "drifted" | "pending" })[];
  lost: LostConnectionRow[];
  switches: SwitchRow[];
  is_complete: boolean;
}

/** Deviations that are counted one by one, which bounds the cost. */
const MOST_DEVIATIONS = 2_000;
const MOST_CONNECTIONS = 500;

const OWN = "organisation_id = $1 and environment = $2";

const DEVIATIONS = `
  counts as materialized (
    select group_id, use, connection_ids, sum(numbers) as numbers from number_counts where ${OWN}
    group by group_id, use, connection_ids having sum(numbers) <> 0
  ), groups as materialized (
    select g.group_id, case when s.is_unreachable then 'unknown' when s.is_joining is distinct from false
      then 'pending' else 'in_sync' end as state
    from (select distinct group_id from counts) g left join switch_group_states s on s.group_id = g.group_id
  ), behind as materialized (
    select f.item_id, f.kind from groups g
    join feed_shards s on s.group_id = g.group_id
    join feed_confirmations c on c.shard = s.id and c.version < s.head
    cross join lateral (
      select f.item_id, f.kind from feed_items f
      where f.organisation_id = $1 and f.environment = $2 and f.shard = s.id and f.version > c.version
      limit ${MOST_DEVIATIONS + 1}) f
    limit ${MOST_DEVIATIONS + 1}
  ), excepted as materialized (
    select item_id, kind from applied_exceptions where ${OWN} limit ${MOST_DEVIATIONS + 1}
  ), items as materialized (select item_id, kind from behind union select item_id, kind from excepted)`;

/** As the view routing_states decides. An exception to an older version counts as pending. */
const stateOf = (version: string): string =>
  `case when bool_or(e.state = 'failed' and e.version >= ${version}) then 'failed'
    when bool_or(e.state = 'drifted' and e.version >= ${version}) then 'drifted' else 'pending' end`;

const DEVIATING = `
  select r.group_id, number_use(r.mode, r.fallback_mode, k.ids) as use, k.ids as connection_ids, x.state,
    count(*)::integer as numbers
  from items i
  cross join lateral (select * from routings where holding_id = i.item_id limit 1) r
  cross join lateral (select number_connections(r.connection_id, r.fallback_connection_id, r.last_connection_id) as ids) k
  cross join lateral (select from holdings h
    where h.organisation_id = $1 and h.environment = $2 and h.id = i.item_id and h.is_held limit 1) h
  cross join lateral (select ${stateOf("r.version")} as state from applied_exceptions e where e.item_id = i.item_id) x
  where i.kind = 'route'
  group by 1, 2, 3, 4`;

const CONNECTIONS = `
  select p.connection_id, p.group_id, x.state from items i
  join connection_placements p on p.organisation_id = $1 and p.environment = $2 and p.connection_id = i.item_id
  join feed_confirmations c on c.shard = p.shard
  cross join lateral (
    select ${stateOf("p.version")} as state, count(*) as exceptions from applied_exceptions e
    where e.item_id = p.connection_id and e.shard = p.shard) x
  where i.kind = 'connection' and (x.exceptions > 0 or p.version > c.version)`;

/** Only what switches have reported recently. */
const LOST = `
  select d.connection_id, s.group_id, c.name, s.name as switch, wire_time(t.since) as since,
    format('None of %s targets responds: %s', t.targets, t.hosts) as error
  from (select distinct connection_id, switch_id from (select connection_id, switch_id from target_health
    where ${OWN} and last_known = 'down' limit ${MOST_CONNECTIONS}) h) d
  join switches s on s.id = d.switch_id and s.state <> 'retired'
    and s.targets_read_at >= now() - make_interval(secs => s.unreachable_after_seconds)
  cross join lateral (
    select bool_and(coalesce(h.last_known = 'down', false)) as is_lost, max(h.since) as since, count(*) as targets,
      left(string_agg(h.host, ', ' order by h.host), 400) as hosts
    from target_health h where h.organisation_id = $1 and h.environment = $2 and h.connection_id = d.connection_id
      and h.switch_id = d.switch_id) t
  join connections c on c.organisation_id = $1 and c.environment = $2 and c.id = d.connection_id
  where t.is_lost order by t.since, d.connection_id, s.name`;

const SWITCHES = `
  select s.name, s.group_id, s.state = 'draining' as is_draining, wire_time(coalesce(s.last_seen_at, s.created_at)) as last_seen_at,
    coalesce(s.last_seen_at, s.created_at) < now() - make_interval(secs => s.unreachable_after_seconds) as is_silent,
    s.synced_epoch is distinct from (select epoch from feed_epoch)
      or s.proved_in is distinct from (select database_instance()) as is_joining,
    wire_time(t.observed_at) as observed_at, coalesce(l.active_calls, 0)::integer as active_calls
  from groups g join switches s on s.group_id = g.group_id and s.state <> 'retired'
  left join live_reports t on t.switch_id = s.id
  left join (select switch_id, sum(active_calls) as active_calls from live_calls where ${OWN} group by 1) l
    on l.switch_id = s.id
  order by s.name`;

const rowsOf = (query: string): string => `(select coalesce(json_agg(q), '[]') from (${query}) q)`;

/** One statement, because counts and deviations have to be from the same moment. It never reads all holdings. */
const NUMBERS = `with ${DEVIATIONS}
  select ${rowsOf("select c.group_id, g.state as group_state, c.use, c.connection_ids, c.numbers from counts c join groups g using (group_id)")} as counts,
    ${rowsOf(DEVIATING)} as deviating, ${rowsOf(CONNECTIONS)} as connections, ${rowsOf(LOST)} as lost,
    ${rowsOf(SWITCHES)} as switches,
    (select count(*) from behind) <= ${MOST_DEVIATIONS} and (select count(*) from excepted) <= ${MOST_DEVIATIONS} as is_complete`;

export function numbersStatement({ organisationId, environment }: OrganisationScope): {
  text: string;
  values: unknown[];
} {
  return { text: NUMBERS, values: [organisationId, environment] };
}

export async function findNumbers(db: Database, scope: OrganisationScope): Promise<NumbersRow> {
  const { text, values } = numbersStatement(scope);
  const [row] = await db.forOrganisation.read<NumbersRow>(scope, text, values);
  return row!;
}

import type { Database } from "../../platform/db/database.ts";

export interface SwitchExceptionRow {
  kind: "number" | "connection";
  id: string;
  label: string | null;
  organisation: { id: string; name: string };
  environment: "live" | "test";
  state: "pending" | "failed" | "drifted" | "repaired";
  since: Date;
  found: Record<string, unknown> | null;
  expected: Record<string, unknown> | null;
  error: string | null;
  times_found: string | null;
  last_at: Date;
}

const OPEN_EPISODES = `
  select distinct item_id from drift_episodes
  where switch_id = $1 and closed_at is null and item_id > $2`;

/** Each branch reads an index in its order, so a page costs the same however many exceptions there are. */
const ITEMS = `
  select item_id from (
    (select item_id from applied_exceptions where switch_id = $1 and item_id > $2 order by item_id limit $3)
    union (${OPEN_EPISODES} and not is_various order by item_id limit $3)
    union (${OPEN_EPISODES} and is_various order by item_id limit $3)) i
  order by item_id limit $3`;

/**
 * An exception, and the open episode that was found last. Ordered by a record: by the column alone, the planner reads
 * the open episodes of all switches in the order of their index.
 */
const EXCEPTIONS = `
  select case y.kind when 'route' then 'number' else y.kind end as kind, i.item_id as id,
    coalesce(h.e164, c.name) as label, json_build_object('id', o.id, 'name', o.name) as organisation, y.environment,
    y.state, y.since, shown_destination(y.found - 'is_resting', y.found_generation) as found,
    shown_destination(y.expected - 'is_resting', y.expected_generation) as expected,
    nullif(y.error, '') as error, e.times as times_found, y.last_at
  from (${ITEMS}) i
  left join lateral (
    select * from applied_exceptions x where x.switch_id = $1 and x.item_id = i.item_id limit 1) x on true
  left join lateral (
    select d.*, min(d.first_at) over () as began_at, sum(d.count) over ()::bigint as times from drift_episodes d
    where d.switch_id = $1 and d.item_id = i.item_id and d.closed_at is null
    order by (d.last_at, d.count) desc limit 1) e on true
  left join lateral (
    select f.value, f.generation from feed_items f where f.item_id = x.item_id and f.shard = x.shard
    order by f.version = x.version desc, f.version desc limit 1) f on true
  cross join lateral (
    select x.kind, x.organisation_id, x.environment, x.state,
      case x.state when 'drifted' then coalesce(e.began_at, x.since) else x.since end as since, x.applied as found,
      x.applied_generation as found_generation, f.value as expected, f.generation as expected_generation, x.error,
      x.observed_at as last_at
    where x.item_id is not null
    union all
    select e.kind, e.organisation_id, e.environment, case when e.wrong_since is null then 'repaired' else 'drifted' end,
      e.began_at, e.found, e.found_generation, e.expected, e.expected_generation, e.error, e.last_at
    where x.item_id is null) y
  join organisations o on o.id = y.organisation_id
  left join holdings h on h.id = i.item_id
  left join connections c on c.id = i.item_id
  order by i.item_id`;

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

export function exceptionsStatement(
  switchId: string,
  after: string | undefined,
  limit: number,
): { text: string; values: unknown[] } {
  return { text: EXCEPTIONS, values: [switchId, after ?? BEFORE_ALL, limit + 1] };
}

/** By ID of the item. */
export async function listExceptionsAfter(
  { forSystem }: Database,
  switchId: string,
  after: string | undefined,
  limit: number,
): Promise<SwitchExceptionRow[]> {
  const { text, values } = exceptionsStatement(switchId, after, limit);
  return forSystem.readPlanned("operator", text, values);
}

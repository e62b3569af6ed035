import type { Database, OrganisationScope, Tx } from "../../platform/db/database.ts";

/** A requested number. It is found only in its own organisation and environment. */
export interface AskedNumber extends OrganisationScope {
  id: string;
}

export interface LiveRow {
  group_id: string;
  organisation_id: string;
  environment: string;
  number_id: string;
  active_calls: number;
  calls_last_minute: number;
  last_call_at: Date | null;
  applied_mode: string | null;
  switch_online: boolean;
  observed_at: Date | null;
}

/**
 * Reads any quantity of numbers, of any organisations. A reading is as old as the oldest report of its switches. The
 * confirmed version applies to all switches; readings are compared only if one deviates. Calls after the release of a
 * number do not count for its holder.
 */
const LIVE = `
  with groups as materialized (
    select s.group_id,
      bool_and(coalesce(s.last_seen_at, s.created_at) >= now() - make_interval(secs => s.unreachable_after_seconds)) as is_online,
      bool_and(s.synced_epoch is not distinct from (select epoch from feed_epoch)) as is_synced,
      case when bool_and(t.observed_at is not null) then min(t.observed_at) end as observed_at
    from switches s left join live_reports t on t.switch_id = s.id where s.state <> 'retired' group by s.group_id
  )
  select r.group_id, h.organisation_id, h.environment, h.id as number_id, c.active_calls,
    case when h.is_held then c.calls_last_minute else 0 end as calls_last_minute,
    greatest(case when h.is_held then c.last_call_at end, past.started_at) as last_call_at,
    case when g.is_synced and r.version <= f.version and x.item_id is null then i.value ->> 'mode' else (
      select (array_agg(k.value ->> 'mode' order by k.version nulls first))[1]
      from routings o cross join lateral switch_readings(o) k where o.holding_id = h.id) end as applied_mode,
    coalesce(g.is_online, false) as switch_online, g.observed_at
  from unnest($1::uuid[], $2::text[], $3::uuid[]) as asked (organisation_id, environment, id)
  cross join lateral (
    select * from holdings own
    where own.organisation_id = asked.organisation_id and own.environment = asked.environment and own.id = asked.id limit 1) h
  cross join lateral (select * from routings own where own.holding_id = h.id limit 1) r
  left join groups g on g.group_id = r.group_id
  left join lateral (select version from feed_confirmations where shard between r.shard and r.shard order by shard limit 1) f on true
  left join lateral (select item_id from applied_exceptions where item_id = h.id limit 1) x on true
  left join lateral (select value from feed_items where shard = r.shard and version = r.version limit 1) i on true
  cross join lateral (
    select coalesce(sum(l.active_calls), 0)::integer as active_calls, max(l.last_call_at) as last_call_at,
      coalesce(sum(l.calls_last_minute) filter (where t.observed_at > now() - interval '1 minute'), 0)::integer as calls_last_minute
    from live_calls l join switches s on s.id = l.switch_id left join live_reports t on t.switch_id = l.switch_id
    where l.holding_id = h.id and l.organisation_id = h.organisation_id and l.environment = h.environment and s.state <> 'retired') c
  left join lateral (
    select started_at from call_records past
    where past.organisation_id = h.organisation_id and past.environment = h.environment and past.holding_id = h.id
      and past.started_at < coalesce(h.released_at, 'infinity')
    order by past.started_at desc limit 1) past on true`;

function valuesOf(asked: readonly AskedNumber[]): unknown[] {
  return [
    asked.map(({ organisationId }) => organisationId),
    asked.map(({ environment }) => environment),
    asked.map(({ id }) => id),
  ];
}

export async function listLive(
  db: Database,
  scope: OrganisationScope,
  ids: readonly string[],
): Promise<LiveRow[]> {
  const asked = ids.map((id) => ({ ...scope, id }));
  return db.forOrganisation.read<LiveRow>(scope, LIVE, valuesOf(asked));
}

/** The same for all streams. */
export async function listWatched(tx: Tx, asked: readonly AskedNumber[]): Promise<LiveRow[]> {
  return tx.query<LiveRow>(LIVE, valuesOf(asked));
}

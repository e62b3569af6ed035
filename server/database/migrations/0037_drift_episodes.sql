-- Drift leaves evidence: what a switch held instead of what it should hold stays on record after the repair. Repeated
-- drift of a number between the same two values is one episode, not an event each time.
create table drift_episodes (
  id                   uuid primary key,
  switch_id            uuid not null references switches,
  item_id              uuid not null,
  shard                integer not null references feed_shards,
  kind                 text not null check (kind in ('route', 'connection')),
  organisation_id      uuid not null references organisations,
  environment          text not null check (environment in ('live', 'test')),
  found                jsonb,
  found_generation     bigint,
  expected             jsonb,
  expected_generation  bigint,
  error                text not null check (length(error) <= 500),
  is_various           boolean not null default false,
  first_at             timestamptz not null,
  last_at              timestamptz not null,
  count                integer not null default 1 check (count > 0),
  wrong_ms             bigint not null default 0 check (wrong_ms >= 0),
  wrong_since          timestamptz,
  closed_at            timestamptz,
  check (last_at >= first_at),
  check (closed_at is null or wrong_since is null)
);
comment on table drift_episodes is 'What a switch held instead of what it should hold, from the first time to 10 minutes after the last.';
comment on column drift_episodes.found is 'The value that the switch held; null if it held nothing.';
comment on column drift_episodes.is_various is 'The switch held a new value each time: found and expected are those of the last time.';
comment on column drift_episodes.wrong_ms is 'How long the switch held it, from each finding to the report of its repair.';
create unique index drift_episodes_one_open on drift_episodes (switch_id, item_id, md5(found::text), md5(expected::text), found_generation, expected_generation)
  where closed_at is null and not is_various;
create unique index drift_episodes_one_various on drift_episodes (switch_id, item_id) where closed_at is null and is_various;
create index drift_episodes_open_by_item on drift_episodes (item_id) where closed_at is null;
create index drift_episodes_open_by_age on drift_episodes (last_at) where closed_at is null;
create index drift_episodes_by_switch_and_item on drift_episodes (switch_id, item_id, last_at);
create index drift_episodes_by_owner on drift_episodes (organisation_id, environment, item_id, first_at);

alter table drift_episodes enable row level security;
alter table drift_episodes force row level security;
grant select on drift_episodes to dialplane_organisation;
grant select, insert, update (found, found_generation, expected, expected_generation, error, last_at, count, wrong_ms, wrong_since) on drift_episodes
  to dialplane_switch;
grant select, update (closed_at, wrong_ms, wrong_since), delete on drift_episodes to dialplane_system;
-- Written so that no index serves it: an item's episodes are found by the item.
create policy organisation on drift_episodes for select to dialplane_organisation
  using (organisation_id is not distinct from (select current_organisation_id())
    and environment is not distinct from (select current_environment()));
create policy switch on drift_episodes to dialplane_switch using (switch_id = (select current_switch_id()))
  with check (switch_id = (select current_switch_id()) and (organisation_id, environment) = (
    select i.organisation_id, i.environment from feed_items i
    where i.item_id = drift_episodes.item_id and i.shard = drift_episodes.shard limit 1));
create policy system on drift_episodes to dialplane_system using ((select current_task()) is not null);

-- One finding of drift. Returns what an event has to say about it: drifted when an episode begins, flapping at its third finding.
create function record_drift(finding jsonb, at timestamptz) returns text language plpgsql as $$
declare
  of_item uuid := (finding ->> 'id')::uuid;
  found_at timestamptz := (finding ->> 'observed_at')::timestamptz;
  episode record;
begin
  select e.id, e.count into episode from drift_episodes e
    where e.switch_id = current_switch_id() and e.item_id = of_item and e.closed_at is null and (
      e.is_various or (e.found, e.found_generation, e.expected, e.expected_generation) is not distinct from (
        nullif(finding -> 'found', 'null'), (finding ->> 'found_generation')::bigint,
        nullif(finding -> 'expected', 'null'), (finding ->> 'expected_generation')::bigint))
    order by e.is_various limit 1;
  if not found then
    insert into drift_episodes (id, switch_id, item_id, shard, kind, organisation_id, environment, found, found_generation, expected,
        expected_generation, error, is_various, first_at, last_at, wrong_since)
      select gen_random_uuid(), current_switch_id(), of_item, (finding ->> 'shard')::integer, finding ->> 'kind',
        (finding ->> 'organisation_id')::uuid, finding ->> 'environment', nullif(finding -> 'found', 'null'),
        (finding ->> 'found_generation')::bigint, nullif(finding -> 'expected', 'null'), (finding ->> 'expected_generation')::bigint,
        finding ->> 'error',
        -- A switch that holds another value each time would otherwise open an episode each time.
        5 <= (select count(*) from drift_episodes o where o.switch_id = current_switch_id() and o.item_id = of_item
          and not o.is_various and o.last_at > at - interval '10 minutes'),
        found_at, found_at, found_at;
    return 'drifted';
  end if;
  update drift_episodes e set count = e.count + 1, last_at = greatest(e.last_at, found_at), wrong_since = coalesce(e.wrong_since, found_at),
      found = nullif(finding -> 'found', 'null'), found_generation = (finding ->> 'found_generation')::bigint,
      expected = nullif(finding -> 'expected', 'null'), expected_generation = (finding ->> 'expected_generation')::bigint,
      error = finding ->> 'error'
    where e.id = episode.id;
  return case when episode.count + 1 = 3 then 'flapping' end;
end
$$;

-- The exceptions of a shard are reported whole: those that are missing have ended. Returns what events have to be made of.
create or replace function record_exceptions(shard_reports jsonb, at timestamptz) returns jsonb language plpgsql as $$
declare
  news jsonb;
  drifts jsonb;
  repaired uuid[];
  one jsonb;
  became text;
begin
  with reported as (
    select distinct on (i.item_id) i.item_id, i.shard, i.kind, i.organisation_id, i.environment, i.value as expected, i.generation as expected_generation,
      (x ->> 'version')::bigint as version, x ->> 'state' as state, (x -> 'applied' ->> 'generation')::bigint as applied_generation,
      nullif(x -> 'applied' -> 'value', 'null') as applied, left(x ->> 'error', 500) as error,
      least((x ->> 'observed_at')::timestamptz, at) as observed_at, before.state as state_before, before.since as since_before,
      before.observed_at as observed_before
    from jsonb_array_elements(shard_reports) r
    cross join jsonb_array_elements(r -> 'exceptions') x
    -- One by one: the planner cannot know how many there are, and a join that compares all with all takes seconds.
    cross join lateral (
      select * from feed_items f where f.item_id = (x ->> 'id')::uuid and f.shard = (r ->> 'shard')::integer
      order by f.version = (x ->> 'version')::bigint desc, f.version desc limit 1
    ) i
    left join lateral (
      select e.state, e.since, e.observed_at from applied_exceptions e where e.switch_id = current_switch_id() and e.item_id = i.item_id limit 1
    ) before on true
    order by i.item_id
  ), over as (
    delete from applied_exceptions e
    where e.switch_id = current_switch_id()
      and e.shard in (select (r ->> 'shard')::integer from jsonb_array_elements(shard_reports) r)
      and e.item_id not in (select item_id from reported)
    returning e.item_id, e.state
  ), written as (
    insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state,
      applied_generation, applied, error, since, observed_at)
    select current_switch_id(), r.item_id, r.shard, r.kind, r.organisation_id, r.environment, r.version, r.state,
      r.applied_generation, r.applied, r.error, case when r.state_before = r.state then r.since_before else r.observed_at end, r.observed_at
    from reported r
    on conflict (switch_id, item_id) do update set shard = excluded.shard, version = excluded.version, state = excluded.state,
      applied_generation = excluded.applied_generation, applied = excluded.applied, error = excluded.error,
      since = excluded.since, observed_at = excluded.observed_at
    returning item_id
  )
  select
    (select jsonb_agg(jsonb_build_object('kind', r.kind, 'id', r.item_id, 'state', r.state, 'error', r.error,
        'organisationId', r.organisation_id, 'environment', r.environment) order by r.organisation_id, r.item_id)
      from reported r where r.state = 'failed' and r.state_before is distinct from r.state),
    (select jsonb_agg(jsonb_build_object('kind', r.kind, 'id', r.item_id, 'shard', r.shard, 'error', r.error,
        'organisation_id', r.organisation_id, 'environment', r.environment, 'observed_at', r.observed_at,
        'found', r.applied, 'found_generation', r.applied_generation, 'expected', r.expected,
        'expected_generation', case when r.expected is not null then r.expected_generation end) order by r.organisation_id, r.item_id)
      from reported r where r.state = 'drifted' and (r.state_before is distinct from r.state or r.observed_before < r.observed_at)),
    (select array_agg(o.item_id) from (
      select item_id from over where state = 'drifted'
      union all
      select item_id from reported where state_before = 'drifted' and state <> 'drifted') o)
    into news, drifts, repaired;
  for one in select * from jsonb_array_elements(drifts) loop
    became := record_drift(one, at);
    if became is not null then
      news := coalesce(news, '[]') || jsonb_build_object('kind', one -> 'kind', 'id', one -> 'id', 'state', became, 'error', one -> 'error',
        'organisationId', one -> 'organisation_id', 'environment', one -> 'environment',
        'found', shown_destination(nullif(one -> 'found', 'null'), (one ->> 'found_generation')::bigint),
        'expected', shown_destination(nullif(one -> 'expected', 'null'), (one ->> 'expected_generation')::bigint));
    end if;
  end loop;
  if repaired is not null then
    update drift_episodes set wrong_ms = wrong_ms + greatest(0, extract(epoch from at - wrong_since) * 1000)::bigint, wrong_since = null
      where switch_id = current_switch_id() and item_id = any (repaired) and closed_at is null and wrong_since is not null;
  end if;
  return news;
end
$$;

-- A destination as the API shows it, without the number that it belongs to.
create function shown_destination(value jsonb, generation bigint) returns jsonb language sql immutable
  return case when value is not null then (value - 'e164') || jsonb_build_object('generation', generation) end;

-- Closes what has been quiet for long enough. Returns what events have to be made of.
create function close_drift_episodes(quiet_before timestamptz, at timestamptz)
returns table (kind text, id uuid, switch text, "organisationId" uuid, environment text, data jsonb) language sql
  begin atomic
    with closed as (
      update drift_episodes e set closed_at = at, wrong_since = null,
          wrong_ms = e.wrong_ms + case when e.wrong_since is null then 0 else greatest(0, extract(epoch from e.last_at - e.wrong_since) * 1000)::bigint end
        where e.id in (select o.id from drift_episodes o where o.closed_at is null and o.last_at <= quiet_before
          order by o.last_at limit 1000 for update skip locked)
        returning e.*
    )
    select c.kind, c.item_id, s.name, c.organisation_id, c.environment, jsonb_build_object('switch', s.name, 'error', c.error,
      'found', shown_destination(c.found, c.found_generation), 'expected', shown_destination(c.expected, c.expected_generation),
      'is_various', c.is_various, 'count', c.count, 'first_at', wire_time(c.first_at), 'last_at', wire_time(c.last_at), 'wrong_ms', c.wrong_ms)
    from closed c join switches s on s.id = c.switch_id order by c.organisation_id, c.last_at;
  end;

create or replace function routing_record(of_number uuid) returns text language plpgsql stable as $$
begin
  return (
    select json_build_object(
      'number_id', r.holding_id,
      'desired', routing_shape(r) || jsonb_build_object('generation', r.generation, 'set_at', wire_time(r.set_at),
        'set_by', jsonb_build_object('kind', r.set_by_kind, 'id', r.set_by_id, 'name', r.set_by_name), 'reason', r.reason),
      'applied', a.furthest_behind,
      'status', s.status,
      'since', wire_time(case s.status
        when 'in_sync' then t.confirmed_at
        when 'pending' then coalesce(t.behind_since, a.pending_since, t.told_at)
        when 'unknown' then a.silent_since
        else a.deviating_since end),
      'effective_reason', case when h.status <> 'active' then 'number_' || h.status end,
      'switches', a.switches,
      'last_error', coalesce(a.last_error, d.error),
      'flapping', coalesce(d.is_flapping, false),
      'drift', d.shown
    )::text
    from routings r
    join holdings h on h.organisation_id = r.organisation_id and h.environment = r.environment and h.id = r.holding_id
    join routing_states s on s.holding_id = r.holding_id
    cross join lateral (
      select max(i.confirmed_at) as confirmed_at, max(i.created_at) as told_at, min(i.created_at) filter (where i.version > c.version) as behind_since
      from (
        select r.shard, r.version
        union all
        select p.shard, p.version from connection_placements p
        where p.connection_id in (r.connection_id, r.fallback_connection_id) and p.group_id = r.group_id
      ) told
      cross join lateral (select version from feed_confirmations where shard = told.shard limit 1) c
      cross join lateral (select * from feed_items where shard = told.shard and version = told.version limit 1) i
    ) t
    cross join lateral (
      select
        coalesce(json_agg(json_build_object('switch', k.switch, 'applied', shown_reading(k.value, k.generation, k.observed_at),
          'observed_at', wire_time(k.observed_at), 'error', k.error)), '[]') as switches,
        (array_agg(shown_reading(k.value, k.generation, k.observed_at) order by k.version nulls first))[1] as furthest_behind,
        min(k.silent_since) as silent_since,
        min(k.since) filter (where k.state = s.status) as deviating_since,
        min(k.since) filter (where k.state = 'pending') as pending_since,
        (array_agg(k.error order by k.observed_at desc) filter (where k.error is not null))[1] as last_error
      from switch_readings(r) k
    ) a
    -- The episode of the last drift, as long as one is open.
    left join lateral (
      select e.error, bool_or(e.count >= 3) over () as is_flapping,
        jsonb_build_object('switch', w.name, 'found', shown_destination(e.found, e.found_generation),
          'expected', shown_destination(e.expected, e.expected_generation), 'is_various', e.is_various, 'count', e.count,
          'first_at', wire_time(e.first_at), 'last_at', wire_time(e.last_at)) as shown
      from drift_episodes e join switches w on w.id = e.switch_id
      where e.item_id = r.holding_id and e.closed_at is null order by e.last_at desc, e.count desc limit 1
    ) d on true
    where r.organisation_id = current_organisation_id() and r.environment = current_environment() and r.holding_id = of_number);
end
$$;

create or replace function wire_time(at timestamptz) returns text language sql stable
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Returns the route of a number that each switch last read back.
create or replace function switch_readings(r routings)
returns table (switch text, version bigint, value jsonb, generation bigint, observed_at timestamptz, state text,
    since timestamptz, error text, silent_since timestamptz)
language sql stable
  begin atomic
    select s.name, case when x.item_id is null then w.version else least(w.version, x.version - 1) end,
      case when x.item_id is null then i.value else x.applied end,
      case when x.item_id is null then i.generation else x.applied_generation end,
      coalesce(x.observed_at, w.observed_at), worst.state, worst.since, nullif(worst.error, ''),
      case when coalesce(s.last_seen_at, s.created_at) < now() - make_interval(secs => s.unreachable_after_seconds)
        then coalesce(s.last_seen_at, s.created_at) when e.is_held then e.began_at end
    from switches s
    cross join feed_epoch e
    left join applied_watermarks w on w.switch_id = s.id and w.shard = r.shard and w.epoch = e.epoch
      and w.instance = (select database_instance())
    left join applied_exceptions x on x.switch_id = s.id and x.item_id = r.holding_id and w.shard is not null
    left join lateral (
      select f.value, f.generation from feed_items f
      where f.item_id = r.holding_id and f.shard = r.shard and f.version <= w.version order by f.version desc limit 1
    ) i on true
    left join lateral (
      select o.state, o.since, o.error from (
        select x.state, x.since, x.error where x.version >= r.version
        union all
        select c.state, c.since,
            c.error from connection_placements p join applied_exceptions c on c.item_id = p.connection_id
                and c.shard = p.shard
        where p.connection_id in (r.connection_id, r.fallback_connection_id, r.last_connection_id)
          and p.group_id = r.group_id
          and c.switch_id = s.id and c.version >= p.version
      ) o order by array_position('{failed,drifted,pending}', o.state), o.since limit 1
    ) worst on true
    where s.group_id = r.group_id and s.state <> 'retired'
    order by s.name;
end;

create or replace function shown_reading(value jsonb, generation bigint,
    observed_at timestamptz) returns jsonb language sql stable
  return case when value is not null then
    (value - 'e164' - 'is_resting') || jsonb_build_object('generation', generation, 'observed_at',
        wire_time(observed_at)) end;

-- The links from the carrier to the switch. `shown` and `error` are of the switch that is furthest behind.
create or replace function routing_chain(r routings, of_carrier text, state text, shown jsonb, error text)
returns json language sql stable
  return json_build_array(
    (select json_build_object('link', 'carrier',
        'desired', case when v.desired is not null then json_build_object('trunk', v.desired) end,
        'applied', case when v.applied is not null then json_build_object('trunk', v.applied) end,
        'status', coalesce(v.status, 'unsupported'),
        'reason', case when v.holding_id is not null then v.reason
          when of_carrier is null then 'no_carrier' else 'no_delivery' end,
        'error', v.error, 'observed_at', wire_time(v.observed_at))
      from (select) as one
      left join deliveries v on v.organisation_id = r.organisation_id and v.environment = r.environment
        and v.holding_id = r.holding_id),
    json_build_object('link', 'switch', 'desired', json_build_object('generation', r.generation),
      'applied', case when shown is not null then json_build_object('generation', shown -> 'generation') end,
      'status', state, 'reason', null, 'error', error, 'observed_at', shown -> 'observed_at'));

-- The routing record of the API, as text: read and answered in one round trip. In plpgsql, because a session then
-- plans it once and not at every call.
create or replace function routing_record(of_number uuid) returns text language plpgsql stable as $$
begin
  return (
    select json_build_object(
      'number_id', r.holding_id,
      'desired', t.shape || jsonb_build_object('generation', r.generation, 'set_at', wire_time(r.set_at), 'reason',
        r.reason, 'set_by', jsonb_build_object('kind', r.set_by_kind, 'id', r.set_by_id, 'name', r.set_by_name)),
      'applied', a.furthest_behind,
      'status', s.status,
      'since', wire_time(case s.status
        when 'in_sync' then t.confirmed_at
        when 'pending' then coalesce(t.behind_since, a.pending_since, t.told_at)
        when 'unknown' then a.silent_since
        else a.deviating_since end),
      'effective_reason', case when h.status <> 'active' then 'number_' || h.status end,
      'switches', a.switches,
      'chain', routing_chain(r, h.carrier, s.status, a.furthest_behind, coalesce(a.last_error, d.error)),
      'last_error', coalesce(a.last_error, d.error),
      'flapping', coalesce(d.is_flapping, false),
      'drift', d.shown
    )::text
    from routings r
    join holdings h on h.organisation_id = r.organisation_id and h.environment = r.environment and h.id = r.holding_id
    join routing_states s on s.holding_id = r.holding_id
    cross join lateral (
      select max(i.confirmed_at) as confirmed_at, max(i.created_at) as told_at, routing_shape(r) as shape,
          min(i.created_at) filter (where i.version > c.version) as behind_since
      from (
        select r.shard, r.version
        union all
        select p.shard, p.version from connection_placements p
        where p.connection_id in (r.connection_id, r.fallback_connection_id, r.last_connection_id)
          and p.group_id = r.group_id
      ) told
      cross join lateral (select version from feed_confirmations where shard = told.shard limit 1) c
      cross join lateral (select * from feed_items where shard = told.shard and version = told.version limit 1) i
    ) t
    cross join lateral (
      select
        coalesce(json_agg(json_build_object('switch', k.switch, 'applied',
            shown_reading(k.value, k.generation, k.observed_at),
          'observed_at', wire_time(k.observed_at), 'error', k.error, 'expected', case h.status
            when 'active' then t.shape || jsonb_build_object('generation', r.generation)
            when 'released' then null
            else jsonb_build_object('mode', 'unrouted', 'generation', r.generation) end,
          'applied_at', wire_time(f.at), 'took_ms', trunc(extract(epoch from f.at - r.set_at) * 1000))), '[]')
              as switches,
        (array_agg(shown_reading(k.value, k.generation,
            k.observed_at) order by k.version nulls first))[1] as furthest_behind,
        min(k.silent_since) as silent_since,
        min(k.since) filter (where k.state = s.status) as deviating_since,
        min(k.since) filter (where k.state = 'pending') as pending_since,
        (array_agg(k.error order by k.observed_at desc) filter (where k.error is not null))[1] as last_error
      from switch_readings(r) k
      -- Not looked up while the switch holds an older generation, which saves each change of routing the look.
      left join lateral first_reading(r.holding_id, r.generation, r.set_at, r.group_id, k.switch) f
        on k.generation = r.generation or k.state is not null
    ) a
    left join lateral open_drift(r.holding_id) d on true
    where r.organisation_id = current_organisation_id() and r.environment = current_environment()
        and r.holding_id = of_number);
end
$$;

create or replace function connection_name(of_organisation uuid, of_environment text, of_connection uuid)
returns jsonb language sql stable
  return (select jsonb_build_object('id', c.id, 'name', c.name) from connections c
    where c.organisation_id = of_organisation and c.environment = of_environment and c.id = of_connection);

-- The summary of a route for lists. A record of the API, a reading of a switch and a feed item have the same members.
create or replace function destination_summary(of_organisation uuid, of_environment text, value jsonb)
returns jsonb language sql stable
  return case when value ->> 'mode' is not null then jsonb_strip_nulls(jsonb_build_object(
    'mode', value -> 'mode', 'sip_uri', value -> 'sip_uri',
    'connection', connection_name(of_organisation, of_environment, (value ->> 'connection_id')::uuid),
    'forward_to', value -> 'forward_to', 'webhook_url', value -> 'webhook_url',
    'steps', 1 + (coalesce(value #>> '{fallback,mode}', 'unrouted') <> 'unrouted')::integer
      + (value #>> '{fallback,fallback,mode}' is not null)::integer)) end;

-- The switches that do not have the desired route of a number, and the destination that all of these hold. Only for
-- numbers that are not in sync: each switch takes several lookups.
create or replace function switches_behind(of_number uuid) returns jsonb language sql stable
  begin atomic
    select jsonb_build_object('switches',
        coalesce(jsonb_agg(jsonb_build_object('switch', k.switch, 'state', k.state) order by k.switch), '[]'),
      'held', case when count(distinct coalesce(k.held, 'null')) = 1 then (array_agg(k.held))[1] end)
    from (
      select a.switch,
        destination_summary(r.organisation_id, r.environment, a.value) as held,
        case when a.state in ('failed', 'drifted') then a.state
          when a.silent_since is not null then 'unknown'
          when a.state = 'pending' or a.version is null or a.version < r.version or exists (
            select from switches s join connection_placements p on p.group_id = r.group_id
              and p.connection_id in (r.connection_id, r.fallback_connection_id, r.last_connection_id)
            where s.group_id = r.group_id and s.name = a.switch and not exists (
              select from applied_watermarks w cross join feed_epoch e
              where w.switch_id = s.id and w.shard = p.shard and w.epoch = e.epoch and w.version >= p.version))
          then 'pending' end as state
      from routings r cross join lateral switch_readings(r) a
      where r.organisation_id = current_organisation_id() and r.environment = current_environment()
        and r.holding_id = of_number
    ) k where k.state is not null;
end;

-- Whether every switch that is not retired has read back the desired route of a number. Without a switch, no call is
-- routed.
create or replace function route_standing(of_number uuid) returns text language sql stable
  begin atomic
    select case
      when bool_and(k.is_read_back) is not false then 'settled'
      when bool_or(k.is_away and not k.is_read_back) then 'unreachable'
      else 'pending' end
    from routings r
    left join lateral (
      select
        exists (select from applied_watermarks w cross join feed_epoch e
          where w.switch_id = s.id and w.shard = r.shard and w.epoch = e.epoch and w.version >= r.version
              and e.epoch = found_epoch())
        and not exists (select from applied_exceptions x where x.switch_id = s.id
            and x.item_id = r.holding_id) as is_read_back,
        coalesce(s.last_seen_at, s.created_at) < now() - make_interval(secs => s.unreachable_after_seconds) as is_away
      from switches s where s.group_id = r.group_id and s.state <> 'retired'
    ) k on true
    where r.holding_id = of_number;
end;

-- State of switch groups that applies to all their numbers. Groups without switches are missing.
create or replace view switch_group_states with (security_invoker = true) as
select s.group_id,
  bool_or(coalesce(s.last_seen_at, s.created_at) < now() - make_interval(secs => s.unreachable_after_seconds))
    or (select is_held from feed_epoch) as is_unreachable,
  bool_or(s.synced_epoch is distinct from (select epoch from feed_epoch)
    or s.proved_in is distinct from (select database_instance())) as is_joining
from switches s where s.state <> 'retired' group by s.group_id;

-- Whether the switches do what they should, number by number. One definition for lists and for single records. An
-- exception to a version that is past says only that the switch is still on its way to the one that counts.
create or replace view routing_states with (security_invoker = true) as
select r.holding_id, r.organisation_id, r.environment, r.mode, r.generation, r.e164,
  case
    when x.is_failed then 'failed'
    when x.is_drifted then 'drifted'
    when g.is_unreachable then 'unknown'
    when x.is_pending or g.is_joining is distinct from false or r.version > c.version
      or (coalesce(r.connection_id, r.fallback_connection_id, r.last_connection_id) is not null and exists (
        select from connection_placements p join feed_confirmations pc on pc.shard = p.shard
        where p.connection_id in (r.connection_id, r.fallback_connection_id, r.last_connection_id)
          and p.group_id = r.group_id and p.version > pc.version))
    then 'pending'
    else 'in_sync'
  end as status,
  r.sip_uri, r.connection_id, r.forward_to, r.webhook_url,
  1 + (coalesce(r.fallback_mode, 'unrouted') <> 'unrouted')::integer
    + (r.steps #> '{fallback,fallback}' is not null)::integer as steps,
  r.group_id
from routings r
join feed_confirmations c on c.shard = r.shard
cross join lateral (
  select bool_or(e.state = 'failed' and not e.is_past) as is_failed,
      bool_or(e.state = 'drifted' and not e.is_past) as is_drifted,
    bool_or(e.state = 'pending' or e.is_past) as is_pending
  from (
    select e.state, e.version < r.version as is_past from applied_exceptions e where e.item_id = r.holding_id
    union all
    select e.state, e.version < p.version from connection_placements p
    cross join lateral (select * from applied_exceptions x where x.item_id = p.connection_id
        and x.shard = p.shard offset 0) e
    where p.connection_id in (r.connection_id, r.fallback_connection_id, r.last_connection_id)
      and p.group_id = r.group_id
  ) e
) x
left join lateral (select * from switch_group_states s where s.group_id = r.group_id offset 0) g on true;

grant select on routing_states, switch_group_states to dialplane_organisation, dialplane_system, dialplane_search;

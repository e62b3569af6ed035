-- Records the health of connections. Each report lists all targets of a connection: targets that are missing are
-- deleted. Returns the connections that have just lost their last target on this switch, or have one again.
create or replace function record_health(connections jsonb, at timestamptz) returns jsonb language sql
  begin atomic
    with reported as (
      select distinct on (i.item_id, t.host, t.port, t.transport) i.item_id as connection_id, i.organisation_id,
          i.environment, t.*
      from jsonb_to_recordset(connections) as c (id uuid, targets jsonb)
      cross join lateral (
        select f.item_id, f.organisation_id, f.environment, f.value from feed_items f
        where f.item_id = c.id and f.kind = 'connection' order by f.version desc limit 1
      ) i
      cross join jsonb_to_recordset(c.targets) as t (host text, port integer, transport text, state text,
          addresses jsonb)
      where i.value is not null
    ), before as (
      select h.connection_id, bool_and(coalesce(h.last_known = 'down', false)) as is_lost from target_health h
      where h.switch_id = current_switch_id()
          and h.connection_id in (select c.id from jsonb_to_recordset(connections) as c (id uuid))
      group by h.connection_id
    ), gone as (
      delete from target_health h
      where h.switch_id = current_switch_id()
          and h.connection_id in (select c.id from jsonb_to_recordset(connections) as c (id uuid))
        and not exists (select from reported r where r.connection_id = h.connection_id and r.host = h.host
            and r.port = h.port and r.transport = h.transport)
    ), written as (
      insert into target_health as h (switch_id, connection_id, host, port, transport, organisation_id, environment,
          state, last_known, addresses, since)
      select current_switch_id(), r.connection_id, r.host, r.port, r.transport, r.organisation_id, r.environment,
          r.state,
        nullif(r.state, 'unknown'), r.addresses, at
      from reported r
      on conflict (switch_id, connection_id, host, port, transport) do update set state = excluded.state,
        last_known = coalesce(excluded.last_known, h.last_known), addresses = excluded.addresses,
        since = case when h.state = excluded.state then h.since else excluded.since end
      returning connection_id, organisation_id, environment, state, last_known
    ), after as (
      select connection_id, organisation_id, environment, bool_and(coalesce(last_known = 'down', false)) as is_lost,
          bool_or(state = 'up') as is_up
      from written group by 1, 2, 3
    )
    select jsonb_agg(jsonb_build_object('id', a.connection_id, 'isReachable', a.is_up, 'organisationId',
        a.organisation_id,
      'environment', a.environment) order by a.organisation_id, a.connection_id)
    from after a left join before b on b.connection_id = a.connection_id
    where case when coalesce(b.is_lost, false) then a.is_up else a.is_lost end;
end;

-- Whether switches reach the targets of a connection: down if a switch has lost all of them, because calls can arrive
-- at any switch. Without a recent report, a target is unknown.
create or replace function connection_health(of_connection uuid) returns text language sql stable
  begin atomic
    select case when bool_or(w.is_lost) then 'down' when bool_or(w.has_lost) then 'partial'
      when bool_and(w.is_up) then 'up' else 'unknown' end
    from (
      select bool_and(k.state = 'down') as is_lost, bool_or(k.state = 'down') as has_lost,
        bool_and(k.state = 'up') as is_up
      from (
        select s.id as switch_id, case
          when s.targets_read_at >= now() - make_interval(secs => s.unreachable_after_seconds)
          then coalesce(nullif(h.state, 'unknown'), h.last_known, 'unknown') else 'unknown' end as state
        from connection_targets t
        join connection_placements p on p.organisation_id = t.organisation_id and p.environment = t.environment
          and p.connection_id = t.connection_id
        join switches s on s.group_id = p.group_id and s.state <> 'retired'
        left join target_health h on h.organisation_id = t.organisation_id and h.environment = t.environment
          and h.connection_id = t.connection_id and h.switch_id = s.id
          and h.host = t.host and h.port = t.port and h.transport = t.transport
        where t.organisation_id = current_organisation_id() and t.environment = current_environment()
          and t.connection_id = of_connection) k
      group by k.switch_id) w;
end;

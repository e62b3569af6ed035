alter table switches add column targets_read_at timestamptz;
comment on column switches.targets_read_at is 'When it last said how the targets of its connections are. What is in target_health is as old as this, whether it changed or not.';
grant select (targets_read_at) on switches to dialplane_organisation;
grant select (targets_read_at), update (targets_read_at) on switches to dialplane_switch;

create table target_health (
  switch_id        uuid not null references switches,
  connection_id    uuid not null,
  host             text not null check (length(host) <= 253),
  port             integer not null,
  transport        text not null check (transport in ('udp', 'tcp', 'tls')),
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  state            text not null check (state in ('up', 'down', 'unknown')),
  last_known       text check (last_known in ('up', 'down')),
  addresses        jsonb not null,
  since            timestamptz not null,
  primary key (switch_id, connection_id, host, port, transport)
) with (fillfactor = 70);
comment on table target_health is 'How a switch finds the targets of a connection, by its pings. It counts only while switches.targets_read_at is young.';
comment on column target_health.last_known is 'The last state that was not unknown: a switch that restarts and asks again makes no event.';
create index target_health_by_connection on target_health (organisation_id, environment, connection_id);

-- A connection is told whole: targets that are not among its own any more go. Returns the connections that have just lost
-- their last target on this switch, or have one again.
create function record_health(connections jsonb, at timestamptz) returns jsonb language sql
  begin atomic
    with reported as (
      select distinct on (i.item_id, t.host, t.port, t.transport) i.item_id as connection_id, i.organisation_id, i.environment, t.*
      from jsonb_array_elements(connections) c
      cross join lateral (
        select f.item_id, f.organisation_id, f.environment, f.value from feed_items f
        where f.item_id = (c ->> 'id')::uuid and f.kind = 'connection' order by f.version desc limit 1
      ) i
      cross join jsonb_to_recordset(c -> 'targets') as t (host text, port integer, transport text, state text, addresses jsonb)
      where i.value is not null
    ), before as (
      select h.connection_id, bool_and(coalesce(h.last_known = 'down', false)) as is_lost from target_health h
      where h.switch_id = current_switch_id() and h.connection_id in (select (c ->> 'id')::uuid from jsonb_array_elements(connections) c)
      group by h.connection_id
    ), gone as (
      delete from target_health h
      where h.switch_id = current_switch_id() and h.connection_id in (select (c ->> 'id')::uuid from jsonb_array_elements(connections) c)
        and not exists (select from reported r where r.connection_id = h.connection_id and r.host = h.host and r.port = h.port and r.transport = h.transport)
    ), written as (
      insert into target_health as h (switch_id, connection_id, host, port, transport, organisation_id, environment, state, last_known, addresses, since)
      select current_switch_id(), r.connection_id, r.host, r.port, r.transport, r.organisation_id, r.environment, r.state,
        nullif(r.state, 'unknown'), r.addresses, at
      from reported r
      on conflict (switch_id, connection_id, host, port, transport) do update set state = excluded.state,
        last_known = coalesce(excluded.last_known, h.last_known), addresses = excluded.addresses,
        since = case when h.state = excluded.state then h.since else excluded.since end
      returning connection_id, organisation_id, environment, state, last_known
    ), after as (
      select connection_id, organisation_id, environment, bool_and(coalesce(last_known = 'down', false)) as is_lost, bool_or(state = 'up') as is_up
      from written group by 1, 2, 3
    )
    select jsonb_agg(jsonb_build_object('id', a.connection_id, 'isReachable', a.is_up, 'organisationId', a.organisation_id,
      'environment', a.environment) order by a.organisation_id, a.connection_id)
    from after a left join before b on b.connection_id = a.connection_id
    where case when coalesce(b.is_lost, false) then a.is_up else a.is_lost end;
  end;

alter table target_health enable row level security;
alter table target_health force row level security;

grant select, delete on target_health to dialplane_organisation;
create policy organisation_sees on target_health for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation_deletes on target_health for delete to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
grant select, insert, update, delete on target_health to dialplane_switch;
create policy switch on target_health to dialplane_switch
  using (switch_id = (select current_switch_id()))
  -- Whose connection it is is not the switch's to say: events follow from it.
  with check (switch_id = (select current_switch_id()) and (organisation_id, environment) = (
    select i.organisation_id, i.environment from feed_items i
    where i.item_id = target_health.connection_id and i.kind = 'connection' limit 1));
grant select, delete on target_health to dialplane_system;
create policy system on target_health to dialplane_system using ((select current_task()) is not null);

-- Beside its exceptions, a switch tells an organisation of connections whose targets it asks.
alter policy switch on event_heads
  using (exists (select from applied_exceptions x where x.organisation_id = event_heads.organisation_id)
    or exists (select from target_health h where h.organisation_id = event_heads.organisation_id));
alter policy switch on events using ((organisation_id, environment) = (
  select x.organisation_id, x.environment from applied_exceptions x
  where x.switch_id = (select current_switch_id()) and x.item_id = (select id_of(events.subject)))
  or (organisation_id, environment) = (
  select h.organisation_id, h.environment from target_health h
  where h.switch_id = (select current_switch_id()) and h.connection_id = (select id_of(events.subject)) limit 1));
alter policy switch on audit_entries with check ((organisation_id, environment) = (
  select x.organisation_id, x.environment from applied_exceptions x
  where x.switch_id = (select current_switch_id()) and x.item_id = (select id_of(audit_entries.subject)))
  or (organisation_id, environment) = (
  select h.organisation_id, h.environment from target_health h
  where h.switch_id = (select current_switch_id()) and h.connection_id = (select id_of(audit_entries.subject)) limit 1));

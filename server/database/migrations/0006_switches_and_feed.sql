-- Our statements take milliseconds; compiling them takes a hundred. Set on the roles, so that it holds behind a pooler too.
alter role dialplane_organisation set jit = off;
alter role dialplane_caller set jit = off;
alter role dialplane_switch set jit = off;
alter role dialplane_system set jit = off;

create function current_switch_id() returns uuid language sql stable
  return nullif(current_setting('app.switch_id', true), '')::uuid;

create function current_switch_group_id() returns uuid language sql stable
  return nullif(current_setting('app.switch_group_id', true), '')::uuid;

create table switch_groups (
  id           uuid primary key,
  name         text not null unique check (length(name) between 1 and 100),
  environment  text not null check (environment in ('live', 'test')),
  is_default   boolean not null default false,
  created_at   timestamptz not null,
  unique (id, environment)
);
comment on table switch_groups is 'Switches that hold the same numbers. A number belongs to one group, and a group to one side, so a test number never reaches a real switch.';
create unique index switch_groups_one_default on switch_groups (environment) where is_default;

create table switches (
  id                         uuid primary key,
  group_id                   uuid not null references switch_groups,
  name                       text not null check (length(name) between 1 and 100),
  state                      text not null default 'active' check (state in ('active', 'draining', 'retired')),
  credential_mac             bytea unique,
  unreachable_after_seconds  integer not null default 30 check (unreachable_after_seconds between 1 and 86400),
  synced_epoch               text,
  boot                       text check (length(boot) <= 100),
  agent_version              text check (length(agent_version) <= 100),
  last_seen_at               timestamptz,
  created_at                 timestamptz not null,
  unique (group_id, name)
);
comment on column switches.state is 'What the operator decided. Unreachable is no state of ours: it follows from last_seen_at, or from created_at while it was never heard of.';
comment on column switches.credential_mac is 'HMAC-SHA256 of the credential; null for the simulated switch, which never signs in.';
comment on column switches.synced_epoch is 'The epoch under which it has read back every shard once. Until then it counts as holding nothing.';

create table feed_epoch (
  is_only   boolean primary key default true check (is_only),
  epoch     text not null,
  began_at  timestamptz not null
);
comment on table feed_epoch is 'System identifier and timeline of the PostgreSQL whose versions count. A promoted standby may have lost the last ones: another epoch makes every agent start over.';

create table feed_shards (
  id        integer primary key,
  group_id  uuid not null references switch_groups,
  head      bigint not null default 0,
  floor     bigint not null default 0
) with (fillfactor = 50);
comment on column feed_shards.head is 'Last version given out. Its row is locked last in a transaction, so versions follow the order of commits without gaps.';
comment on column feed_shards.floor is 'Up to here removals have been forgotten; a reader that stopped below starts over.';
create index feed_shards_by_group on feed_shards (group_id, id);

-- Apart from the heads: reports must not wait for writers, nor writers for reports.
create table feed_confirmations (
  shard    integer primary key references feed_shards,
  version  bigint not null default 0
) with (fillfactor = 50);
comment on table feed_confirmations is 'Up to which version every switch of the group has read its shard back.';

create table feed_items (
  shard            integer not null references feed_shards,
  version          bigint not null,
  kind             text not null check (kind in ('route', 'connection')),
  item_id          uuid not null,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  generation       bigint not null,
  value            jsonb,
  created_at       timestamptz not null,
  confirmed_at     timestamptz,
  primary key (shard, version)
) with (fillfactor = 90);
comment on table feed_items is 'What switches are told. The newest version of an item is what it should hold, older ones are kept until no switch holds them any more; a null value says that the item is gone.';
create index feed_items_by_item on feed_items (item_id, shard, version);
create index feed_items_gone on feed_items (shard, confirmed_at) where value is null;

create table applied_watermarks (
  switch_id    uuid not null references switches,
  shard        integer not null references feed_shards,
  epoch        text not null,
  version      bigint not null,
  observed_at  timestamptz not null,
  primary key (switch_id, shard)
) with (fillfactor = 50);
comment on table applied_watermarks is 'Up to which version a switch answered that it holds a shard, and when it was last asked.';
create index applied_watermarks_by_shard on applied_watermarks (shard);

create table applied_exceptions (
  switch_id           uuid not null references switches,
  item_id             uuid not null,
  shard               integer not null references feed_shards,
  kind                text not null check (kind in ('route', 'connection')),
  organisation_id     uuid not null references organisations,
  environment         text not null check (environment in ('live', 'test')),
  version             bigint not null,
  state               text not null check (state in ('pending', 'failed', 'drifted')),
  applied_generation  bigint,
  applied             jsonb,
  error               text not null check (length(error) <= 500),
  since               timestamptz not null,
  observed_at         timestamptz not null,
  primary key (switch_id, item_id)
);
comment on table applied_exceptions is 'Where a switch holds something else than the watermark says: still at it, refused, or drifted. What it answered it holds stands beside it.';
create index applied_exceptions_by_organisation on applied_exceptions (organisation_id, environment, state);
create index applied_exceptions_by_shard on applied_exceptions (switch_id, shard);
create index applied_exceptions_by_item on applied_exceptions (item_id);

-- The next version of a shard, and the item that takes it. Call it last: the shard is locked until the commit.
create function publish_item(
  to_shard integer, item_kind text, of_item uuid, of_organisation uuid, of_environment text,
  with_generation bigint, with_value jsonb, at timestamptz
) returns bigint language plpgsql as $$
declare
  next_version bigint;
begin
  update feed_shards set head = head + 1 where id = to_shard returning head into strict next_version;
  insert into feed_items (shard, version, kind, item_id, organisation_id, environment, generation, value, created_at)
    values (to_shard, next_version, item_kind, of_item, of_organisation, of_environment, with_generation, with_value, at);
  return next_version;
end
$$;

-- Which of a group's shards a key falls into.
create function shard_of(of_group uuid, key text) returns integer language sql stable
  return (
    select s.id from feed_shards s where s.group_id = of_group order by s.id
    offset (select (hashtextextended(key, 0) & 9223372036854775807) % greatest(count(*), 1) from feed_shards c where c.group_id = of_group)
    limit 1);

create function add_switch_group(new_id uuid, new_name text, of_environment text, as_default boolean, shard_count integer, at timestamptz)
returns void language plpgsql as $$
begin
  -- Shard numbers are dense over all groups; two groups made at once must not count from the same number.
  lock table feed_shards in share row exclusive mode;
  insert into switch_groups (id, name, environment, is_default, created_at) values (new_id, new_name, of_environment, as_default, at);
  insert into feed_shards (id, group_id)
    select (select coalesce(max(id), -1) from feed_shards) + n, new_id from generate_series(1, shard_count) n;
  insert into feed_confirmations (shard) select id from feed_shards where group_id = new_id;
end
$$;

-- Under which epoch the versions of this database count.
create function found_epoch() returns text language sql volatile
  return (select system_identifier from pg_control_system()) || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8);

-- Another epoch than the one written down: nothing any switch reported before counts any more.
create function begin_epoch(at timestamptz) returns text language plpgsql as $$
declare
  now_found text := found_epoch();
begin
  perform from feed_epoch where epoch = now_found;
  if not found then
    lock table feed_epoch in exclusive mode;
    perform from feed_epoch where epoch = now_found;
    if not found then
      insert into feed_epoch (epoch, began_at) values (now_found, at)
        on conflict (is_only) do update set epoch = excluded.epoch, began_at = excluded.began_at;
      delete from applied_watermarks;
      delete from applied_exceptions;
      update feed_confirmations set version = 0 where version > 0;
    end if;
  end if;
  return now_found;
end
$$;

-- Raises what is confirmed to what every switch that counts has read back, and drops what no switch holds any more.
create function confirm_shards(of_shards integer[], at timestamptz) returns void language plpgsql as $$
declare
  one record;
begin
  for one in
    select c.shard, c.version as old_version, m.version as new_version
    from feed_confirmations c
    join feed_shards s on s.id = c.shard
    cross join lateral (
      select min(coalesce(w.version, 0)) as version
      from switches sw
      cross join feed_epoch e
      left join applied_watermarks w on w.switch_id = sw.id and w.shard = c.shard and w.epoch = e.epoch
      where sw.group_id = s.group_id and sw.state <> 'retired' and sw.synced_epoch = e.epoch
    ) m
    where c.shard = any (of_shards) and m.version > c.version
    order by c.shard
  loop
    update feed_confirmations set version = one.new_version where shard = one.shard;
    update feed_items set confirmed_at = at
      where shard = one.shard and version > one.old_version and version <= one.new_version and confirmed_at is null;
    delete from feed_items older using feed_items newer
      where newer.shard = one.shard and newer.version > one.old_version and newer.version <= one.new_version
        and older.item_id = newer.item_id and older.shard = newer.shard and older.version < newer.version;
  end loop;
end
$$;

-- The exceptions of a shard are reported whole: what is not among them any more is over. Returns what is new.
create function record_exceptions(shard_reports jsonb, at timestamptz) returns jsonb language sql
  begin atomic
    with reported as (
      select distinct on (i.item_id) i.item_id, i.shard, i.kind, i.organisation_id, i.environment,
        (x ->> 'version')::bigint as version, x ->> 'state' as state, (x -> 'applied' ->> 'generation')::bigint as applied_generation,
        nullif(x -> 'applied' -> 'value', 'null') as applied, left(x ->> 'error', 500) as error,
        least((x ->> 'observed_at')::timestamptz, at) as observed_at, before.state as state_before, before.since as since_before
      from jsonb_array_elements(shard_reports) r
      cross join jsonb_array_elements(r -> 'exceptions') x
      -- One by one: nobody can guess how many there are, and a join that compares all with all takes seconds.
      cross join lateral (
        select * from feed_items f where f.item_id = (x ->> 'id')::uuid and f.shard = (r ->> 'shard')::integer limit 1
      ) i
      left join lateral (
        select e.state, e.since from applied_exceptions e where e.switch_id = current_switch_id() and e.item_id = i.item_id limit 1
      ) before on true
      order by i.item_id
    ), over as (
      delete from applied_exceptions e
      where e.switch_id = current_switch_id()
        and e.shard in (select (r ->> 'shard')::integer from jsonb_array_elements(shard_reports) r)
        and e.item_id not in (select item_id from reported)
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
    select jsonb_agg(jsonb_build_object('kind', r.kind, 'id', r.item_id, 'state', r.state, 'error', r.error,
      'organisationId', r.organisation_id, 'environment', r.environment) order by r.organisation_id, r.item_id)
    from reported r
    where r.state <> 'pending' and r.state_before is distinct from r.state;
  end;

-- What a switch answered when it was asked, shard by shard, in one transaction. Returns what became of the
-- report, and the items that have begun to deviate.
create function record_report(
  reported_epoch text, reported_boot text, of_version text, is_complete boolean, shard_reports jsonb, at timestamptz
) returns table (outcome text, deviations jsonb) language plpgsql as $$
declare
  this_switch uuid := current_switch_id();
  shards integer[] := array(select (r ->> 'shard')::integer from jsonb_array_elements(shard_reports) r order by 1);
  known record;
  is_forgetting boolean;
  is_joining boolean;
begin
  -- Between a promotion and the beginning of its epoch the one written down is the old one.
  perform from feed_epoch where epoch = reported_epoch and epoch = found_epoch();
  if not found then
    return query select 'epoch_ended', null::jsonb;
    return;
  end if;
  if (select count(*) from feed_shards where id = any (shards) and group_id = current_switch_group_id()) <> cardinality(shards) then
    return query select 'shard_not_found', null::jsonb;
    return;
  end if;
  select boot, synced_epoch into known from switches where id = this_switch;
  -- It restarted and has not read back everything since: what it said before counts for nothing.
  is_forgetting := coalesce(known.boot <> reported_boot, false) and not is_complete;
  is_joining := is_complete and known.synced_epoch is distinct from reported_epoch;
  -- First the locks, then the look: two switches reporting at once must see each other. Whether a switch counts
  -- concerns every shard of its group.
  perform from feed_confirmations
    where shard = any (case when is_forgetting or is_joining
      then array(select id from feed_shards where group_id = current_switch_group_id()) else shards end)
    order by shard for update;
  select state, boot into known from switches where id = this_switch and state <> 'retired';
  if not found then
    return query select 'switch_retired', null::jsonb;
    return;
  end if;

  if is_forgetting and known.boot <> reported_boot then
    update switches set synced_epoch = null, boot = reported_boot where id = this_switch;
    delete from applied_watermarks where switch_id = this_switch;
    delete from applied_exceptions where switch_id = this_switch;
  end if;

  insert into applied_watermarks (switch_id, shard, epoch, version, observed_at)
    select this_switch, s.id, reported_epoch, least((r ->> 'version')::bigint, s.head), least((r ->> 'observed_at')::timestamptz, at)
    from jsonb_array_elements(shard_reports) r join feed_shards s on s.id = (r ->> 'shard')::integer
    on conflict (switch_id, shard) do update set
      epoch = excluded.epoch,
      version = case when applied_watermarks.epoch = excluded.epoch
        then greatest(applied_watermarks.version, excluded.version) else excluded.version end,
      observed_at = greatest(applied_watermarks.observed_at, excluded.observed_at);
  -- Nearly every report has none, and PostgreSQL plans that function anew at each call.
  if shard_reports @? '$[*].exceptions[*]' or exists (select from applied_exceptions where switch_id = this_switch and shard = any (shards)) then
    deviations := record_exceptions(shard_reports, at);
  end if;

  -- Another boot that came in since the look at the first is left to the next report, which then has all the locks.
  update switches set boot = case when is_complete or boot is null then reported_boot else boot end,
      agent_version = of_version, last_seen_at = now()
    where id = this_switch and (boot is distinct from reported_boot or agent_version is distinct from of_version
      or last_seen_at is null or last_seen_at < now() - interval '1 second');
  -- It counts from the moment it holds everything that the others have confirmed.
  if is_joining then
    update switches set synced_epoch = reported_epoch
      where id = this_switch and synced_epoch is distinct from reported_epoch
        and not exists (
          select from feed_shards s join feed_confirmations c on c.shard = s.id
          left join applied_watermarks w on w.switch_id = this_switch and w.shard = s.id and w.epoch = reported_epoch
          where s.group_id = current_switch_group_id() and (w.version is null or w.version < c.version));
    if found then
      shards := array(select id from feed_shards where group_id = current_switch_group_id() order by id);
    end if;
  end if;
  perform confirm_shards(shards, at);
  outcome := 'recorded';
  return next;
end
$$;

select add_switch_group(gen_random_uuid(), 'default', 'live', true, 256, now());
select add_switch_group(gen_random_uuid(), 'simulated', 'test', true, 64, now());

alter table switch_groups enable row level security;
alter table switch_groups force row level security;
alter table switches enable row level security;
alter table switches force row level security;
alter table feed_epoch enable row level security;
alter table feed_epoch force row level security;
alter table feed_shards enable row level security;
alter table feed_shards force row level security;
alter table feed_confirmations enable row level security;
alter table feed_confirmations force row level security;
alter table feed_items enable row level security;
alter table feed_items force row level security;
alter table applied_watermarks enable row level security;
alter table applied_watermarks force row level security;
alter table applied_exceptions enable row level security;
alter table applied_exceptions force row level security;

-- The organisation's door: how far the switches are is nobody's secret, what they are told is its owner's.
grant select (id, name, environment) on switch_groups to dialplane_organisation;
grant select (id, group_id, name, state, unreachable_after_seconds, synced_epoch, last_seen_at, created_at) on switches to dialplane_organisation;
grant select on feed_epoch, feed_confirmations, applied_watermarks, applied_exceptions to dialplane_organisation;
grant select, update (head) on feed_shards to dialplane_organisation;
grant select, insert on feed_items to dialplane_organisation;
create policy organisation on switch_groups for select to dialplane_organisation using (true);
create policy organisation on switches for select to dialplane_organisation using (true);
create policy organisation on feed_epoch for select to dialplane_organisation using (true);
create policy organisation on feed_shards to dialplane_organisation using (true);
create policy organisation on feed_confirmations for select to dialplane_organisation using (true);
create policy organisation on applied_watermarks for select to dialplane_organisation using (true);
-- Written so that no index serves them: what belongs to an item is looked up by the item, not among all of its
-- organisation's, which seems as good wherever most organisations are small.
create policy organisation on feed_items to dialplane_organisation
  using (organisation_id is not distinct from (select current_organisation_id())
    and environment is not distinct from (select current_environment()));
create policy organisation on applied_exceptions for select to dialplane_organisation
  using (organisation_id is not distinct from (select current_organisation_id())
    and environment is not distinct from (select current_environment()));

-- A switch's door: its group's items; reports in its own name.
grant select on feed_epoch, feed_shards to dialplane_switch;
grant select (id, name, environment) on switch_groups to dialplane_switch;
grant select (id, group_id, name, state, synced_epoch, boot, agent_version, last_seen_at),
  update (synced_epoch, boot, agent_version, last_seen_at) on switches to dialplane_switch;
grant select, update (version) on feed_confirmations to dialplane_switch;
grant select, update (confirmed_at), delete on feed_items to dialplane_switch;
grant select, insert, update, delete on applied_watermarks, applied_exceptions to dialplane_switch;
create policy switch on switch_groups for select to dialplane_switch using (id = (select current_switch_group_id()));
create policy switch_sees on switches for select to dialplane_switch using (group_id = (select current_switch_group_id()));
create policy switch_reports on switches for update to dialplane_switch using (id = (select current_switch_id()));
create policy switch on feed_epoch for select to dialplane_switch using (true);
create policy switch on feed_shards for select to dialplane_switch using (group_id = (select current_switch_group_id()));
create policy switch on feed_confirmations to dialplane_switch using (shard in (select id from feed_shards));
create policy switch on feed_items to dialplane_switch using (shard in (select id from feed_shards));
create policy switch_sees on applied_watermarks for select to dialplane_switch using (shard in (select id from feed_shards));
create policy switch_reports on applied_watermarks to dialplane_switch
  using (switch_id = (select current_switch_id()) and shard in (select id from feed_shards));
create policy switch on applied_exceptions to dialplane_switch
  using (switch_id = (select current_switch_id()) and shard in (select id from feed_shards))
  -- Whose item it is is not the switch's to say: events follow from it.
  with check (switch_id = (select current_switch_id()) and (organisation_id, environment) = (
    select i.organisation_id, i.environment from feed_items i
    where i.item_id = applied_exceptions.item_id and i.shard = applied_exceptions.shard limit 1));

-- A deviation a switch has reported becomes an event of the organisation it concerns, and of no other. Compared as
-- identifiers, not as text: policies do without an index where a comparison could tell something.
create function id_of(subject text) returns uuid language sql immutable
  return case when subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then subject::uuid end;
grant select, update (head) on event_heads to dialplane_switch;
grant select (sequence), insert on events to dialplane_switch;
grant insert on audit_entries to dialplane_switch;
create policy switch on event_heads to dialplane_switch
  using (exists (select from applied_exceptions x where x.organisation_id = event_heads.organisation_id));
create policy switch on events to dialplane_switch
  using ((organisation_id, environment) = (select x.organisation_id, x.environment from applied_exceptions x
    where x.switch_id = (select current_switch_id()) and x.item_id = id_of(events.subject)));
create policy switch on audit_entries for insert to dialplane_switch
  with check ((organisation_id, environment) = (select x.organisation_id, x.environment from applied_exceptions x
    where x.switch_id = (select current_switch_id()) and x.item_id = id_of(audit_entries.subject)));

grant select, insert on switch_groups to dialplane_system;
grant select, insert, update on switches to dialplane_system;
grant select, insert, update on feed_epoch, feed_shards to dialplane_system;
grant select, insert, update on feed_confirmations to dialplane_system;
grant select, insert, update (confirmed_at), delete on feed_items to dialplane_system;
grant select, insert, delete on applied_watermarks, applied_exceptions to dialplane_system;
create policy system on switch_groups to dialplane_system using ((select current_task()) is not null);
create policy system on switches to dialplane_system using ((select current_task()) is not null);
create policy system on feed_epoch to dialplane_system using ((select current_task()) is not null);
create policy system on feed_shards to dialplane_system using ((select current_task()) is not null);
create policy system on feed_confirmations to dialplane_system using ((select current_task()) is not null);
create policy system on feed_items to dialplane_system using ((select current_task()) is not null);
create policy system on applied_watermarks to dialplane_system using ((select current_task()) is not null);
create policy system on applied_exceptions to dialplane_system using ((select current_task()) is not null);

-- Whose credential it is, in one round trip; a retired switch is a stranger.
grant select (id, group_id, name, state, credential_mac) on switches to dialplane_caller;
create policy caller on switches for select to dialplane_caller using (credential_mac is not null);
create function authenticate_switch(presented_mac bytea) returns table (id uuid, group_id uuid, name text)
language sql stable
  begin atomic
    select s.id, s.group_id, s.name from switches s where s.credential_mac = presented_mac and s.state <> 'retired';
  end;

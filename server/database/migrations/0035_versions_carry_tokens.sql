-- Detects a database that was rolled back (restored from a backup, a snapshot or a dump, or replaced by a standby that lost
-- commits). A version number does not prove which history it belongs to: after a rollback the same number is assigned again.
-- So each version of a shard carries a random token, and an agent presents the token with the version. The same idea is
-- called log matching in Raft and leader epoch in Kafka.

-- 53 bits fit a JSON number. The clock is part of it because a virtual machine restored with its memory can repeat random numbers.
create function new_token() returns bigint language sql volatile
  return hashtextextended(gen_random_uuid()::text, (extract(epoch from clock_timestamp()) * 1000000)::bigint) & 9007199254740991;

alter table feed_items add column token bigint not null default 0;
alter table feed_items alter column token set default new_token();
comment on column feed_items.token is 'Random, so that equal versions of two histories differ.';
alter table feed_shards add column token bigint not null default 0, add column floor_token bigint not null default 0;
comment on column feed_shards.token is 'Token of the head. Every statement that writes the head writes it.';
comment on column feed_shards.floor_token is 'Token of the floor, whose item is deleted.';

-- Identifies the running PostgreSQL and the files that it serves: another value after a restart, a promotion, a restored
-- dump or a restored data directory. Readings of a switch count only if it reported them to this instance.
create function database_instance() returns bigint language sql stable
  return hashtextextended(extract(epoch from pg_postmaster_start_time()) || ' ' || pg_relation_filepath('feed_epoch'), 0);

-- Changes when the database is promoted or restored, but not when it restarts. Agents then send recent call records again,
-- because the database may have lost some that it had acknowledged.
create function database_lineage() returns text language sql volatile
  return (select system_identifier from pg_control_system()) || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    || '-' || 'feed_epoch'::regclass::oid;

create table database_instances (
  instance       bigint primary key,
  first_seen_at  timestamptz not null,
  newest_row_at  timestamptz
);
comment on table database_instances is 'One row per instance that a server has connected to.';
comment on column database_instances.newest_row_at is 'Time of the newest audit entry or event when a server first connected. After a restore, this is the time the database was restored to.';

create table feed_epochs (
  epoch          text primary key,
  began_at       timestamptz not null,
  cause          text not null check (cause in ('first', 'rollback', 'operator')),
  newest_row_at  timestamptz,
  evidence       jsonb not null default '{}',
  is_held        boolean not null default false,
  resolved_at    timestamptz,
  resolved_by    text,
  check (not is_held or resolved_at is null)
);
comment on table feed_epochs is 'Every epoch of the feed. A new one makes every agent load all shards again.';
comment on column feed_epochs.newest_row_at is 'For a rollback: the newest row that the database had before anything was written after it.';
comment on column feed_epochs.evidence is 'For a rollback: the version and token that do not fit the history of this database, and who presented them.';
comment on column feed_epochs.is_held is 'Agents are not served and no switch changes until an operator resolves the rollback.';

alter table feed_epoch add column is_held boolean not null default false;
comment on table feed_epoch is 'The current epoch, one row, for reads on the hot path.';

alter table switches add column proved_in bigint;
comment on column switches.proved_in is 'The database instance to which the switch has reported every shard. Until it matches, its numbers are pending.';
alter table applied_watermarks add column instance bigint;
comment on column applied_watermarks.instance is 'The database instance that took the report.';

alter table database_instances enable row level security;
alter table database_instances force row level security;
alter table feed_epochs enable row level security;
alter table feed_epochs force row level security;
create policy system on database_instances to dialplane_system using ((select current_task()) is not null);
create policy system on feed_epochs to dialplane_system using ((select current_task()) is not null);
grant select, insert on database_instances to dialplane_system;
grant select, insert, update (is_held, resolved_at, resolved_by) on feed_epochs to dialplane_system;
grant update (token) on feed_shards to dialplane_organisation;
grant update (floor_token) on feed_shards to dialplane_system;
grant select (proved_in) on switches to dialplane_organisation, dialplane_search, dialplane_switch;
grant update (proved_in) on switches to dialplane_switch;
grant select on feed_epoch to dialplane_search;

-- Versions assigned before this migration have no token of their own, except the heads, where agents start from.
create policy migration on feed_shards to current_user using (true);
create policy migration on feed_items to current_user using (true);
create policy migration on feed_epoch to current_user using (true);
create policy migration on feed_epochs to current_user using (true);
update feed_shards set token = new_token() where head > 0;
update feed_items i set token = s.token from feed_shards s where i.shard = s.id and i.version = s.head;
insert into feed_epoch (epoch, began_at) values (gen_random_uuid(), now()) on conflict (is_only) do nothing;
insert into feed_epochs (epoch, began_at, cause) select epoch, began_at, 'first' from feed_epoch;
drop policy migration on feed_shards;
drop policy migration on feed_items;
drop policy migration on feed_epoch;
drop policy migration on feed_epochs;

create or replace function publish_item(
  to_shard integer, item_kind text, of_item uuid, of_organisation uuid, of_environment text,
  with_generation bigint, with_value jsonb, at timestamptz
) returns bigint language plpgsql as $$
declare
  next_version bigint;
  next_token bigint := new_token();
begin
  update feed_shards set head = head + 1, token = next_token where id = to_shard returning head into strict next_version;
  insert into feed_items (shard, version, token, kind, item_id, organisation_id, environment, generation, value, created_at)
    values (to_shard, next_version, next_token, item_kind, of_item, of_organisation, of_environment, with_generation, with_value, at);
  return next_version;
end
$$;

create or replace function begin_routings(of_numbers uuid[], author jsonb, at timestamptz) returns void language plpgsql
  set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
begin
  -- Not "for update": that would wait for whoever has just put a number into the shard, and they for us.
  perform from feed_shards where id in (
    select n.shard from unnest(of_numbers) as one(id)
    cross join lateral (select number_id from holdings where id = one.id limit 1) h
    cross join lateral (select shard from numbers where id = h.number_id limit 1) n
  ) order by id for no key update;
  insert into routings (holding_id, organisation_id, environment, e164, mode, set_at, set_by_kind, set_by_id, set_by_name, group_id, shard, version)
    select h.id, h.organisation_id, h.environment, h.e164, 'unrouted', at, author ->> 'kind', (author ->> 'id')::uuid, author ->> 'name',
      n.group_id, n.shard, s.head + row_number() over (partition by n.shard order by h.id)
    from unnest(of_numbers) as one(id)
    cross join lateral (select * from holdings where id = one.id limit 1) h
    cross join lateral (select * from numbers where id = h.number_id limit 1) n
    cross join lateral (select head from feed_shards where id = n.shard limit 1) s;
  insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, set_at, set_by_kind, set_by_id, set_by_name)
    select organisation_id, environment, holding_id, generation, routing_shape(r), set_at, set_by_kind, set_by_id, set_by_name
    from routings r where r.holding_id = any (of_numbers);
  insert into feed_items (shard, version, kind, item_id, organisation_id, environment, generation, value, created_at)
    select shard, version, 'route', holding_id, organisation_id, environment, generation, effective_route(r, 'active'), at
    from routings r where r.holding_id = any (of_numbers);
  update feed_shards s set head = t.head, token = f.token
    from (select r.shard, max(r.version) as head from routings r where r.holding_id = any (of_numbers) group by r.shard) t
    cross join lateral (select token from feed_items where shard = t.shard and version = t.head limit 1) f
    where s.id = t.shard;
end
$$;

-- The token of a version; null if it is no longer known, because its item has a newer version that every switch holds.
create function feed_token(of_shard integer, at_version bigint) returns bigint language plpgsql stable as $$
declare
  found_token bigint;
begin
  if at_version = 0 then
    return 0;
  end if;
  select token into found_token from feed_items where shard = of_shard and version = at_version;
  if found_token is null then
    select case at_version when head then token when floor then floor_token end into found_token from feed_shards where id = of_shard;
  end if;
  return found_token;
end
$$;

-- Servers of the previous version compare this with the epoch that is stored, and call begin_epoch if they differ.
create or replace function found_epoch() returns text language sql volatile
  return (select epoch from feed_epoch);
create or replace function begin_epoch(at timestamptz) returns text language plpgsql as $$
begin
  return (select epoch from feed_epoch);
end
$$;

-- Identifiers grow with time, so the primary keys find the newest rows.
create function newest_row_at() returns timestamptz language sql stable
  return greatest((select a.at from audit_entries a order by a.id desc limit 1), (select e.created_at from events e order by e.id desc limit 1));

create function note_instance(at timestamptz) returns void language plpgsql as $$
begin
  perform from database_instances where instance = database_instance();
  if not found then
    insert into database_instances (instance, first_seen_at, newest_row_at) values (database_instance(), at, newest_row_at())
      on conflict do nothing;
  end if;
end
$$;

-- Begins another epoch, unless another process has already ended this one: however many agents notice a rollback, one epoch follows.
create function begin_epoch(at timestamptz, of_cause text, ended text, with_evidence jsonb, as_held boolean)
returns table (new_epoch text, is_new boolean) language plpgsql as $$
begin
  lock table feed_epoch in exclusive mode;
  new_epoch := (select epoch from feed_epoch);
  is_new := new_epoch = ended;
  if is_new then
    new_epoch := gen_random_uuid();
    insert into feed_epochs (epoch, began_at, cause, newest_row_at, evidence, is_held, resolved_at)
      values (new_epoch, at, of_cause, coalesce((select newest_row_at from database_instances where instance = database_instance()), newest_row_at()),
        with_evidence, as_held, case of_cause when 'rollback' then null else at end);
    update feed_epoch set epoch = new_epoch, began_at = at, is_held = as_held;
    delete from applied_watermarks;
    delete from applied_exceptions;
    update feed_confirmations set version = 0 where version > 0;
  end if;
  return next;
end
$$;

-- The shards of which every switch that counts has read back more than is confirmed.
create function confirmable_shards(of_shards integer[]) returns table (shard integer, old_version bigint, new_version bigint)
language sql stable
  begin atomic
    select c.shard, c.version, m.version
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
    order by c.shard;
  end;

create or replace function confirm_shards(of_shards integer[], at timestamptz) returns void language plpgsql as $$
declare
  one record;
begin
  -- First the locks, then the look: two switches that report at once must see each other.
  perform from feed_confirmations where shard = any (of_shards) order by shard for update;
  for one in select * from confirmable_shards(of_shards) loop
    update feed_confirmations set version = one.new_version where shard = one.shard;
    update feed_items set confirmed_at = at
      where shard = one.shard and version > one.old_version and version <= one.new_version and confirmed_at is null;
    delete from feed_items older using feed_items newer
      where newer.shard = one.shard and newer.version > one.old_version and newer.version <= one.new_version
        and older.item_id = newer.item_id and older.shard = newer.shard and older.version < newer.version;
  end loop;
end
$$;

-- Whether a report belongs to another history, and the shards whose version is too old to tell. Only a switch that does not
-- count can present such a version.
create function compare_history(
  shards integer[], versions bigint[], positions bigint[], tokens bigint[], out diverged integer, out unknown integer[]
) language plpgsql stable as $$
declare
  one record;
  known bigint;
begin
  unknown := '{}';
  for one in
    select p.shard, p.position, p.token, s.head, s.token as head_token, greatest(p.version, p.position) > s.head as is_ahead
    from unnest(shards, versions, positions, tokens) as p (shard, version, position, token) join feed_shards s on s.id = p.shard
    -- Nearly every switch is at the head of nearly every shard.
    where greatest(p.version, p.position) > s.head or (p.position, p.token) <> (s.head, s.token)
  loop
    known := case one.position when one.head then one.head_token else feed_token(one.shard, one.position) end;
    if one.is_ahead or known <> one.token then
      diverged := one.shard;
      return;
    elsif known is null then
      unknown := unknown || one.shard;
    end if;
  end loop;
end
$$;

-- What a switch holds, shard by shard, in one transaction. Returns the outcome, the items that have begun to deviate, and
-- the shards to confirm, with the number of versions: the caller confirms those in transactions of their own.
create function record_report(
  reported_epoch text, reported_boot text, of_version text, is_complete boolean, shards integer[], versions bigint[],
  observed timestamptz[], positions bigint[], tokens bigint[], shard_exceptions jsonb, at timestamptz
) returns table (outcome text, deviations jsonb, unconfirmed jsonb, diverged integer) language plpgsql as $$
declare
  this_switch uuid := current_switch_id();
  this_instance bigint := database_instance();
  known record;
  is_forgetting boolean;
  is_joining boolean;
  is_proving boolean;
  unknown_shards integer[];
begin
  select case when e.epoch <> reported_epoch then 'epoch_ended' when e.is_held then 'feed_held' end into outcome from feed_epoch e;
  if outcome is null and
    (select count(*) from feed_shards s where s.id = any (shards) and s.group_id = current_switch_group_id()) <> cardinality(shards) then
    outcome := 'shard_not_found';
  end if;
  if outcome is null then
    select c.diverged, c.unknown into diverged, unknown_shards from compare_history(shards, versions, positions, tokens) c;
    if diverged is not null then
      outcome := 'history_diverged';
    end if;
  end if;
  if outcome is not null then
    return next;
    return;
  end if;
  select boot, synced_epoch, proved_in into known from switches where id = this_switch;
  -- It restarted and has not read back everything since: what it reported before no longer counts.
  is_forgetting := coalesce(known.boot <> reported_boot, false) and not is_complete;
  is_joining := is_complete and known.synced_epoch is distinct from reported_epoch;
  is_proving := known.proved_in is distinct from this_instance;
  -- First the locks, then the look: two switches that report at once must see each other. Whether a switch counts
  -- concerns every shard of its group.
  perform from feed_confirmations
    where shard = any (case when is_forgetting or is_joining
      then array(select id from feed_shards where group_id = current_switch_group_id()) else shards end)
    order by shard for update;
  select state, boot into known from switches where id = this_switch and state <> 'retired';
  if not found then
    outcome := 'switch_retired';
    return next;
    return;
  end if;

  if is_forgetting and known.boot <> reported_boot then
    update switches set synced_epoch = null, boot = reported_boot where id = this_switch;
    delete from applied_watermarks where switch_id = this_switch;
    delete from applied_exceptions where switch_id = this_switch;
  end if;

  insert into applied_watermarks (switch_id, shard, epoch, version, observed_at, instance)
    select this_switch, p.shard, reported_epoch, p.version, least(p.observed_at, at), this_instance
    from unnest(shards, versions, observed) as p (shard, version, observed_at)
    where p.shard <> all (unknown_shards)
    on conflict (switch_id, shard) do update set
      epoch = excluded.epoch,
      version = case when applied_watermarks.epoch = excluded.epoch and applied_watermarks.instance = excluded.instance
        then greatest(applied_watermarks.version, excluded.version) else excluded.version end,
      observed_at = greatest(applied_watermarks.observed_at, excluded.observed_at),
      instance = excluded.instance;
  -- Nearly every report has none, and PostgreSQL plans that function anew at each call.
  if shard_exceptions @? '$[*].exceptions[*]' or exists (select from applied_exceptions where switch_id = this_switch and shard = any (shards)) then
    deviations := record_exceptions(shard_exceptions, at);
  end if;

  -- Another boot that came in since the look at the first is left to the next report, which then has all the locks.
  update switches set boot = case when is_complete or boot is null then reported_boot else boot end,
      agent_version = of_version, last_seen_at = now()
    where id = this_switch and (boot is distinct from reported_boot or agent_version is distinct from of_version
      or last_seen_at is null or last_seen_at < now() - interval '1 second');
  -- It counts from the moment it holds everything that the others have confirmed. Its readings are shown from the moment
  -- it has reported all of that to this instance of the database.
  if (is_joining or is_proving) and not exists (
    select from feed_shards s join feed_confirmations c on c.shard = s.id
    left join applied_watermarks w on w.switch_id = this_switch and w.shard = s.id and w.epoch = reported_epoch and w.instance = this_instance
    where s.group_id = current_switch_group_id() and (w.version is null or w.version < c.version)) then
    update switches set proved_in = this_instance,
        synced_epoch = case when is_joining then reported_epoch else synced_epoch end,
        is_returning = is_returning and not is_joining
      where id = this_switch;
    if is_joining then
      shards := array(select id from feed_shards where group_id = current_switch_group_id() order by id);
    end if;
  end if;
  if cardinality(shards) <= 4 then
    perform confirm_shards(shards, at);
  else
    unconfirmed := (select jsonb_agg(jsonb_build_array(c.shard, c.new_version - c.old_version)) from confirmable_shards(shards) c);
  end if;
  outcome := 'recorded';
  return next;
end
$$;

-- As servers of the previous version call it: their agents present no tokens.
create or replace function record_report(
  reported_epoch text, reported_boot text, of_version text, is_complete boolean, shard_reports jsonb, at timestamptz
) returns table (outcome text, deviations jsonb) language plpgsql as $$
declare
  reported record;
  done record;
begin
  select array_agg(r.shard order by r.shard) as shards, array_agg(r.version order by r.shard) as versions,
      array_agg(r.observed_at order by r.shard) as observed
    into reported from jsonb_to_recordset(shard_reports) r (shard integer, version bigint, observed_at timestamptz);
  select * into done from record_report(reported_epoch, reported_boot, of_version, is_complete, coalesce(reported.shards, '{}'),
    coalesce(reported.versions, '{}'), coalesce(reported.observed, '{}'), null, null, shard_reports, at);
  perform confirm_shards(array(select (c ->> 0)::integer from jsonb_array_elements(done.unconfirmed) c order by 1), at);
  return query select case done.outcome when 'history_diverged' then 'epoch_ended' when 'feed_held' then 'epoch_ended' else done.outcome end,
    done.deviations;
end
$$;

create or replace view switch_group_states with (security_invoker = true) as
select s.group_id,
  bool_or(coalesce(s.last_seen_at, s.created_at) < now() - make_interval(secs => s.unreachable_after_seconds))
    or (select is_held from feed_epoch) as is_unreachable,
  bool_or(s.synced_epoch is distinct from (select epoch from feed_epoch)
    or s.proved_in is distinct from (select database_instance())) as is_joining
from switches s where s.state <> 'retired' group by s.group_id;

create or replace function switch_readings(r routings)
returns table (switch text, version bigint, value jsonb, generation bigint, observed_at timestamptz, state text, since timestamptz, error text, silent_since timestamptz)
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
        select c.state, c.since, c.error from connection_placements p join applied_exceptions c on c.item_id = p.connection_id and c.shard = p.shard
        where p.connection_id in (r.connection_id, r.fallback_connection_id) and p.group_id = r.group_id
          and c.switch_id = s.id and c.version >= p.version
      ) o order by array_position('{failed,drifted,pending}', o.state), o.since limit 1
    ) worst on true
    where s.group_id = r.group_id and s.state <> 'retired'
    order by s.name;
  end;

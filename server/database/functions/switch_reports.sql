-- Raises what is confirmed to what every switch that counts has read back, and drops what no switch holds any longer.
create or replace function confirm_shards(of_shards integer[], at timestamptz) returns void language plpgsql as $$
begin
  -- First the locks, then the look: two switches that report at once must see each other.
  perform from feed_confirmations where shard = any (of_shards) order by shard for update;
  perform confirm_locked_shards(of_shards, at);
end
$$;

-- Records failures of the reported shards, and the routes whose exceptions ended.
create or replace function record_ends(shard_reports jsonb, settled uuid[],
    at timestamptz) returns void language plpgsql as $$
begin
  if shard_reports @? '$[*].exceptions[*] ? (@.state == "failed")'
      or exists (select from failed_routes where switch_id = current_switch_id() and ended_at is null) then
    settled := settled || record_failed_routes(array(
      select r.shard from jsonb_to_recordset(shard_reports) as r (shard integer)), at);
  end if;
  if settled is not null then
    perform record_settled_routes(settled, at);
  end if;
end
$$;

-- Planned at each call: a plan that was kept from when the feed was small would read all of it when it has grown.
create or replace function record_exceptions(shard_reports jsonb, at timestamptz) returns jsonb language plpgsql
set plan_cache_mode = force_custom_plan as $$
declare
  news jsonb;
  drifts jsonb;
  repaired uuid[];
  settled uuid[];
  one jsonb;
  became text;
begin
  with reported as (
    select distinct on (i.item_id) i.item_id, i.shard, i.kind, i.organisation_id, i.environment, i.value as expected,
        i.generation as expected_generation,
      x.version, x.state, (x.applied ->> 'generation')::bigint as applied_generation,
      nullif(x.applied -> 'value', 'null') as applied, left(x.error, 500) as error,
      least(x.observed_at, at) as observed_at, before.state as state_before, before.since as since_before,
      before.observed_at as observed_before
    -- As columns: under row-level security no index serves a condition that takes an identifier out of JSON itself.
    from jsonb_to_recordset(shard_reports) as r (shard integer, exceptions jsonb)
    cross join jsonb_to_recordset(r.exceptions)
      as x (id uuid, version bigint, state text, applied jsonb, error text, observed_at timestamptz)
    -- One by one: the planner cannot know how many there are, and a join that compares all with all takes seconds.
    cross join lateral (
      select * from feed_items f where f.item_id = x.id and f.shard = r.shard
      order by f.version = x.version desc, f.version desc limit 1
    ) i
    left join lateral (
      select e.state, e.since, e.observed_at from applied_exceptions e
      where e.switch_id = current_switch_id() and e.item_id = i.item_id limit 1
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
      r.applied_generation, r.applied, r.error,
          case when r.state_before = r.state then r.since_before else r.observed_at end, r.observed_at
    from reported r
    on conflict (switch_id, item_id) do update set shard = excluded.shard, version = excluded.version,
      state = excluded.state, applied_generation = excluded.applied_generation, applied = excluded.applied,
      error = excluded.error, since = excluded.since, observed_at = excluded.observed_at
    returning item_id
  )
  select
    (select jsonb_agg(jsonb_build_object('kind', r.kind, 'id', r.item_id, 'state', r.state, 'error', r.error,
        'organisationId', r.organisation_id, 'environment', r.environment) order by r.organisation_id, r.item_id)
      from reported r where r.state = 'failed' and r.state_before is distinct from r.state),
    (select jsonb_agg(jsonb_build_object('kind', r.kind, 'id', r.item_id, 'shard', r.shard, 'error', r.error,
        'organisation_id', r.organisation_id, 'environment', r.environment, 'observed_at', r.observed_at,
        'found', r.applied, 'found_generation', r.applied_generation, 'expected', r.expected,
        'expected_generation', case when r.expected is not null then r.expected_generation end)
        order by r.organisation_id, r.item_id)
      from reported r where r.state = 'drifted'
          and (r.state_before is distinct from r.state or r.observed_before < r.observed_at)),
    (select array_agg(o.item_id) from (
      select item_id from over where state = 'drifted'
      union all
      select item_id from reported where state_before = 'drifted' and state <> 'drifted') o),
    (select array_agg(item_id) from over)
    into news, drifts, repaired, settled;
  for one in select * from jsonb_array_elements(drifts) loop
    became := record_drift(one, at);
    if became is not null then
      news := coalesce(news, '[]') || jsonb_build_object('kind', one -> 'kind', 'id', one -> 'id', 'state', became,
        'error', one -> 'error', 'organisationId', one -> 'organisation_id', 'environment', one -> 'environment',
        'found', shown_destination(nullif(one -> 'found', 'null'), (one ->> 'found_generation')::bigint),
        'expected', shown_destination(nullif(one -> 'expected', 'null'), (one ->> 'expected_generation')::bigint));
    end if;
  end loop;
  if repaired is not null then
    update drift_episodes set wrong_ms = wrong_ms + greatest(0, extract(epoch from at - wrong_since) * 1000)::bigint,
        wrong_since = null, repaired_at = at
      where switch_id = current_switch_id() and item_id = any (repaired) and wrong_since is not null
        and closed_at is null;
  end if;
  perform record_ends(shard_reports, settled, at);
  return news;
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
  select * into done from record_report(reported_epoch, reported_boot, of_version, is_complete,
      coalesce(reported.shards, '{}'),
    coalesce(reported.versions, '{}'), coalesce(reported.observed, '{}'), null, null, shard_reports, at);
  perform confirm_shards(array(select (c ->> 0)::integer from jsonb_array_elements(done.unconfirmed) c order by 1), at);
  return query select case done.outcome when 'history_diverged' then 'epoch_ended' when 'feed_held' then 'epoch_ended'
      else done.outcome end,
    done.deviations;
end
$$;

-- The shards of which every switch that counts has read back more than is confirmed.
create or replace function confirmable_shards(of_shards integer[]) returns table (shard integer, old_version bigint,
    new_version bigint)
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

-- Whether a report belongs to another history, and the shards whose version is too old to tell. Only a switch that
-- does not count can present such a version.
create or replace function compare_history(
  shards integer[], versions bigint[], positions bigint[], tokens bigint[], out diverged integer, out unknown integer[]
) language plpgsql stable as $$
declare
  one record;
  known bigint;
begin
  unknown := '{}';
  for one in
    select p.shard, p.position, p.token, s.head, s.token as head_token,
        greatest(p.version, p.position) > s.head as is_ahead
    from unnest(shards, versions, positions, tokens) as p (shard, version, position,
        token) join feed_shards s on s.id = p.shard
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

create or replace function has_open_exceptions(of_switch uuid, shards integer[]) returns boolean language sql stable
  return exists (select from applied_exceptions where switch_id = of_switch and shard = any (shards))
    or exists (select from failed_routes where switch_id = of_switch and ended_at is null and shard = any (shards));

-- Records what a switch has read back. For more than four shards, the caller does it after the report.
create or replace function record_applied_shards(shards integer[], versions bigint[], unknown_shards integer[],
    at timestamptz) returns void language plpgsql as $$
declare
  excepted uuid[];
begin
  if cardinality(shards) <= 4 then
    excepted := array(
      select item_id from applied_exceptions where switch_id = current_switch_id() and shard = any (shards));
    for place in 1 .. cardinality(shards) loop
      if shards[place] <> all (unknown_shards) then
        perform record_applied_shard(shards[place], versions[place], excepted, at);
      end if;
    end loop;
  end if;
end
$$;

-- Records the versions that a switch holds, shard by shard, in one transaction. Returns the outcome, new deviations,
-- and the shards to confirm with their number of versions. The caller confirms those in separate transactions. If
-- there are more than four shards, it also calls record_applied_routes.
create or replace function record_report(
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
  unknown_shards integer[] := '{}';
begin
  outcome := (select case when epoch <> reported_epoch then 'epoch_ended'
    when is_held then 'feed_held' end from feed_epoch);
  if outcome is null then
    -- Nearly every switch is at the head of nearly every shard.
    select count(distinct s.id) as found,
        bool_or(greatest(p.version, p.position) > s.head or (p.position, p.token) <> (s.head, s.token)) as is_elsewhere
      into known
      from unnest(shards, versions, positions, tokens) as p (shard, version, position, token)
      join feed_shards s on s.id = p.shard and s.group_id = (select current_switch_group_id());
    if known.found <> cardinality(shards) then
      outcome := 'shard_not_found';
    elsif known.is_elsewhere then
      select c.diverged, c.unknown into diverged, unknown_shards
        from compare_history(shards, versions, positions, tokens) c;
      if diverged is not null then
        outcome := 'history_diverged';
      end if;
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
  -- Nearly every report has none, and PostgreSQL plans that function again at each call.
  if shard_exceptions @? '$[*].exceptions[*]'
      or has_open_exceptions(this_switch, shards) then
    deviations := record_exceptions(shard_exceptions, at);
  end if;
  perform record_applied_shards(shards, versions, unknown_shards, at);

  -- Another boot that came in since the look at the first is left to the next report, which then has all the locks.
  update switches set boot = case when is_complete or boot is null then reported_boot else boot end,
      agent_version = of_version, last_seen_at = now()
    where id = this_switch and (boot is distinct from reported_boot or agent_version is distinct from of_version
      or last_seen_at is null or last_seen_at < now() - interval '1 second');
  -- It counts from the moment it holds everything that the others have confirmed. Its readings are shown from the
  -- moment it has reported all of that to this instance of the database.
  if (is_joining or is_proving) and not exists (
    select from feed_shards s join feed_confirmations c on c.shard = s.id
    left join applied_watermarks w on w.switch_id = this_switch and w.shard = s.id and w.epoch = reported_epoch
        and w.instance = this_instance
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
    perform confirm_locked_shards(shards, at);
  else
    unconfirmed := (select jsonb_agg(jsonb_build_array(c.shard, c.new_version - c.old_version))
      from confirmable_shards(shards) c);
  end if;
  outcome := 'recorded';
  return next;
end
$$;

-- A report of few shards cost a fifth more than before versions carried tokens: it locked its confirmations twice and
-- looked its shards up twice. A report with exceptions, or about targets of connections, read the whole feed for each
-- of them.
create or replace function confirm_locked_shards(of_shards integer[],
    at timestamptz) returns void language plpgsql as $$
declare
  one record;
begin
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

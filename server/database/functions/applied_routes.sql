-- Records the routes of one shard that the reporting switch has read back up to a version, and returns their number.
-- The switch skips all but the newest version of a route. Exceptions are recorded when they end. The caller has locked
-- the shard's confirmation.
create or replace function record_applied_shard(of_shard integer, up_to bigint, excepted uuid[], at timestamptz)
returns integer language plpgsql as $$
#variable_conflict use_variable
declare
  this_switch uuid := current_switch_id();
  mark bigint;
  added integer;
begin
  select m.version into mark from applied_marks m where m.switch_id = this_switch and m.shard = of_shard;
  if mark >= up_to then
    return 0;
  end if;
  if mark is null then
    -- A new switch took over everything that was published before it, which was not its work.
    select f.version into mark from feed_items f
      where f.shard = of_shard and f.version <= up_to and f.created_at < (
        select greatest(s.created_at, e.began_at) from switches s cross join feed_epoch e where s.id = this_switch)
      order by f.version desc limit 1;
    mark := coalesce(mark, 0);
    insert into applied_marks (switch_id, shard, version) values (this_switch, of_shard, up_to);
  else
    update applied_marks m set version = up_to where m.switch_id = this_switch and m.shard = of_shard;
  end if;
  insert into applied_routes (holding_id, at, switch_id, version, generation, mode, published_at, organisation_id,
      environment)
    select distinct on (i.item_id) i.item_id, greatest(at, i.created_at), this_switch, i.version, i.generation,
      i.value ->> 'mode', i.created_at, i.organisation_id, i.environment
    from feed_items i
    where i.shard = of_shard and i.version > mark and i.version <= up_to and i.kind = 'route'
      and i.item_id <> all (excepted)
    order by i.item_id, i.version desc
    on conflict do nothing;
  get diagnostics added = row_count;
  return added;
end
$$;

-- Records the routes that the reporting switch has read back, shard by shard. Stops when there are `most`, and returns
-- whether it stopped.
create or replace function record_applied_routes(of_shards integer[], most integer, at timestamptz) returns boolean
language plpgsql as $$
#variable_conflict use_variable
declare
  this_switch uuid := current_switch_id();
  one record;
  excepted uuid[];
  total integer := 0;
begin
  for one in
    select w.shard, w.version from applied_watermarks w
    left join applied_marks m on m.switch_id = w.switch_id and m.shard = w.shard
    where w.switch_id = this_switch and w.shard = any (of_shards) and w.version > coalesce(m.version, 0)
    order by w.shard
  loop
    if total >= most then
      return true;
    end if;
    perform from feed_confirmations c where c.shard = one.shard for update;
    excepted := array(select x.item_id from applied_exceptions x where x.switch_id = this_switch
      and x.shard = one.shard);
    total := total + record_applied_shard(one.shard, one.version, excepted, at);
  end loop;
  return false;
end
$$;

-- Records routes whose exception has ended, unless the switch had read back the same version before.
create or replace function record_settled_routes(of_numbers uuid[], at timestamptz) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_variable
declare
  this_switch uuid := current_switch_id();
begin
  insert into applied_routes (holding_id, at, switch_id, version, generation, mode, published_at, organisation_id,
      environment)
    select i.item_id, greatest(at, i.created_at), this_switch, i.version, i.generation, i.value ->> 'mode',
      i.created_at, i.organisation_id, i.environment
    from (select distinct id from unnest(of_numbers) id) as one
    cross join lateral (
      select f.* from feed_items f
      join applied_watermarks w on w.switch_id = this_switch and w.shard = f.shard
      where f.item_id = one.id and f.kind = 'route' and f.version <= w.version order by f.version desc limit 1
    ) i
    where not exists (select from applied_exceptions x where x.switch_id = this_switch and x.item_id = i.item_id)
      and not exists (select from applied_routes a where a.holding_id = i.item_id and a.at >= i.created_at
        and a.switch_id = this_switch and a.version = i.version)
    on conflict do nothing;
end
$$;

-- Opens a row for each route that the reporting switch rejects, and ends those that it no longer rejects once its
-- watermark covers them. Returns the numbers of the ended rows.
create or replace function record_failed_routes(of_shards integer[], at timestamptz) returns uuid[]
language plpgsql set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_variable
declare
  this_switch uuid := current_switch_id();
  ended uuid[];
begin
  with closed as (
    update failed_routes f set ended_at = greatest(at, f.first_at)
      where f.switch_id = this_switch and f.ended_at is null and f.shard = any (of_shards)
        and not exists (select from applied_exceptions x where x.switch_id = this_switch
          and x.item_id = f.holding_id and x.state = 'failed' and x.version = f.version)
        and (exists (select from applied_exceptions x where x.switch_id = this_switch and x.item_id = f.holding_id
            and x.version > f.version)
          or exists (select from applied_watermarks w where w.switch_id = this_switch and w.shard = f.shard
            and w.version >= f.version))
      returning f.holding_id
  ) select array_agg(holding_id) into ended from closed;
  insert into failed_routes (id, switch_id, holding_id, shard, version, generation, error, first_at, organisation_id,
      environment)
    select gen_random_uuid(), this_switch, x.item_id, x.shard, x.version, i.generation, x.error,
      least(at, greatest(x.observed_at, i.created_at)), x.organisation_id, x.environment
    from applied_exceptions x
    cross join lateral (
      select f.generation, f.created_at from feed_items f where f.item_id = x.item_id and f.shard = x.shard
      order by f.version = x.version desc, f.version desc limit 1
    ) i
    where x.switch_id = this_switch and x.shard = any (of_shards) and x.state = 'failed' and x.kind = 'route'
    on conflict (switch_id, holding_id) where ended_at is null do update set error = excluded.error
      where failed_routes.error <> excluded.error;
  return ended;
end
$$;

-- When a switch first read back a generation of a number.
create or replace function first_reading(of_number uuid, of_generation bigint, since timestamptz, of_group uuid,
    of_switch text) returns table (at timestamptz) language sql stable
  begin atomic
    select x.at from applied_routes x join switches w on w.id = x.switch_id
      where x.holding_id = of_number and x.at >= since and x.generation = of_generation
        and w.name = of_switch and w.group_id = of_group
      order by x.at limit 1;
end;

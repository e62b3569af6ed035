-- The next version of a shard, and the item that takes it. Call it last: the shard is locked until the commit.
create or replace function publish_item(
  to_shard integer, item_kind text, of_item uuid, of_organisation uuid, of_environment text,
  with_generation bigint, with_value jsonb, at timestamptz
) returns bigint language plpgsql as $$
declare
  next_version bigint;
  next_token bigint := new_token();
begin
  update feed_shards set head = head + 1,
      token = next_token where id = to_shard returning head into strict next_version;
  insert into feed_items (shard, version, token, kind, item_id, organisation_id, environment, generation, value,
      created_at)
    values (to_shard, next_version, next_token, item_kind, of_item, of_organisation, of_environment, with_generation,
        with_value, at);
  return next_version;
end
$$;

-- Which of a group's shards a key falls into.
create or replace function shard_of(of_group uuid, key text) returns integer language sql stable
  return (
    select s.id from feed_shards s where s.group_id = of_group order by s.id
    offset (select (hashtextextended(key, 0) & 9223372036854775807) % greatest(count(*),
        1) from feed_shards c where c.group_id = of_group)
    limit 1);

-- shard_of for many keys: the shards of the group are looked up once.
create or replace function place_among(shards integer[], key text) returns integer language sql immutable
  return shards[1 + (hashtextextended(key, 0) & 9223372036854775807) % cardinality(shards)];

-- The token of a version; null if it is no longer known, because its item has a newer version that every switch
-- holds.
create or replace function feed_token(of_shard integer, at_version bigint) returns bigint language plpgsql stable as $$
declare
  found_token bigint;
begin
  if at_version = 0 then
    return 0;
  end if;
  select token into found_token from feed_items where shard = of_shard and version = at_version;
  if found_token is null then
    select case at_version when head then token when floor then floor_token end into found_token from feed_shards
        where id = of_shard;
  end if;
  return found_token;
end
$$;

-- A switch that is dead and not retired confirms nothing, so every version of every route used to stay. A number's
-- switches need two kinds of versions only: the newest, and the one that each switch holds. Removes the others, if
-- they were published before `published_before`: an agent that is catching up may still be at a younger one. Returns
-- how many it removed.
create or replace function prune_superseded(of_shard integer, published_before timestamptz,
    most integer) returns integer language plpgsql
  set plan_cache_mode = force_custom_plan
as $$
declare
  pruned integer;
begin
  with versions as (
    select version, created_at, lead(version) over (partition by item_id order by version) as next_version
    from feed_items where shard = of_shard
  ), superseded as (
    select v.version from versions v
    where v.next_version is not null and v.created_at < published_before and not exists (
      select from applied_watermarks w where w.shard = of_shard and w.version >= v.version
          and w.version < v.next_version)
    limit most
  )
  delete from feed_items i using superseded s where i.shard = of_shard and i.version = s.version;
  get diagnostics pruned = row_count;
  return pruned;
end
$$;

-- Returns the feed value of a connection.
create or replace function connection_value(of_connection uuid) returns jsonb language sql stable
  return (
    select jsonb_strip_nulls(jsonb_build_object('max_calls', c.max_calls, 'ring_seconds', c.ring_seconds, 'targets', (
      select jsonb_agg(jsonb_build_object('host', t.host, 'port', t.port, 'transport', t.transport,
        'priority', t.priority, 'weight', t.weight) order by t.position)
      from connection_targets t
      where t.organisation_id = c.organisation_id and t.environment = c.environment and t.connection_id = c.id),
      'sources', case when c.sources <> '{}' then to_jsonb(c.sources) end))
    from connections c
    where c.organisation_id = current_organisation_id() and c.environment = current_environment()
        and c.id = of_connection);

-- Publishes a connection to a group whose number is about to use it. The caller holds the shard locks.
create or replace function place_connection(of_connection uuid, in_group uuid,
    at timestamptz) returns void language plpgsql as $$
declare
  found_generation bigint;
  in_shard integer := shard_of(in_group, of_connection::text);
begin
  select generation into strict found_generation from connections
    where organisation_id = current_organisation_id() and environment = current_environment() and id = of_connection;
  insert into connection_placements (organisation_id, environment, connection_id, group_id, shard, version)
    values (current_organisation_id(), current_environment(), of_connection, in_group, in_shard,
      publish_item(in_shard, 'connection', of_connection, current_organisation_id(), current_environment(),
        found_generation, connection_value(of_connection), at))
    on conflict (connection_id, group_id) do update set version = excluded.version;
end
$$;

-- Publishes a changed connection to every group that has it, in ascending order of shards.
create or replace function publish_connection(of_connection uuid, at timestamptz) returns void language plpgsql as $$
declare
  one record;
begin
  for one in
    select p.group_id from connection_placements p
    where p.organisation_id = current_organisation_id() and p.environment = current_environment()
        and p.connection_id = of_connection
    order by p.shard
  loop
    perform place_connection(of_connection, one.group_id, at);
  end loop;
end
$$;

-- A connection is gone, and with it what the switches know of it.
create or replace function withdraw_connection(of_connection uuid, at timestamptz) returns void language plpgsql as $$
declare
  one record;
begin
  for one in
    select p.shard, c.generation from connection_placements p join connections c on c.id = p.connection_id
    where p.organisation_id = current_organisation_id() and p.environment = current_environment()
        and p.connection_id = of_connection
    order by p.shard
  loop
    perform publish_item(one.shard, 'connection', of_connection, current_organisation_id(), current_environment(),
      one.generation + 1, null, at);
  end loop;
end
$$;

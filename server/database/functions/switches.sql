create or replace function add_switch_group(new_id uuid, new_name text, of_environment text, as_default boolean,
    shard_count integer, at timestamptz)
returns void language plpgsql as $$
begin
  -- Shard numbers are dense over all groups; two groups made at once must not count from the same number.
  lock table feed_shards in share row exclusive mode;
  insert into switch_groups (id, name, environment, is_default, created_at) values (new_id, new_name, of_environment,
      as_default, at);
  insert into feed_shards (id, group_id)
    select (select coalesce(max(id), -1) from feed_shards) + n, new_id from generate_series(1, shard_count) n;
  insert into feed_confirmations (shard) select id from feed_shards where group_id = new_id;
end
$$;

create or replace function authenticate_switch(presented_mac bytea) returns table (id uuid, group_id uuid, name text)
language sql stable
  begin atomic
    select s.id, s.group_id, s.name from switches s where s.credential_mac = presented_mac and s.state <> 'retired';
end;

-- Detects retired switches, which authenticate_switch does not find.
create or replace function is_retired_switch(presented_mac bytea) returns boolean language sql stable
  return exists (select from switches s where s.credential_mac = presented_mac and s.state = 'retired');

create or replace function count_credentials() returns trigger language plpgsql as $$
begin
  if new.credential_mac is distinct from old.credential_mac and new.root_id = old.root_id
      and new.credential_version = old.credential_version then
    new.credential_version := old.credential_version + 1;
  end if;
  return new;
end
$$;

create or replace trigger switches_count_credentials before update of credential_mac on switches
  for each row execute function count_credentials();

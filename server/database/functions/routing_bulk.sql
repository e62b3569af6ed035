-- A bulk change sets many routings in one transaction, in two steps. The first decides and locks only rows of the
-- organisation. The second publishes: it locks the shards, which all organisations share, for one set-based statement
-- and the commit.

-- Decides the outcome of setting `wanted` on each routing. The rows stay locked, so the decision holds until the
-- transaction ends. Locks are taken in the order of every other writer: routings by ID, connections, the
-- organisation's event head.
create or replace function decide_routings(of_numbers uuid[], expected bigint[], wanted jsonb, is_forbidden boolean)
returns table (number_id uuid, outcome text, generation bigint) language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  forwards text[] := forwards_in(wanted);
  is_forward boolean := cardinality(forwards) > 0;
  has_steps boolean := steps_of(wanted) is not null;
  used uuid[] := connections_in(wanted);
  unknown uuid[];
begin
  perform from (select id from unnest(of_numbers) id order by id) one
    cross join lateral (
      select from routings where organisation_id = current_organisation_id() and environment = current_environment()
        and holding_id = one.id limit 1 for update) r;
  perform from connections where organisation_id = current_organisation_id() and environment = current_environment()
    and id = any (used) order by id for share;
  unknown := array(select c from unnest(used) c where not exists (
    select from connections where organisation_id = current_organisation_id() and environment = current_environment()
        and id = c));
  if is_forward then
    -- Changes of this organisation queue from this point, so that two forwards cannot close a loop together.
    perform from event_heads where organisation_id = current_organisation_id() for update;
  end if;

  -- No number that is set can be part of the chain behind the forward's target: that number would be a loop itself.
  -- So the decision about one number does not depend on the others.
  return query
    select one.id, case
      when r.routing is null then 'number_not_found'
      when (r.routing).generation <> one.generation then 'generation_mismatch'
      when h.status <> 'active' then 'number_not_active'
      when is_forbidden then 'destination_not_allowed'
      when cardinality(unknown) > 0 then 'connection_not_found'
      when routing_shape(r.routing) = wanted then
        case when is_published_in_vain(r.routing) then 'publish_again' else 'unchanged' end
      when has_steps and lacks_failover((r.routing).group_id) then 'switches_outdated'
      when is_forward and makes_forward_loop((r.routing).e164, forwards) then 'forward_loop'
      else 'set'
    end, (r.routing).generation
    from unnest(of_numbers, expected) as one(id, generation)
    left join lateral (
      select routings as routing from routings where organisation_id = current_organisation_id()
        and environment = current_environment() and holding_id = one.id limit 1) r on true
    left join lateral (
      select status from holdings where organisation_id = current_organisation_id()
        and environment = current_environment() and id = one.id limit 1) h on true;
end
$$;

-- Whether switches have confirmed the version of a routing and still do not have it.
create or replace function is_published_in_vain(r routings) returns boolean language plpgsql stable as $$
begin
  return r.version <= (select version from feed_confirmations where shard = r.shard)
    and (select status from routing_states where holding_id = r.holding_id) <> 'in_sync';
end
$$;

-- Sets what decide_routings decided, in the same transaction. Returns for how many milliseconds it waited for locks.
create or replace function set_routings(
  of_numbers uuid[], again uuid[], wanted jsonb, author jsonb, event_ids uuid[], audit_ids uuid[], at timestamptz
) returns double precision language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  own_id uuid := current_organisation_id();
  own_environment text := current_environment();
  many integer := cardinality(of_numbers);
  last_sequence bigint;
  unplaced record;
  part record;
  item record;
  base bigint;
  began timestamptz;
  waited interval := '0';
begin
  insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, reason, set_at,
      set_by_kind, set_by_id, set_by_name)
    select own_id, own_environment, one.id, r.generation + 1, wanted, author ->> 'reason', at,
      author ->> 'kind', (author ->> 'id')::uuid, author ->> 'name'
    from unnest(of_numbers) as one(id)
    cross join lateral (select generation from routings where holding_id = one.id limit 1) r;
  insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, actor_id,
      actor_name, detail, request_id, address, at)
    select one.audit_id, own_id, own_environment, 'routing.changed', 'done', one.id::text, author ->> 'kind',
        (author ->> 'id')::uuid,
      author ->> 'name', jsonb_build_object('mode', wanted ->> 'mode', 'generation', r.generation + 1),
      author ->> 'request_id', (author ->> 'address')::inet, at
    from unnest(of_numbers, audit_ids) as one(id, audit_id)
    cross join lateral (select generation from routings where holding_id = one.id limit 1) r;

  began := clock_timestamp();
  update event_heads set head = head + many where organisation_id = own_id returning head into strict last_sequence;
  waited := clock_timestamp() - began;
  insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
    select own_id, last_sequence - many + one.place, one.event_id, own_environment, 'routing.changed', one.id::text,
      jsonb_build_object('mode', wanted ->> 'mode', 'generation', r.generation + 1), at
    from unnest(of_numbers, event_ids) with ordinality as one(id, event_id, place)
    cross join lateral (select generation from routings where holding_id = one.id limit 1) r;

  began := clock_timestamp();
  perform lock_shards_of(of_numbers || again, wanted);
  waited := waited + (clock_timestamp() - began);
  if many > 0 then
    for unplaced in select * from unplaced_connections(of_numbers, wanted) loop
      perform place_connection(unplaced.connection_id, unplaced.group_id, at);
    end loop;
  end if;
  perform publish_route(id, at) from unnest(again) as one(id);

  -- By primary key, not by joins: the planner expects few rows of an organisation and would read all its routings.
  for part in
    select r.shard, array_agg(one.id order by one.place) as ids, array_agg(new_token()) as tokens
    from unnest(of_numbers) with ordinality as one(id, place)
    cross join lateral (select shard from routings where holding_id = one.id limit 1) r
    group by r.shard order by r.shard
  loop
    update feed_shards set head = head + cardinality(part.ids), token = part.tokens[cardinality(part.ids)]
      where id = part.shard returning head - cardinality(part.ids) into strict base;
    for item in
      insert into feed_items (shard, version, token, kind, item_id, organisation_id, environment, generation, value,
          created_at)
      select part.shard, base + one.place, one.token, 'route', one.id, own_id, own_environment, r.generation + 1,
        wanted || jsonb_build_object('e164', r.e164), at
      from unnest(part.ids, part.tokens) with ordinality as one(id, token, place)
      cross join lateral (select e164, generation from routings where holding_id = one.id limit 1) r
      returning item_id, version, generation
    loop
      update routings set mode = wanted ->> 'mode', sip_uri = wanted ->> 'sip_uri',
        connection_id = (wanted ->> 'connection_id')::uuid, forward_to = wanted ->> 'forward_to',
        webhook_url = wanted ->> 'webhook_url', fallback_mode = wanted -> 'fallback' ->> 'mode',
        fallback_sip_uri = wanted -> 'fallback' ->> 'sip_uri', steps = steps_of(wanted),
        fallback_connection_id = (wanted -> 'fallback' ->> 'connection_id')::uuid,
        last_connection_id = (wanted #>> '{fallback,fallback,connection_id}')::uuid,
        generation = item.generation, set_at = at, set_by_kind = author ->> 'kind', version = item.version,
        set_by_id = (author ->> 'id')::uuid, set_by_name = author ->> 'name', reason = author ->> 'reason'
        where holding_id = item.item_id;
    end loop;
  end loop;
  return extract(epoch from waited) * 1000;
end
$$;

-- Connections of `wanted` that switches of these numbers' groups do not have yet.
create or replace function unplaced_connections(of_numbers uuid[], wanted jsonb)
returns table (connection_id uuid, group_id uuid) language plpgsql stable as $$
#variable_conflict use_column
declare
  used uuid[] := connections_in(wanted);
begin
  if cardinality(used) = 0 then return; end if;
  return query
    select c.id, g.id
    from (select distinct r.group_id as id from unnest(of_numbers) as one(id)
      -- No index has the version, which rules out an index-only scan over all entries of the organisation.
      cross join lateral (select group_id from routings where holding_id = one.id and version >= 0 limit 1) r) g
    cross join (select distinct id from unnest(used) id) c
    where not exists (select from connection_placements p where p.connection_id = c.id and p.group_id = g.id);
end
$$;

-- In ascending order, as every writer of several shards does.
create or replace function lock_shards_of(of_numbers uuid[], wanted jsonb) returns void language plpgsql as $$
declare
  one_shard integer;
begin
  for one_shard in
    select r.shard from unnest(of_numbers) as one(id)
      cross join lateral (select shard from routings where holding_id = one.id limit 1) r
    union select shard_of(u.group_id, u.connection_id::text) from unplaced_connections(of_numbers, wanted) u
    order by 1
  loop
    perform from feed_shards where id = one_shard for no key update;
  end loop;
end
$$;

-- Returns the routing if columns alone cannot express it, otherwise null.
create or replace function steps_of(wanted jsonb) returns jsonb language sql immutable
  return case when wanted ? 'ring_seconds' or (wanted ? 'fallback' and wanted ->> 'mode' <> 'webhook')
    or wanted -> 'fallback' ?| '{on,ring_seconds,fallback}'
    or wanted #>> '{fallback,mode}' in ('forward', 'webhook') then wanted end;

-- The connections of a routing, in the order of its steps.
create or replace function connections_in(wanted jsonb) returns uuid[] language sql immutable
  return array_remove(array[(wanted ->> 'connection_id')::uuid, (wanted #>> '{fallback,connection_id}')::uuid,
    (wanted #>> '{fallback,fallback,connection_id}')::uuid], null);

-- The numbers to which a routing forwards calls, in any step.
create or replace function forwards_in(wanted jsonb) returns text[] language sql immutable
  return array_remove(array[wanted ->> 'forward_to', wanted #>> '{fallback,forward_to}',
    wanted #>> '{fallback,fallback,forward_to}'], null);

-- Whether a switch of the group cannot route calls with failover yet.
create or replace function lacks_failover(of_group uuid) returns boolean language sql stable
  return exists (select from switches s where s.group_id = of_group and s.state <> 'retired'
    and 'failover' <> all (s.features));

-- The shape of PUT routing, from the columns. In plpgsql, which costs a tenth of an SQL function that cannot be
-- inlined.
create or replace function routing_shape(r routings) returns jsonb language plpgsql immutable as $$
begin
  if r.steps is not null then
    return r.steps;
  end if;
  return case r.mode
    when 'sip_uri' then jsonb_build_object('mode', r.mode, 'sip_uri', r.sip_uri)
    when 'connection' then jsonb_build_object('mode', r.mode, 'connection_id', r.connection_id)
    when 'forward' then jsonb_build_object('mode', r.mode, 'forward_to', r.forward_to)
    when 'webhook' then jsonb_build_object('mode', r.mode, 'webhook_url', r.webhook_url, 'fallback',
        jsonb_strip_nulls(jsonb_build_object(
      'mode', r.fallback_mode, 'sip_uri', r.fallback_sip_uri, 'connection_id', r.fallback_connection_id)))
    else jsonb_build_object('mode', r.mode)
  end;
end
$$;

-- Keeps what a search by destination reads.
create or replace function keep_routing_destination() returns trigger language plpgsql as $$
declare
  found text := lower(case when new.steps is null
    then concat_ws(' ', new.sip_uri, new.forward_to, new.webhook_url, new.fallback_sip_uri)
    else (select string_agg(concat_ws(' ', step ->> 'sip_uri', step ->> 'forward_to', step ->> 'webhook_url'), ' ')
      from unnest(array[new.steps, new.steps -> 'fallback', new.steps #> '{fallback,fallback}']) step) end);
begin
  if found <> '' then
    insert into routing_destinations (holding_id, organisation_id, environment, destination)
      values (new.holding_id, new.organisation_id, new.environment, found)
      on conflict (holding_id) do update set destination = excluded.destination;
  else
    delete from routing_destinations where organisation_id = new.organisation_id and environment = new.environment
      and holding_id = new.holding_id;
  end if;
  return null;
end
$$;

create or replace trigger routings_keep_new_destination after insert on routings
  for each row when (new.mode in ('sip_uri', 'forward', 'webhook') or new.steps is not null)
  execute function keep_routing_destination();

create or replace trigger routings_keep_destination
  after update of sip_uri, forward_to, webhook_url, fallback_sip_uri, steps
  on routings for each row when (
    (old.sip_uri, old.forward_to, old.webhook_url, old.fallback_sip_uri, old.steps)
      is distinct from (new.sip_uri, new.forward_to, new.webhook_url, new.fallback_sip_uri, new.steps))
  execute function keep_routing_destination();

-- A call to a quarantined number belongs to the operator alone. The route itself marks such calls, and names the
-- holding of all others, so that no clock decides.
create or replace function effective_route(r routings, status text) returns jsonb language plpgsql immutable as $$
begin
  return case status
    when 'active' then routing_shape(r)
    when 'quarantined' then '{"mode": "unrouted", "is_resting": true}'
    else '{"mode": "unrouted"}'
  end || jsonb_build_object('e164', r.e164);
end
$$;

-- Publishes a number's effective route to the switches. It takes the shard lock, so call it last.
create or replace function publish_route(of_number uuid, at timestamptz) returns bigint language plpgsql as $$
declare
  told bigint;
  r routings;
  found_status text;
begin
  select * into strict r from routings where holding_id = of_number;
  select status into strict found_status from holdings
    where organisation_id = r.organisation_id and environment = r.environment and id = of_number;
  told := publish_item(r.shard, 'route', of_number, r.organisation_id, r.environment, r.generation,
    case when found_status <> 'released' then effective_route(r, found_status) end, at);
  update routings set version = told where holding_id = of_number;
  return told;
end
$$;

-- Creates an unrouted routing for a new holding and publishes it.
create or replace function begin_routing(of_number uuid, author jsonb,
    at timestamptz) returns void language plpgsql as $$
begin
  insert into routings (holding_id, organisation_id, environment, e164, mode, set_at, set_by_kind, set_by_id,
      set_by_name, group_id, shard, version)
    select h.id, h.organisation_id, h.environment, h.e164, 'unrouted', at, author ->> 'kind', (author ->> 'id')::uuid,
        author ->> 'name',
      n.group_id, n.shard, 0
    from holdings h join numbers n on n.id = h.number_id where h.id = of_number;
  insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, set_at, set_by_kind,
      set_by_id, set_by_name)
    select organisation_id, environment, holding_id, generation, routing_shape(r), set_at, set_by_kind, set_by_id,
        set_by_name
    from routings r where holding_id = of_number;
  perform publish_route(of_number, at);
end
$$;

-- Whether forwarding a number to one of these would create a loop within the organisation. A step that needs a failure
-- counts like any other. Quarantined numbers that can be restored count too, because they return with their routing.
-- Their deadline is ignored: a restore may already be in progress.
create or replace function makes_forward_loop(of_e164 text, to_e164s text[]) returns boolean language sql stable
  return exists (
    with recursive hops as (
      select e164, 1 as hop from unnest(to_e164s) e164
      union
      select f.e164, hops.hop + 1
      from hops cross join lateral (
        -- Two queries, each with its own index.
        select h.id from holdings h where h.organisation_id = current_organisation_id()
            and h.environment = current_environment()
          and h.is_held and h.e164 = hops.e164
        union all
        select h.id from holdings h where h.organisation_id = current_organisation_id()
            and h.environment = current_environment()
          and h.status = 'quarantined' and h.e164 = hops.e164 and h.restore_until is not null
      ) h
      join routings r on r.holding_id = h.id
      cross join lateral unnest(case when r.steps is null then array[r.forward_to] else forwards_in(r.steps) end)
        as f(e164)
      where f.e164 is not null and hops.hop < 20 and hops.e164 <> of_e164
    )
    select from hops where hops.e164 = of_e164 or hop >= 20);
drop function if exists makes_forward_loop(text, text);

-- The row with another destination.
create or replace function with_destination(r routings, wanted jsonb) returns routings language plpgsql immutable as $$
begin
  r.mode := wanted ->> 'mode';
  r.sip_uri := wanted ->> 'sip_uri';
  r.connection_id := wanted ->> 'connection_id';
  r.forward_to := wanted ->> 'forward_to';
  r.webhook_url := wanted ->> 'webhook_url';
  r.fallback_mode := wanted -> 'fallback' ->> 'mode';
  r.fallback_sip_uri := wanted -> 'fallback' ->> 'sip_uri';
  r.fallback_connection_id := wanted -> 'fallback' ->> 'connection_id';
  r.last_connection_id := wanted #>> '{fallback,fallback,connection_id}';
  r.steps := steps_of(wanted);
  return r;
end
$$;

-- Sets the desired routing: the row, its revision, audit entry and event, and last the published version. Only the
-- outcomes set and unchanged write. Unchanged publishes again if switches have not applied the route. The caller
-- decides whether the destination is allowed. This function only places the decision in the order of checks.
create or replace function set_routing(
  of_number uuid, wanted jsonb, is_forbidden boolean, expected bigint[], author jsonb, event_id uuid, audit_id uuid,
      at timestamptz
) returns table (outcome text, generation bigint) language plpgsql as $$
#variable_conflict use_column
declare
  r routings;
  found_status text;
  used uuid[] := connections_in(wanted);
  one_used uuid;
  unplaced uuid[] := '{}';
  forwards text[] := forwards_in(wanted);
  next_sequence bigint;
  detail jsonb;
begin
  select * into r from routings
    where organisation_id = current_organisation_id() and environment = current_environment()
        and holding_id = of_number for update;
  if not found then
    return query select 'number_not_found', null::bigint;
    return;
  end if;
  if r.generation <> all (expected) then
    return query select 'generation_mismatch', r.generation;
    return;
  end if;
  select status into strict found_status from holdings
    where organisation_id = r.organisation_id and environment = r.environment and id = of_number;
  if found_status <> 'active' then
    return query select 'number_not_active', r.generation;
    return;
  end if;
  if is_forbidden then
    return query select 'destination_not_allowed', r.generation;
    return;
  end if;

  foreach one_used in array used loop
    perform from connection_placements where connection_id = one_used and group_id = r.group_id;
    if not found then
      -- Held against a change at the same moment, which would not find the placement that is about to be created.
      perform from connections where organisation_id = r.organisation_id and environment = r.environment
          and id = one_used for share;
      if not found then
        return query select 'connection_not_found', r.generation;
        return;
      end if;
      unplaced := unplaced || one_used;
    end if;
  end loop;

  if routing_shape(r) = wanted then
    if r.version <= (select version from feed_confirmations where shard = r.shard)
      and (select status from routing_states where holding_id = of_number) <> 'in_sync' then
      perform publish_route(of_number, at);
    end if;
    return query select 'unchanged', r.generation;
    return;
  end if;

  if steps_of(wanted) is not null and lacks_failover(r.group_id) then
    return query select 'switches_outdated', r.generation;
    return;
  end if;

  if cardinality(forwards) > 0 then
    -- Serialises changes of this organisation, so that two concurrent forwards cannot create a loop.
    perform from event_heads where organisation_id = r.organisation_id for update;
    if makes_forward_loop(r.e164, forwards) then
      return query select 'forward_loop', r.generation;
      return;
    end if;
  end if;

  if cardinality(used) > cardinality(unplaced) then
    -- A connection goes behind the same counter: what is still there now stays.
    perform from event_heads where organisation_id = r.organisation_id for update;
    if exists (select from unnest(used) c(id) where not exists (select from connections k
        where k.organisation_id = r.organisation_id and k.environment = r.environment and k.id = c.id)) then
      return query select 'connection_not_found', r.generation;
      return;
    end if;
  end if;

  update event_heads set head = head + 1 where organisation_id = r.organisation_id
      returning head into strict next_sequence;
  r.generation := r.generation + 1;
  detail := jsonb_build_object('mode', wanted ->> 'mode', 'generation', r.generation);
  insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, reason, set_at,
      set_by_kind, set_by_id, set_by_name)
    values (r.organisation_id, r.environment, of_number, r.generation, wanted, author ->> 'reason', at,
      author ->> 'kind', (author ->> 'id')::uuid, author ->> 'name');
  insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, actor_id,
      actor_name, detail, request_id, address, at)
    values (audit_id, r.organisation_id, r.environment, 'routing.changed', 'done', of_number::text, author ->> 'kind',
        (author ->> 'id')::uuid,
      author ->> 'name', detail, author ->> 'request_id', (author ->> 'address')::inet, at);
  insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
    values (r.organisation_id, next_sequence, event_id, r.environment, 'routing.changed', of_number::text, detail, at);
  r := with_destination(r, wanted);

  if cardinality(unplaced) > 0 then
    perform from feed_shards where id = r.shard or id in (select shard_of(r.group_id,
        c::text) from unnest(unplaced) c) order by id for no key update;
    perform place_connection(c, r.group_id, at) from (select distinct c from unnest(unplaced) c) as once;
  end if;
  r.version := publish_item(r.shard, 'route', of_number, r.organisation_id, r.environment, r.generation,
      effective_route(r, 'active'), at);
  update routings set mode = r.mode, sip_uri = r.sip_uri, connection_id = r.connection_id, forward_to = r.forward_to,
      webhook_url = r.webhook_url,
    fallback_mode = r.fallback_mode, fallback_sip_uri = r.fallback_sip_uri,
        fallback_connection_id = r.fallback_connection_id,
    steps = r.steps, last_connection_id = r.last_connection_id,
    generation = r.generation, set_at = at, set_by_kind = author ->> 'kind', set_by_id = (author ->> 'id')::uuid,
        set_by_name = author ->> 'name',
    reason = author ->> 'reason', version = r.version
    where holding_id = of_number;
  return query select 'set', r.generation;
end
$$;

-- Sets a route once per idempotency key, in one round trip. The caller decides the HTTP response: `stored` is the
-- status, media type and ETag that a replay returns, with {generation} in place of the new generation.
create or replace function set_routing_once(
  key text, fingerprint bytea, expires_at timestamptz, stored jsonb,
  of_number uuid, wanted jsonb, is_forbidden boolean, expected bigint[], author jsonb, event_id uuid, audit_id uuid,
  at timestamptz
) returns table (outcome text, generation bigint, earlier_fingerprint bytea, status smallint, content_type text,
  body text, location text, etag text)
language plpgsql as $$
#variable_conflict use_column
declare
  earlier record;
  done record;
begin
  -- A missing number is reported before anything about the key.
  perform from routings where organisation_id = current_organisation_id() and environment = current_environment()
    and holding_id = of_number;
  if not found then
    outcome := 'number_not_found';
    return next;
    return;
  end if;
  select * into earlier from claim_idempotency_key(set_routing_once.key, at);
  if found then
    return query select case when earlier.is_running then 'running' else 'earlier' end, null::bigint,
      earlier.fingerprint, earlier.status, earlier.content_type, earlier.body, earlier.location, earlier.etag;
    return;
  end if;
  select * into strict done from set_routing(of_number, wanted, is_forbidden, expected, author, event_id, audit_id, at);
  outcome := done.outcome;
  generation := done.generation;
  if outcome in ('set', 'unchanged') then
    status := stored -> 'status';
    content_type := stored ->> 'content_type';
    etag := replace(stored ->> 'etag', '{generation}', generation::text);
    body := routing_record(of_number);
    delete from idempotency_keys k where k.organisation_id = current_organisation_id()
      and k.environment = current_environment() and k.key = set_routing_once.key;
    insert into idempotency_keys (organisation_id, environment, key, fingerprint, status, content_type, body, etag,
        created_at, expires_at)
      values (current_organisation_id(), current_environment(), set_routing_once.key, set_routing_once.fingerprint,
        status, content_type, body, etag, at, set_routing_once.expires_at);
  end if;
  return next;
end
$$;

-- For servers of the previous release.
create or replace function set_routing_once(
  key text, fingerprint bytea, expires_at timestamptz,
  of_number uuid, wanted jsonb, is_forbidden boolean, expected bigint[], author jsonb, event_id uuid, audit_id uuid,
  at timestamptz
) returns table (outcome text, generation bigint, earlier_fingerprint bytea, status smallint, content_type text,
  body text, location text, etag text)
language sql as $$
  select * from set_routing_once(key, fingerprint, expires_at,
    '{"status": 200, "content_type": "application/json; charset=utf-8", "etag": "\"{generation}\""}'::jsonb,
    of_number, wanted, is_forbidden, expected, author, event_id, audit_id, at)
$$;

-- begin_routing for many: the shards are locked once, in ascending order, and their versions stay without gaps.
create or replace function begin_routings(of_numbers uuid[], author jsonb, at timestamptz) returns void language plpgsql
  set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
begin
  -- Not "for update": it would conflict with transactions that have just added a number to the shard, and deadlock.
  perform from feed_shards where id in (
    select n.shard from unnest(of_numbers) as one(id)
    cross join lateral (select number_id from holdings where id = one.id limit 1) h
    cross join lateral (select shard from numbers where id = h.number_id limit 1) n
  ) order by id for no key update;
  insert into routings (holding_id, organisation_id, environment, e164, mode, set_at, set_by_kind, set_by_id,
      set_by_name, group_id, shard, version)
    select h.id, h.organisation_id, h.environment, h.e164, 'unrouted', at, author ->> 'kind', (author ->> 'id')::uuid,
        author ->> 'name',
      n.group_id, n.shard, s.head + row_number() over (partition by n.shard order by h.id)
    from unnest(of_numbers) as one(id)
    cross join lateral (select * from holdings where id = one.id limit 1) h
    cross join lateral (select * from numbers where id = h.number_id limit 1) n
    cross join lateral (select head from feed_shards where id = n.shard limit 1) s;
  insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, set_at, set_by_kind,
      set_by_id, set_by_name)
    select organisation_id, environment, holding_id, generation, routing_shape(r), set_at, set_by_kind, set_by_id,
        set_by_name
    from routings r where r.holding_id = any (of_numbers);
  insert into feed_items (shard, version, kind, item_id, organisation_id, environment, generation, value, created_at)
    select shard, version, 'route', holding_id, organisation_id, environment, generation, effective_route(r, 'active'),
        at
    from routings r where r.holding_id = any (of_numbers);
  update feed_shards s set head = t.head, token = f.token
    from (select r.shard,
        max(r.version) as head from routings r where r.holding_id = any (of_numbers) group by r.shard) t
    cross join lateral (select token from feed_items where shard = t.shard and version = t.head limit 1) f
    where s.id = t.shard;
end
$$;

-- A number that is gone desires nothing any longer, so that nothing it pointed at is kept for it; its revisions stay.
create or replace function end_routing(of_number uuid, author jsonb, at timestamptz) returns void language plpgsql as $$
declare
  r routings;
begin
  select * into strict r from routings where holding_id = of_number for update;
  if r.mode <> 'unrouted' then
    update routings set mode = 'unrouted', sip_uri = null, connection_id = null, forward_to = null, webhook_url = null,
        fallback_mode = null,
      fallback_sip_uri = null, fallback_connection_id = null, steps = null, last_connection_id = null,
      generation = r.generation + 1, set_at = at,
          set_by_kind = author ->> 'kind',
      set_by_id = null, set_by_name = author ->> 'name', reason = null
      where holding_id = of_number;
    insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, set_at, set_by_kind,
        set_by_name)
      values (r.organisation_id, r.environment, of_number, r.generation + 1, '{"mode": "unrouted"}', at,
          author ->> 'kind', author ->> 'name');
  end if;
end
$$;

-- shard_of for many keys: the shards of the group are looked up once.
create function place_among(shards integer[], key text) returns integer language sql immutable
  return shards[1 + (hashtextextended(key, 0) & 9223372036854775807) % cardinality(shards)];

-- Adds many numbers to an organisation at once: stock where it is missing, holdings, and for each a routing that
-- begins unrouted, an event and an audit entry. Rows that cannot be added are told apart, and change nothing.
-- Rows are looked up one by one (lateral, limit 1): the planner keeps plans from a time of small tables, and joins would read them whole.
-- Each row brings its ids: {"e164", "country", "type", "label", "tags", "number_id", "id", "event_id", "audit_id"}.
create function add_holdings(
  of_organisation uuid, of_environment text, of_group text, of_source text, of_order uuid, of_carrier text, author jsonb, wanted jsonb, at timestamptz
) returns table (holding_id uuid, number text, outcome text) language plpgsql
  set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  found_group uuid;
  shards integer[];
  added uuid[];
  last_sequence bigint;
begin
  select g.id into strict found_group from switch_groups g
    where g.environment = of_environment and case when of_group is null then g.is_default else g.name = of_group end;
  shards := array(select s.id from feed_shards s where s.group_id = found_group order by s.id);

  -- In the order of the numbers, so that two who add the same ones never wait for each other.
  insert into numbers (id, environment, e164, country, type, group_id, shard, is_stock, is_free, created_at)
    select w.number_id, of_environment, w.e164, w.country, w.type, found_group, place_among(shards, w.e164),
      of_environment = 'test' or coalesce(of_carrier, 'pool') = 'pool', of_environment = 'test', at
    from jsonb_to_recordset(wanted) w(number_id uuid, e164 text, country text, type text)
    order by w.e164
    on conflict do nothing;
  with inserted as (
    insert into holdings (id, organisation_id, environment, number_id, e164, country, type, capabilities, status, label, tags,
        source, order_id, carrier, acquired_at, created_at, updated_at)
      select w.id, of_organisation, of_environment, n.id, n.e164, n.country, n.type, n.capabilities, 'active', w.label,
        coalesce(w.tags, '{}'), of_source, of_order, of_carrier, at, at, at
      from jsonb_to_recordset(wanted) w(id uuid, e164 text, label text, tags text[])
      cross join lateral (select * from numbers where environment = of_environment and e164 = w.e164 limit 1) n
      order by w.e164
      on conflict do nothing
      returning id
  ) select array_agg(id) into added from inserted;

  if added is not null then
    insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, actor_id, actor_name, detail, request_id, address, at)
      select w.audit_id, of_organisation, of_environment, 'number.added', 'done', w.id::text, author ->> 'kind', (author ->> 'id')::uuid,
        author ->> 'name', jsonb_build_object('e164', w.e164, 'source', of_source), author ->> 'request_id', (author ->> 'address')::inet, at
      from jsonb_to_recordset(wanted) w(id uuid, audit_id uuid, e164 text)
      cross join lateral (select from holdings h where h.id = w.id limit 1) h;
    update event_heads set head = head + cardinality(added) where organisation_id = of_organisation returning head into strict last_sequence;
    insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
      select of_organisation, last_sequence - cardinality(added) + row_number() over (order by w.id), w.event_id, of_environment,
        'number.added', w.id::text, jsonb_build_object('e164', w.e164, 'source', of_source), at
      from jsonb_to_recordset(wanted) w(id uuid, event_id uuid, e164 text)
      cross join lateral (select from holdings h where h.id = w.id limit 1) h;
    perform begin_routings(added, author, at);
  end if;

  return query
    select w.id, w.e164, 'added' from jsonb_to_recordset(wanted) w(id uuid, e164 text) where w.id = any (added)
    union all
    select h.id, w.e164, case when h.id is not null then 'already_held' else 'not_available' end
    from jsonb_to_recordset(wanted) w(id uuid, e164 text)
    left join lateral (
      select id from holdings
      where organisation_id = of_organisation and environment = of_environment and is_held and e164 = w.e164 collate "C" limit 1
    ) h on true
    where w.id = any (added) is not true;
end
$$;

-- begin_routing for many: the shards are locked once, in ascending order, and their versions stay without gaps.
create function begin_routings(of_numbers uuid[], author jsonb, at timestamptz) returns void language plpgsql
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
  update feed_shards s set head = s.head + t.added
    from (select r.shard, count(*) as added from routings r where r.holding_id = any (of_numbers) group by r.shard) t
    where s.id = t.shard;
end
$$;

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- What a search looks through: the digits, and the label whatever its case.
create function searched_text(e164 text, label text) returns text language sql immutable parallel safe
  return (e164 collate "default") || ' ' || lower(coalesce(label, '') collate "default");

-- Organisation and side in one, for the index of the search only: so no other index is ever taken for it.
create function side_key(organisation_id uuid, environment text) returns text language sql immutable parallel safe
  return organisation_id::text || environment;

-- The tables are made in the same run of migrations, and empty.
-- squawk-ignore require-concurrent-index-creation
create index holdings_by_search on holdings using gin (side_key(organisation_id, environment), searched_text(e164, label) gin_trgm_ops);
-- squawk-ignore require-concurrent-index-creation
create index holdings_by_label on holdings (organisation_id, environment, (lower(label) collate "C")) where label is not null;
-- What an organisation has told its switches and they have not yet read back.
-- squawk-ignore require-concurrent-index-creation
create index feed_items_by_owner on feed_items (organisation_id, environment, shard, version);

-- Row-level security keeps "like" off every index, for an operator that could leak must wait until the policy has spoken.
-- So one function looks for an organisation as a role whose policy lets every row pass; the function itself asks for
-- the organisation and side, and gives out nothing but ids, which the caller then reads through its own policies.
do $$
begin
  if not exists (select from pg_roles where rolname = 'dialplane_search') then
    create role dialplane_search nologin nosuperuser nocreatedb nocreaterole noinherit nobypassrls;
  end if;
end
$$;
grant usage on schema public to dialplane_search;
grant select on holdings, holding_tags, routings, feed_items, feed_shards, feed_confirmations, feed_epoch, applied_exceptions,
  connection_placements, routing_states, switch_group_states to dialplane_search;
grant select (id, group_id, name, state, unreachable_after_seconds, synced_epoch, last_seen_at, created_at) on switches to dialplane_search;
grant select (id, environment) on switch_groups to dialplane_search;
create policy search on holdings for select to dialplane_search using (true);
create policy search on holding_tags for select to dialplane_search
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy search on routings for select to dialplane_search
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy search on feed_items for select to dialplane_search
  using (organisation_id is not distinct from (select current_organisation_id())
    and environment is not distinct from (select current_environment()));
create policy search on applied_exceptions for select to dialplane_search
  using (organisation_id is not distinct from (select current_organisation_id())
    and environment is not distinct from (select current_environment()));
create policy search on connection_placements for select to dialplane_search
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy search on feed_shards for select to dialplane_search using (true);
create policy search on feed_confirmations for select to dialplane_search using (true);
create policy search on feed_epoch for select to dialplane_search using (true);
create policy search on switch_groups for select to dialplane_search using (true);
create policy search on switches for select to dialplane_search using (true);

-- A search puts its statements together as text, and the following are pieces of it. A "way" is a query of (id, e164)
-- that an index answers in the order of the list, or one of at most 2,000 rows, which are sorted.

-- That a row belongs to whom the door was opened for; to nobody where it was opened for none.
create function own_rows(alias text) returns text language sql stable
  return format('%1$s.organisation_id = %2$L and %1$s.environment = %3$L', alias, current_organisation_id(), current_environment());

-- terms: {"digits"} a number begins with, {"label"} a label begins with, or {"texts"}, one of which is found anywhere.
create function matching_terms(alias text, terms jsonb) returns text language sql stable
  return case
    when terms ? 'digits' then format('%1$s.e164 >= %2$L collate "C" and %1$s.e164 < %2$L || '':'' collate "C"', alias, terms ->> 'digits')
    when terms ? 'label' then format('lower(%1$s.label) collate "C" >= lower(%2$L) and lower(%1$s.label) collate "C" < lower(%2$L) || chr(1114111)',
      alias, terms ->> 'label')
    else (select '(' || string_agg(format('strpos(searched_text(%1$s.e164, %1$s.label), lower(%2$L)) > 0', alias, one), ' or ') || ')'
      from jsonb_array_elements_text(terms -> 'texts') one)
  end;

-- That all three-letter pieces of the texts are there: the index answers that exactly, so that no more rows are
-- visited than it finds. Null, and with it the condition it stands in, where a text has no such piece.
create function holding_pieces(texts jsonb) returns text language sql stable
  return (
    select case when bool_and(p.all_there is not null) then string_agg('(' || p.all_there || ')', ' or ') end
    from jsonb_array_elements_text(texts) one
    cross join lateral (
      select string_agg(distinct format('searched_text(t.e164, t.label) like %L', '%' || x.piece || '%'), ' and ') as all_there
      from (select substr(lower(one), n, 3) as piece from generate_series(1, length(one) - 2) n) x
      where x.piece ~ '^[[:alnum:]]{3}$'
    ) p);

-- What of the filters has to hold for a holding h; quote_literal of nothing is null, which concat_ws leaves out.
create function matching_filters(filters jsonb) returns text language sql stable
  return concat_ws(' and ',
    coalesce('h.status = ' || quote_literal(filters ->> 'status'), 'h.is_held'),
    'h.country = ' || quote_literal(filters ->> 'country'),
    'h.type = ' || quote_literal(filters ->> 'type'),
    quote_literal(filters ->> 'tag') || ' = any (h.tags)',
    '(select r.mode from routings r where r.holding_id = h.id) = ' || quote_literal(filters ->> 'mode'),
    '(select s.status from routing_states s where s.holding_id = h.id) = ' || quote_literal(filters ->> 'sync'));

-- Numbers that may be in a state because something is noted of them or of a connection they use: failed, drifted or
-- still at it, or behind the confirmed versions of these shards. Null where that is
-- more than 2,000. A switch's older note of a route set since then needs no look: the route stands behind as well.
create function noted_holdings(of_state text, of_shards integer[]) returns uuid[] language sql stable
  set enable_seqscan = off
  begin atomic
    with noted as materialized (
      (select e.item_id, e.kind from applied_exceptions e
        where e.organisation_id = current_organisation_id() and e.environment = current_environment() and e.state = of_state limit 2001)
      union all
      (select f.item_id, f.kind from feed_confirmations c
        cross join lateral (
          select f.item_id, f.kind from feed_items f
          where f.organisation_id = current_organisation_id() and f.environment = current_environment()
            and f.shard = c.shard and f.version > c.version limit 2001
        ) f
        where c.shard = any (of_shards) limit 2001)
    ), found as materialized (
      (select n.item_id as id from noted n where n.kind = 'route'
      union all
      select r.id from noted n cross join lateral (
        (select holding_id as id from routings where organisation_id = current_organisation_id() and environment = current_environment()
          and connection_id = n.item_id limit 2001)
        union all
        (select holding_id from routings where organisation_id = current_organisation_id() and environment = current_environment()
          and fallback_connection_id = n.item_id limit 2001)
      ) r where n.kind = 'connection') limit 2001
    )
    select case when (select count(*) from noted) <= 2000 and count(*) <= 2000 then coalesce(array_agg(distinct id), '{}') end from found;
  end;

-- The groups of switches that have numbers of the organisation, and what its numbers there are while nothing is noted
-- of them. From one group to the next by the index that is in their order: each takes one row, not all.
create function own_group_states() returns table (group_id uuid, state text) language sql stable
  begin atomic
    with recursive own_groups as (
      (select r.group_id from routings r
        where r.organisation_id = current_organisation_id() and r.environment = current_environment() order by r.group_id limit 1)
      union all
      select next.group_id from own_groups g cross join lateral (
        select r.group_id from routings r
        where r.organisation_id = current_organisation_id() and r.environment = current_environment() and r.group_id > g.group_id
        order by r.group_id limit 1) next
    )
    select g.group_id, case when s.is_unreachable then 'unknown' when s.is_joining is distinct from false then 'pending' else 'in_sync' end
    from own_groups g left join switch_group_states s on s.group_id = g.group_id;
  end;

-- The way to numbers in a state: whole groups of switches, and beside them the numbers of which something is noted,
-- each walked as far as is wanted and put together. Null where there can be none.
create function way_by_state(of_state text, walk text, most integer) returns text language plpgsql stable as $$
declare
  whole uuid[];
  others uuid[];
  noted uuid[] := '{}';
begin
  -- Of an unreachable group nothing is pending.
  select array_agg(g.group_id) filter (where g.state = of_state),
    array_agg(g.group_id) filter (where g.state <> of_state and (of_state <> 'pending' or g.state = 'in_sync'))
    into whole, others from own_group_states() g;
  if of_state in ('failed', 'drifted', 'pending') and others is not null then
    noted := noted_holdings(of_state, array(select s.id from feed_shards s where of_state = 'pending' and s.group_id = any (others)));
    if noted is null then
      whole := whole || others;
    else
      noted := array(
        select r.holding_id from unnest(noted) one(id) cross join lateral (
          select holding_id from routings where holding_id = one.id and group_id = any (others) limit 1) r);
    end if;
  end if;
  return (
    select case when count(*) = 1 then max(one) else string_agg('(' || format(walk, one, most) || ')', ' union all ') end from (
      select format('select t.holding_id as id, t.e164 from routings t where %s and t.group_id = %L', own_rows('t'), one) as one
        from unnest(whole) one
      union all
      select way_by_ids(noted) where cardinality(noted) > 0) ways);
end
$$;

create function way_by_ids(ids uuid[]) returns text language sql stable
  return format('select t.id, t.e164 from unnest(%L::uuid[]) one(id) cross join lateral (
    select t.id, t.e164 from holdings t where %s and t.id = one.id limit 1) t', ids, own_rows('t'));

create function asks_for_held(filters jsonb) returns boolean language sql immutable
  return coalesce(filters ->> 'status', 'active') in ('active', 'suspended', 'releasing');

-- The ways each of the filters offers, those that tend to be the rarest first; none where nothing can be found.
create function ways_by_filters(filters jsonb, walk text, most integer) returns text[] language plpgsql stable as $$
declare
  side text := own_rows('t');
  is_held boolean := asks_for_held(filters);
  held text := 'select t.id, t.e164 from holdings t where ' || side || ' and t.is_held';
  by_state text;
  ways text[];
begin
  if filters ? 'sync' then
    by_state := way_by_state(filters ->> 'sync', walk, most);
    if by_state is null then
      return '{}';
    end if;
  end if;
  ways := array_remove(array[
    by_state,
    'select t.holding_id as id, t.e164 from holding_tags t where ' || side || ' and t.tag = ' || quote_literal(filters ->> 'tag'),
    'select t.holding_id as id, t.e164 from routings t where ' || side || ' and t.mode = ' || quote_literal(filters ->> 'mode'),
    case when is_held then held || ' and t.country = ' || quote_literal(filters ->> 'country') end,
    case when is_held then held || ' and t.type = ' || quote_literal(filters ->> 'type') end,
    'select t.id, t.e164 from holdings t where ' || side || ' and t.status = ' || quote_literal(filters ->> 'status')], null);
  return case when cardinality(ways) > 0 then ways else array[held] end;
end
$$;

-- Whether so many rows match that already finding them in the index would take long: guessed from fifty pages of the table.
create function are_common_terms(terms jsonb) returns boolean language plpgsql stable as $$
declare
  share double precision := 50.0 / greatest(pg_relation_size('holdings') / current_setting('block_size')::integer, 50);
  hits integer;
begin
  execute format('select count(*) from holdings t tablesample system (%s) repeatable (0) where %s and %s',
    100 * share, own_rows('t'), matching_terms('t', terms)) into hits;
  return hits >= 10 and hits / share > 20000;
end
$$;

-- Up to 2,001 holdings that have all pieces; none where a guess says that they are very many.
-- Only bitmaps: a walk in some order would stop early where it guesses right, and read all where it does not.
create function ids_by_pieces(terms jsonb) returns uuid[] language plpgsql stable
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
as $$
declare
  pieces text := holding_pieces(terms -> 'texts');
  found uuid[];
begin
  if pieces is not null and not are_common_terms(terms) then
    execute format('select array(select t.id from holdings t where side_key(t.organisation_id, t.environment) = %L and (',
      side_key(current_organisation_id(), current_environment())) || pieces || ') limit 2001)' into found;
  end if;
  return found;
end
$$;

-- The way to what matches the terms, where that is little and an index knows it; otherwise null.
create function way_by_terms(terms jsonb, filters jsonb) returns text language plpgsql stable as $$
declare
  ordered text := case when terms ? 'label' then 'lower(t.label) collate "C"' when terms ? 'digits' and asks_for_held(filters) then 't.e164' end;
  found uuid[];
begin
  if terms ? 'texts' then
    found := ids_by_pieces(terms);
  elsif ordered is not null then
    execute 'select array(select t.id from holdings t where ' || concat_ws(' and ', own_rows('t'), matching_terms('t', terms),
      case when terms ? 'digits' then 't.is_held' end) || ' order by ' || ordered || ' limit 2001)' into found;
  end if;
  return case when cardinality(found) <= 2000 then way_by_ids(found) end;
end
$$;

-- The ids of a page, in the order of the list, of what has all the filters and matches the terms (null: whatever).
-- It walks one of the ways: the first for a little while and then, where that was not enough, the one with the fewest
-- rows ahead, but never more than 10,000 rows, or 2,000 where each has to be asked for its state. If the walk ends
-- there, the last row says how far it came: not found, but where the next page goes on.
create function search_holdings(
  terms jsonb, filters jsonb, sort text, after_e164 text, after_id uuid, wanted integer
) returns table (id uuid, is_found boolean) language plpgsql stable security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  by_e164 boolean := sort like '%e164';
  direction text := case when sort like '-%' then 'desc' else 'asc' end;
  ordered text := format(case when by_e164 then 't.e164 %1$s, t.id %1$s' else 't.id %1$s' end, direction);
  beyond text := format(case when by_e164 then '(t.e164, t.id) %1$s (%2$L, %3$L)' else 't.id %1$s %3$L' end,
    case direction when 'desc' then '<' else '>' end, after_e164, after_id);
  ahead text := concat_ws(' and ', 'true', case when after_id is not null then beyond end,
    case when by_e164 and terms ? 'digits' then matching_terms('t', terms) end);
  -- Without the number where it is not needed: then the index alone has it all, and is the cheapest to walk.
  walk text := 'select t.id' || case when by_e164 then ', t.e164' else '' end || ' from (%s) t where ' || replace(ahead, '%', '%%') || ' order by ' || ordered || ' limit %s';
  conditions text := concat_ws(' and ', own_rows('h'), 'h.id = t.id', matching_filters(filters), matching_terms('h', terms));
  most integer := case when filters ? 'sync' then 2000 else 10000 end + wanted;
  ways text[] := ways_by_filters(filters, walk, most);
  way text := ways[1];
  walked integer := 500 + wanted;
  one text;
  rows_ahead integer;
  fewest integer;
  found uuid[];
  reached uuid;
begin
  if way is null then
    return;
  end if;
  for attempt in 1..2 loop
    execute 'select array(select h.id from (' || format(walk, way, walked) || ') t cross join lateral (select h.id from holdings h where '
      || conditions || ' limit 1) h order by ' || ordered || ' limit ' || wanted || ')' into found;
    reached := null;
    if cardinality(found) < wanted then
      execute format(walk, way, '1 offset ' || walked - 1) into reached;
    end if;
    exit when reached is null or attempt = 2;

    walked := most;
    foreach one in array ways loop
      execute 'select count(*) from (' || format(walk, one, 2001) || ') t' into rows_ahead;
      if fewest is null or rows_ahead < fewest then
        fewest := rows_ahead;
        way := one;
      end if;
    end loop;
    if fewest > 2000 then
      way := coalesce(way_by_terms(terms, filters), way);
    end if;
  end loop;
  return query select f, true from unnest(found) f;
  if reached is not null then
    return query select reached, false;
  end if;
end
$$;

revoke execute on function search_holdings from public;
grant execute on function search_holdings to dialplane_organisation;
-- Whoever migrates need not be a superuser; it takes membership and the right to create to give a function away.
grant dialplane_search to current_user;
grant create on schema public to dialplane_search;
alter function search_holdings owner to dialplane_search;
revoke create on schema public from dialplane_search;
revoke dialplane_search from current_user;

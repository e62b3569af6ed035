-- A search puts its statements together as text, and the following are pieces of it. A "way" is a query of (id, e164)
-- that an index answers in the order of the list, or one of at most 2,000 rows, which are sorted.

-- Returns the tenant condition for an alias. Without a tenant, it matches no row.
create or replace function own_rows(alias text) returns text language sql stable
  return format('%1$s.organisation_id = %2$L and %1$s.environment = %3$L', alias, current_organisation_id(),
      current_environment());

-- A JSON array as an array of texts; null if there is none.
create or replace function text_array(list jsonb) returns text[] language sql immutable
  return case when list is not null then array(select jsonb_array_elements_text(list)) end;

-- Returns a condition that one of the texts is part of an expression. Null without texts.
create or replace function containing_texts(expression text, texts jsonb) returns text language sql stable
  return (select '(' || string_agg(format('strpos(%s, lower(%L)) > 0', expression, one), ' or ') || ')'
    from jsonb_array_elements_text(texts) one);

-- Returns a condition that a number uses one of the connections. Not with exists, for which the planner may read all
-- routings into a hash table.
create or replace function using_connections(alias text, ids text[]) returns text language sql stable
  return format('(select %L::uuid[] && array[r.connection_id, r.fallback_connection_id, r.last_connection_id]
      from routings r where r.holding_id = %s.id)', ids, alias);

-- Returns a condition that calls of a number go to a destination with one of the texts, or to one of the connections.
create or replace function matching_destination(alias text, texts jsonb,
    connections jsonb) returns text language sql stable
  return format('(coalesce((select %2$s from routing_destinations d where d.holding_id = %1$s.id), false)', alias,
      containing_texts('d.destination', texts))
    || case when connections <> '[]' then ' or ' || using_connections(alias, text_array(connections)) else '' end
    || ')';

-- terms: {"digits"} a number begins with, {"label"} a label begins with, or {"texts"}, one of which is found
-- anywhere, with {"connections"} also in destinations.
create or replace function matching_terms(alias text, terms jsonb) returns text language sql stable
  return case
    when terms ? 'digits' then format('%1$s.e164 >= %2$L collate "C" and %1$s.e164 < %2$L || '':'' collate "C"', alias,
        terms ->> 'digits')
    when terms ? 'label' then
      format('lower(%1$s.label) collate "C" >= lower(%2$L)'
          ' and lower(%1$s.label) collate "C" < lower(%2$L) || chr(1114111)',
        alias, terms ->> 'label')
    when terms ? 'texts' then '(' || concat_ws(' or ',
      containing_texts(format('searched_text(%1$s.e164, %1$s.label)', alias), terms -> 'texts'),
      case when terms ? 'connections'
        then matching_destination(alias, terms -> 'texts', terms -> 'connections') end) || ')'
  end;

-- Returns a condition on all trigrams of the texts. The index checks it exactly, so that no other rows are visited.
-- Null, and with it the enclosing condition, if a text has no trigram.
create or replace function containing_pieces(expression text, texts jsonb) returns text language sql stable
  return (
    select case when bool_and(p.all_there is not null) then string_agg('(' || p.all_there || ')', ' or ') end
    from jsonb_array_elements_text(texts) one
    cross join lateral (
      select string_agg(distinct format('%s like %L', expression, '%' || x.piece || '%'), ' and ') as all_there
      from (select substr(lower(one), n, 3) as piece from generate_series(1, length(one) - 2) n) x
      where x.piece ~ '^[[:alnum:]]{3}$'
    ) p);

-- Returns the filters as conditions on a holding h. quote_literal of an absent filter is null, which concat_ws skips.
create or replace function matching_filters(filters jsonb) returns text language sql stable
  return concat_ws(' and ',
    coalesce('h.status = ' || quote_literal(filters ->> 'status'), 'h.is_held'),
    'h.country = ' || quote_literal(filters ->> 'country'),
    'h.type = ' || quote_literal(filters ->> 'type'),
    quote_literal(filters ->> 'tag') || ' = any (h.tags)',
    'h.e164 = any (' || quote_literal(text_array(filters -> 'e164s')) || '::text[])',
    case when filters ? 'connection_ids' then using_connections('h', text_array(filters -> 'connection_ids')) end,
    case when filters ? 'first_connections' then
      format('coalesce((select r.connection_id = any (%L::uuid[]) from routings r where r.holding_id = h.id), false)',
        text_array(filters -> 'first_connections')) end,
    case when filters ? 'destination' then
      matching_destination('h', filters -> 'destination' -> 'texts', filters -> 'destination' -> 'connections') end,
    'h.metadata @> ' || quote_literal(filters ->> 'metadata') || '::jsonb',
    'coalesce((select c.started_at from last_calls c where c.holding_id = h.id), ''-infinity'') < ' ||
        quote_literal(filters ->> 'last_call_before'),
    '(select r.mode from routings r where r.holding_id = h.id) = ' || quote_literal(filters ->> 'mode'),
    '(select s.status from routing_states s where s.holding_id = h.id) = ' || quote_literal(filters ->> 'sync'));

-- Returns numbers that may be in a state because of an exception on them or their connection. Numbers behind the
-- confirmed versions of these shards count too. Null if there are more than 2,000. Exceptions on an older route need
-- no check, because the newer route is behind too.
create or replace function noted_holdings(of_state text, of_shards integer[]) returns uuid[] language sql stable
  set enable_seqscan = off
  begin atomic
    with noted as materialized (
      (select e.item_id, e.kind from applied_exceptions e
        where e.organisation_id = current_organisation_id() and e.environment = current_environment()
            and e.state = of_state limit 2001)
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
        (select holding_id as id from routings where organisation_id = current_organisation_id()
            and environment = current_environment()
          and connection_id = n.item_id limit 2001)
        union all
        (select holding_id from routings where organisation_id = current_organisation_id()
            and environment = current_environment()
          and fallback_connection_id = n.item_id limit 2001)
        union all
        (select holding_id from routings where organisation_id = current_organisation_id()
            and environment = current_environment()
          and last_connection_id = n.item_id limit 2001)
      ) r where n.kind = 'connection') limit 2001
    )
    select case when (select count(*) from noted) <= 2000 and count(*) <= 2000 then coalesce(array_agg(distinct id),
        '{}') end from found;
end;

-- The groups of switches that have numbers of the organisation, and what its numbers there are while nothing is noted
-- of them. From one group to the next by the index that is in their order: each takes one row, not all.
create or replace function own_group_states() returns table (group_id uuid, state text) language sql stable
  begin atomic
    with recursive own_groups as (
      (select r.group_id from routings r
        where r.organisation_id = current_organisation_id()
            and r.environment = current_environment() order by r.group_id limit 1)
      union all
      select next.group_id from own_groups g cross join lateral (
        select r.group_id from routings r
        where r.organisation_id = current_organisation_id() and r.environment = current_environment()
            and r.group_id > g.group_id
        order by r.group_id limit 1) next
    )
    select g.group_id, case when s.is_unreachable then 'unknown' when s.is_joining is distinct from false
        then 'pending' else 'in_sync' end
    from own_groups g left join switch_group_states s on s.group_id = g.group_id;
end;

-- The way to numbers in a state: whole groups of switches, and next to them the numbers of which something is noted,
-- each walked as far as is wanted and put together. Null where there can be none.
create or replace function way_by_state(of_state text, walk text,
    most integer) returns text language plpgsql stable as $$
declare
  whole uuid[];
  others uuid[];
  noted uuid[] := '{}';
begin
  -- Unreachable groups are unknown, never pending.
  select array_agg(g.group_id) filter (where g.state = of_state),
    array_agg(g.group_id) filter (where g.state <> of_state and (of_state <> 'pending' or g.state = 'in_sync'))
    into whole, others from own_group_states() g;
  if of_state in ('failed', 'drifted', 'pending') and others is not null then
    noted := noted_holdings(of_state,
        array(select s.id from feed_shards s where of_state = 'pending' and s.group_id = any (others)));
    if noted is null then
      whole := whole || others;
    else
      noted := array(
        select r.holding_id from unnest(noted) one(id) cross join lateral (
          select holding_id from routings where holding_id = one.id and group_id = any (others) limit 1) r);
    end if;
  end if;
  return (
    select case when count(*) = 1 then max(one) else string_agg('(' || format(walk, one, most) || ')',
        ' union all ') end from (
      select format('select t.holding_id as id, t.e164 from routings t where %s and t.group_id = %L', own_rows('t'),
          one) as one
        from unnest(whole) one
      union all
      select way_by_ids(noted) where cardinality(noted) > 0) ways);
end
$$;

create or replace function way_by_ids(ids uuid[]) returns text language sql stable
  return format('select t.id, t.e164 from (select distinct id from unnest(%L::uuid[]) one(id)) one cross join lateral (
    select t.id, t.e164 from holdings t where %s and t.id = one.id limit 1) t', ids, own_rows('t'));

-- The way to numbers with these digits: each by the index of its status.
create or replace function way_by_e164s(e164s text[], filters jsonb) returns text language sql stable
  return format('select t.id, t.e164 from unnest(%L::text[]) one(e164) cross join lateral (
    select t.id, t.e164 from holdings t where %s and t.status = any (%L::text[]) and t.e164 = one.e164 offset 0) t',
    e164s, own_rows('t'), case when filters ? 'status' then array[filters ->> 'status']
      else array['active', 'suspended', 'releasing'] end);

-- The way to numbers that use connections, as target or as fallback: each connection walked as far as is wanted.
create or replace function way_by_connections(ids text[], walk text, most integer) returns text language sql stable
  return (select string_agg('(' || format(walk, format(
      'select t.holding_id as id, t.e164 from routings t where %s and t.%s = %L', own_rows('t'), c.name, one),
      most) || ')', ' union all ')
    from unnest(ids) one cross join (values ('connection_id'), ('fallback_connection_id'),
      ('last_connection_id')) c(name));

-- The same for the first destination only.
create or replace function way_by_first_connections(ids text[], walk text, most integer) returns text
language sql stable
  return (select string_agg('(' || format(walk, format(
      'select t.holding_id as id, t.e164 from routings t where %s and t.connection_id = %L', own_rows('t'), one),
      most) || ')', ' union all ')
    from unnest(ids) one);

create or replace function asks_for_held(filters jsonb) returns boolean language sql immutable
  return coalesce(filters ->> 'status', 'active') in ('active', 'suspended', 'releasing');

-- A search that walks through the holdings looked each of them up a second time. Now it reads the row where it walks,
-- in a third of the time, and so comes by 25,000 of them a request instead of 10,000.

-- The ways each of the filters offers, those that tend to be the rarest first; none if nothing can be found. One
-- through the holdings themselves has the whole row.
create or replace function ways_by_filters(filters jsonb, walk text,
    most integer) returns text[] language plpgsql stable as $$
declare
  side text := own_rows('t');
  is_held boolean := asks_for_held(filters);
  held text := 'select t.* from holdings t where ' || side || ' and t.is_held';
  by_state text;
  ways text[];
begin
  if filters -> 'first_connections' = '[]' then
    return '{}';
  end if;
  if filters ? 'sync' then
    by_state := way_by_state(filters ->> 'sync', walk, most);
    if by_state is null then
      return '{}';
    end if;
  end if;
  ways := array_remove(array[
    case when filters ? 'e164s' then way_by_e164s(text_array(filters -> 'e164s'), filters) end,
    way_by_connections(text_array(filters -> 'connection_ids'), walk, most),
    case when jsonb_array_length(filters -> 'first_connections') <= 20 then
      way_by_first_connections(text_array(filters -> 'first_connections'), walk, most) end,
    by_state,
    'select t.holding_id as id, t.e164 from holding_tags t where ' || side || ' and t.tag = ' ||
        quote_literal(filters ->> 'tag'),
    (select format('select t.holding_id as id, t.e164 from holding_metadata t where %s and t.key = %L and t.value = %L',
        side, pair.key, pair.value) from jsonb_each_text(filters -> 'metadata') pair order by pair.key limit 1),
    'select t.holding_id as id, t.e164 from routings t where ' || side || ' and t.mode = ' ||
        quote_literal(coalesce(filters ->> 'mode', case when filters ? 'first_connections' then 'connection' end)),
    case when is_held then held || ' and t.country = ' || quote_literal(filters ->> 'country') end,
    case when is_held then held || ' and t.type = ' || quote_literal(filters ->> 'type') end,
    'select t.* from holdings t where ' || side || ' and t.status = ' || quote_literal(filters ->> 'status')], null);
  return case when cardinality(ways) > 0 then ways else array[held] end;
end
$$;

-- Whether a condition matches too many rows of a table for a fast index scan, estimated from 50 of its pages.
create or replace function is_common(of_table text, condition text) returns boolean language plpgsql stable as $$
declare
  share double precision := 50.0 / greatest(pg_relation_size(of_table) / current_setting('block_size')::integer, 50);
  hits integer;
begin
  execute format('select count(*) from %I t tablesample system (%s) repeatable (0) where %s and %s',
    of_table, 100 * share, own_rows('t'), condition) into hits;
  return hits >= 10 and hits / share > 20000;
end
$$;

-- Up to 2,001 rows of a table that have all pieces of a text in an expression; null if they are very many. Only
-- bitmaps: a walk in some order would stop early where it guesses right, and read all where it does not.
create or replace function ids_by_pieces(of_table text, id text, expression text,
    texts jsonb) returns uuid[] language plpgsql stable
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
as $$
declare
  pieces text := containing_pieces(expression, texts);
  found uuid[];
begin
  if pieces is not null and not is_common(of_table, containing_texts(expression, texts)) then
    execute format('select array(select t.%I from %I t'
        ' where side_key(t.organisation_id, t.environment) = %L and (', id, of_table,
      side_key(current_organisation_id(), current_environment())) || pieces || ') limit 2001)' into found;
  end if;
  return found;
end
$$;

-- Up to 2,001 numbers of each connection, as target or as fallback.
create or replace function ids_by_connections(connections jsonb) returns uuid[] language sql stable
  return array(
    select r.holding_id from (select value::uuid as id from jsonb_array_elements_text(connections) offset 0) c
    cross join lateral (
      (select holding_id from routings where organisation_id = current_organisation_id()
        and environment = current_environment() and connection_id = c.id limit 2001)
      union all
      (select holding_id from routings where organisation_id = current_organisation_id()
        and environment = current_environment() and fallback_connection_id = c.id limit 2001)
      union all
      (select holding_id from routings where organisation_id = current_organisation_id()
        and environment = current_environment() and last_connection_id = c.id limit 2001)) r
    limit 2001);

-- The numbers whose calls go to a destination, where they are few; otherwise null.
create or replace function ids_by_destination(texts jsonb, connections jsonb) returns uuid[]
language plpgsql stable as $$
declare
  by_connection uuid[] := ids_by_connections(connections);
  by_text uuid[];
begin
  if cardinality(by_connection) <= 2000 then
    by_text := ids_by_pieces('routing_destinations', 'holding_id', 't.destination', texts);
  end if;
  return case when by_text is not null then by_connection || by_text end;
end
$$;

create or replace function way_by_destination(filters jsonb) returns text language plpgsql stable as $$
declare
  found uuid[];
begin
  if filters ? 'destination' then
    found := ids_by_destination(filters -> 'destination' -> 'texts', filters -> 'destination' -> 'connections');
  end if;
  return case when cardinality(found) <= 2000 then way_by_ids(found) end;
end
$$;

-- The way to what matches the terms, where that is little and an index knows it; otherwise null.
create or replace function way_by_terms(terms jsonb, filters jsonb) returns text language plpgsql stable as $$
declare
  ordered text := case when terms ? 'label' then 'lower(t.label) collate "C"' when terms ? 'digits'
      and asks_for_held(filters) then 't.e164' end;
  found uuid[];
  by_destination uuid[];
begin
  if terms ? 'texts' then
    found := ids_by_pieces('holdings', 'id', 'searched_text(t.e164, t.label)', terms -> 'texts');
    if terms ? 'connections' and cardinality(found) <= 2000 then
      by_destination := ids_by_destination(terms -> 'texts', terms -> 'connections');
      found := case when by_destination is not null then found || by_destination end;
    end if;
  elsif ordered is not null then
    execute 'select array(select t.id from holdings t where ' || concat_ws(' and ', own_rows('t'),
        matching_terms('t', terms),
      case when terms ? 'digits' then 't.is_held' end) || ' order by ' || ordered || ' limit 2001)' into found;
  end if;
  return case when cardinality(found) <= 2000 then way_by_ids(found) end;
end
$$;

-- Returns the connections that have a target host, or also a name, with one of the texts.
create or replace function connections_by_texts(texts jsonb, has_names boolean) returns jsonb
language plpgsql stable as $$
declare
  found jsonb;
begin
  execute format('select coalesce(jsonb_agg(c.id), ''[]'') from connections c where %s and (%s or exists (
      select from connection_targets t where t.connection_id = c.id and %s))',
    own_rows('c'), case when has_names then containing_texts('lower(c.name)', texts) else 'false' end,
    containing_texts('lower(t.host)', texts)) into found;
  return found;
end
$$;

-- Puts the connections that match the texts into the search, where it asks for them.
create or replace function with_connections(search jsonb, place text[], has_names boolean) returns jsonb
language sql stable
  return case when search #> place is null then search
    else jsonb_set(search, place,
      connections_by_texts(search #> (trim_array(place, 1) || '{texts}'::text[]), has_names)) end;

-- Returns the IDs of a page, in list order, that pass the filters and match the terms (null: all). It scans one
-- candidate: the first for a short while and then, if needed, the one with the fewest rows left. It scans at most
-- 25,000 rows, 10,000 if each needs a look-up, 2,000 if each needs its state, or 2,500 to count. If it reaches the
-- limit, the last row is not a match but the position where the next page continues.
--
-- `terms` has {"texts", "connections"} if destinations count too, and `filters` {"destination": {"texts",
-- "connections"}}. The search itself fills in the connections.
create or replace function search_holdings(
  terms jsonb, filters jsonb, sort text, after_e164 text, after_id uuid, wanted integer
) returns table (id uuid, is_found boolean) language plpgsql stable security definer
  set search_path = public, pg_temp set random_page_cost = 1.1 as $$
#variable_conflict use_column
declare
  terms jsonb := with_connections(search_holdings.terms, '{connections}', true);
  filters jsonb := with_connections(search_holdings.filters, '{destination,connections}', false);
  by_e164 boolean := sort like '%e164';
  direction text := case when sort like '-%' then 'desc' else 'asc' end;
  ordered text := format(case when by_e164 then 't.e164 %1$s, t.id %1$s' else 't.id %1$s' end, direction);
  beyond text := format(case when by_e164 then '(t.e164, t.id) %1$s (%2$L, %3$L)' else 't.id %1$s %3$L' end,
    case direction when 'desc' then '<' else '>' end, after_e164, after_id);
  ahead text := concat_ws(' and ', 'true', case when after_id is not null then beyond end,
    case when by_e164 and terms ? 'digits' then matching_terms('t', terms) end);
  from_way text := ' from (%s) t where ' || replace(ahead, '%', '%%') || ' order by ' || ordered || ' limit %s';
  walk text := 'select t.id' || case when by_e164 then ', t.e164' else '' end || from_way;
  conditions text := concat_ws(' and ', own_rows('h'), 'h.id = t.id', matching_filters(filters),
      matching_terms('h', terms));
  most integer := case when wanted > 1001 then 2500 when filters ? 'sync' then 2000 + wanted else 10000 + wanted end;
  ways text[] := ways_by_filters(filters, walk, most);
  way text := ways[1];
  walked integer := 500 + least(wanted, 1001);
  needs_look_ups boolean := coalesce(terms ? 'connections', false) or filters ?| array['mode', 'sync', 'connection_ids',
    'first_connections', 'destination', 'last_call_before'];
  has_rows boolean;
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
    has_rows := way like 'select t.* %';
    if has_rows and attempt = 2 and not needs_look_ups and wanted <= 1001 then
      walked := 25000 + wanted;
    end if;
    execute 'select array(select h.id from (' || case when has_rows
        then format('select t.*' || from_way, way,
            walked) || ') t cross join lateral (select t.*) h where ' || conditions
        else format(walk, way,
            walked) || ') t cross join lateral (select h.id from holdings h where ' || conditions || ' limit 1) h'
      end || ' order by ' || ordered || ' limit ' || wanted || ')' into found;
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
      way := coalesce(way_by_terms(terms, filters), way_by_destination(filters), way);
    end if;
  end loop;
  return query select f, true from unnest(found) f union all select reached, false where reached is not null;
end
$$;
revoke execute on function search_holdings from public;
grant execute on function search_holdings to dialplane_organisation;
alter function search_holdings owner to dialplane_search;

-- The search of the previous release used these.
drop function if exists ids_by_pieces(jsonb), are_common_terms(jsonb), holding_pieces(jsonb);

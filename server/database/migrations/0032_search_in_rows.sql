-- A search that walks through the holdings looked each of them up a second time. Now it reads the row where it walks, in a third of
-- the time, and so comes by 25,000 of them a request instead of 10,000.

-- The ways each of the filters offers, those that tend to be the rarest first; none where nothing can be found.
-- One through the holdings themselves has the whole row.
create or replace function ways_by_filters(filters jsonb, walk text, most integer) returns text[] language plpgsql stable as $$
declare
  side text := own_rows('t');
  is_held boolean := asks_for_held(filters);
  held text := 'select t.* from holdings t where ' || side || ' and t.is_held';
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
    'select t.* from holdings t where ' || side || ' and t.status = ' || quote_literal(filters ->> 'status')], null);
  return case when cardinality(ways) > 0 then ways else array[held] end;
end
$$;

-- Whoever migrates need not be a superuser; it takes membership to change a function of another role.
grant dialplane_search to current_user;
-- The ids of a page, in the order of the list, of what has all the filters and matches the terms (null: whatever).
-- It walks one of the ways: the first for a little while and then, where that was not enough, the one with the fewest
-- rows ahead, but never more than 25,000 rows, 10,000 where each has to be looked up, or 2,000 where it has to be asked for
-- its state. If the walk ends there, the last row says how far it came: not found, but where the next page goes on.
create or replace function search_holdings(
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
  from_way text := ' from (%s) t where ' || replace(ahead, '%', '%%') || ' order by ' || ordered || ' limit %s';
  walk text := 'select t.id' || case when by_e164 then ', t.e164' else '' end || from_way;
  conditions text := concat_ws(' and ', own_rows('h'), 'h.id = t.id', matching_filters(filters), matching_terms('h', terms));
  most integer := case when filters ? 'sync' then 2000 else 10000 end + wanted;
  ways text[] := ways_by_filters(filters, walk, most);
  way text := ways[1];
  walked integer := 500 + wanted;
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
    if has_rows and attempt = 2 and not filters ?| array['mode', 'sync'] then
      walked := 25000 + wanted;
    end if;
    execute 'select array(select h.id from (' || case when has_rows
        then format('select t.*' || from_way, way, walked) || ') t cross join lateral (select t.*) h where ' || conditions
        else format(walk, way, walked) || ') t cross join lateral (select h.id from holdings h where ' || conditions || ' limit 1) h'
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
      way := coalesce(way_by_terms(terms, filters), way);
    end if;
  end loop;
  return query select f, true from unnest(found) f;
  if reached is not null then
    return query select reached, false;
  end if;
end
$$;

revoke dialplane_search from current_user;

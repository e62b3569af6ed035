-- How a number uses connections: `connections` of all its steps, in their order.
create or replace function number_use(mode text, fallback_mode text, connections uuid[]) returns text
language sql immutable
  return case when mode = 'unrouted' then 'unrouted' when connections = '{}' then 'other'
    when mode = 'connection' and fallback_mode is null then 'connection' else 'step' end;

create or replace function number_connections(connection_id uuid, fallback_connection_id uuid,
    last_connection_id uuid) returns uuid[] language sql immutable
  return array_remove(array[connection_id, fallback_connection_id, last_connection_id], null);

drop function if exists number_use(text, uuid, uuid);

-- Counts the numbers of new routings.
create or replace function count_new_routings() returns trigger language plpgsql as $$
begin
  insert into number_counts (organisation_id, environment, group_id, use, connection_ids, numbers)
    select a.organisation_id, a.environment, a.group_id,
      number_use(a.mode, a.fallback_mode, c.ids),
      c.ids, count(*)
    from added a
    cross join lateral (select number_connections(a.connection_id, a.fallback_connection_id,
      a.last_connection_id) as ids) c
    cross join lateral (select from holdings h where h.organisation_id = a.organisation_id
      and h.environment = a.environment and h.id = a.holding_id and h.is_held limit 1) h
    group by 1, 2, 3, 4, 5;
  return null;
end
$$;

create or replace trigger routings_count_new after insert on routings referencing new table as added
  for each statement execute function count_new_routings();

-- Counts a number under its new route. Changes of routing and of status lock the routing first, so that the status
-- cannot change at the same moment.
create or replace function count_changed_routing() returns trigger language plpgsql as $$
declare
  old_ids uuid[] := number_connections(old.connection_id, old.fallback_connection_id, old.last_connection_id);
  new_ids uuid[] := number_connections(new.connection_id, new.fallback_connection_id, new.last_connection_id);
begin
  perform from holdings h where h.organisation_id = new.organisation_id and h.environment = new.environment
    and h.id = new.holding_id and h.is_held;
  if found then
    insert into number_counts (organisation_id, environment, group_id, use, connection_ids, numbers)
      values
        (old.organisation_id, old.environment, old.group_id,
          number_use(old.mode, old.fallback_mode, old_ids),
          old_ids, -1),
        (new.organisation_id, new.environment, new.group_id,
          number_use(new.mode, new.fallback_mode, new_ids),
          new_ids, 1);
  end if;
  return null;
end
$$;

create or replace trigger routings_count_changed
  after update of mode, connection_id, fallback_mode, fallback_connection_id, last_connection_id, group_id on routings
  for each row when ((old.mode = 'unrouted', old.connection_id, old.fallback_mode is null, old.fallback_connection_id,
      old.last_connection_id, old.group_id)
    is distinct from (new.mode = 'unrouted', new.connection_id, new.fallback_mode is null, new.fallback_connection_id,
      new.last_connection_id, new.group_id))
  execute function count_changed_routing();

-- Counts a number that is held again, or no longer.
create or replace function count_held_number() returns trigger language plpgsql as $$
begin
  insert into number_counts (organisation_id, environment, group_id, use, connection_ids, numbers)
    select r.organisation_id, r.environment, r.group_id,
      number_use(r.mode, r.fallback_mode, c.ids),
      c.ids, case when new.is_held then 1 else -1 end
    from routings r
    cross join lateral (select number_connections(r.connection_id, r.fallback_connection_id,
      r.last_connection_id) as ids) c
    where r.holding_id = new.id;
  return null;
end
$$;

create or replace trigger holdings_count_held after update of status on holdings
  for each row when (old.is_held <> new.is_held) execute function count_held_number();

-- Adds up to `most` changes to the totals, and returns how many. Totals are locked in one order, so that two workers
-- cannot deadlock.
create or replace function add_number_counts(most integer) returns integer language plpgsql as $$
declare
  owners uuid[];
  added integer;
begin
  with taken as (
    delete from number_counts c where c.id = any (array(
      select id from number_counts where not is_total order by id limit most for update skip locked))
    returning c.*
  ), totals as (
    insert into number_counts as t (organisation_id, environment, group_id, use, connection_ids, numbers, is_total)
      select organisation_id, environment, group_id, use, connection_ids, sum(numbers), true from taken
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (organisation_id, environment, group_id, use, connection_ids) where is_total
        do update set numbers = t.numbers + excluded.numbers
      returning t.organisation_id
  )
  select (select count(*) from taken), (select array_agg(distinct organisation_id) from totals) into added, owners;
  delete from number_counts where is_total and numbers = 0 and organisation_id = any (owners);
  return added;
end
$$;

-- Counts the numbers that are older than the triggers. As the system, which sees them all: row-level security applies
-- to the owner too.
grant dialplane_system to current_user;
set local role dialplane_system;
select set_config('app.task', 'sweep', true);
insert into number_counts (organisation_id, environment, group_id, use, connection_ids, numbers, is_total)
  select r.organisation_id, r.environment, r.group_id, number_use(r.mode, r.fallback_mode, c.ids),
    c.ids, count(*), true
  from routings r join holdings h on h.id = r.holding_id
  cross join lateral (select number_connections(r.connection_id, r.fallback_connection_id,
      r.last_connection_id) as ids) c
  where h.is_held and not exists (select from number_counts)
  group by 1, 2, 3, 4, 5;
select set_config('app.task', '', true);
set local role none;
revoke dialplane_system from current_user;

-- Returns the organisations of numbers, for switches of their group.
create or replace function holders_of_calls(of_holdings uuid[]) returns table (holding_id uuid, organisation_id uuid,
    environment text)
language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select r.holding_id, r.organisation_id, r.environment from routings r
    where r.holding_id = any (of_holdings) and r.group_id = current_switch_group_id();
end;
revoke execute on function holders_of_calls from public;
grant execute on function holders_of_calls to dialplane_switch;
alter function holders_of_calls owner to dialplane_calls;

-- Returns the connections of steps of routes, for switches of the numbers' group. For a step without one, the first
-- connection of the route.
create or replace function connections_of_calls(of_holdings uuid[], of_generations bigint[], of_steps smallint[])
returns table (holding_id uuid, generation bigint, step smallint, connection_id uuid)
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select given.holding_id, given.generation, given.step, found.connection_id
  from (select distinct g.holding_id, g.generation, g.step
    from unnest(of_holdings, of_generations, of_steps) as g (holding_id, generation, step)) given
  cross join lateral (
    select coalesce(case given.step
      when 1 then (r.desired ->> 'connection_id')::uuid
      when 2 then (r.desired #>> '{fallback,connection_id}')::uuid
      when 3 then (r.desired #>> '{fallback,fallback,connection_id}')::uuid end,
      (connections_in(r.desired))[1]) as connection_id
    from routing_revisions r where r.holding_id = given.holding_id and r.generation = given.generation limit 1) found;
end;
revoke execute on function connections_of_calls(uuid[], bigint[], smallint[]) from public;
grant execute on function connections_of_calls(uuid[], bigint[], smallint[]) to dialplane_switch;
alter function connections_of_calls(uuid[], bigint[], smallint[]) owner to dialplane_calls;

-- For servers of the previous release.
create or replace function connections_of_calls(of_holdings uuid[], of_generations bigint[])
returns table (holding_id uuid, generation bigint, connection_id uuid)
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select k.holding_id, k.generation, k.connection_id
  from connections_of_calls(of_holdings, of_generations, array_fill(null::smallint, array[cardinality(of_holdings)])) k;
end;
revoke execute on function connections_of_calls(uuid[], bigint[]) from public;
grant execute on function connections_of_calls(uuid[], bigint[]) to dialplane_switch;
alter function connections_of_calls(uuid[], bigint[]) owner to dialplane_calls;

-- Rows that count calls are written repeatedly: they find room next to themselves.
create or replace function make_call_partition(of_table text, part text, from_at timestamptz,
    to_at timestamptz) returns void language plpgsql as $$
begin
  if to_regclass(format('call_partitions.%I', part)) is not null then
    return;
  end if;
  execute format('create table call_partitions.%I (like public.%I including defaults including constraints)'
      ' with (fillfactor = %s)',
    part, of_table, case when of_table like 'usage\_%' then 70 else 100 end);
  -- Rows are accessed through the parent table only.
  execute format('revoke all on call_partitions.%I from current_user', part);
  execute format('alter table public.%I attach partition call_partitions.%I for values from (%L) to (%L)', of_table,
      part, from_at, to_at);
end
$$;
revoke execute on function make_call_partition from public;
alter function make_call_partition owner to dialplane_calls;

-- Creates the missing partitions for calls of these days. The lock serialises concurrent callers.
create or replace function make_call_partitions(of_days date[]) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  one date;
begin
  perform pg_advisory_xact_lock(7203115);
  for one in select distinct date_trunc('year', d)::date from unnest(of_days) d loop
    perform make_call_partition('usage_days', 'days_' || to_char(one, 'YYYY'), one, one + interval '1 year');
  end loop;
  for one in select distinct date_trunc('month', d)::date from unnest(of_days) d loop
    perform make_call_partition('usage_hours', 'hours_' || to_char(one, 'YYYY_MM'), one, one + interval '1 month');
    perform make_call_partition('call_records', 'records_' || to_char(one, 'YYYY_MM'), one, one + interval '1 month');
  end loop;
  for one in select distinct d from unnest(of_days) d loop
    perform make_call_partition('call_parties', 'parties_' || to_char(one, 'YYYY_MM_DD'), one, one + 1);
  end loop;
end
$$;
revoke execute on function make_call_partitions from public;
grant execute on function make_call_partitions to dialplane_switch, dialplane_system;
alter function make_call_partitions owner to dialplane_calls;

-- Partitions that end before these days go, and with them what they hold. Returns their names.
create or replace function drop_call_partitions(records_before date, parties_before date) returns setof text
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  part text;
begin
  perform pg_advisory_xact_lock(7203115);
  for part in
    select c.relname from pg_class c
    where c.relnamespace = 'call_partitions'::regnamespace and c.relkind = 'r' and (
      (c.relname like 'records\_%' and to_date(substr(c.relname, 9), 'YYYY_MM') + interval '1 month' <= records_before)
      or (c.relname like 'parties\_%' and to_date(substr(c.relname, 9), 'YYYY_MM_DD') < parties_before))
    order by 1
  loop
    execute format('drop table call_partitions.%I', part);
    return next part;
  end loop;
end
$$;
revoke execute on function drop_call_partitions from public;
grant execute on function drop_call_partitions to dialplane_system;
alter function drop_call_partitions owner to dialplane_calls;

-- Returns the organisations and secret versions that sign for numbers, for switches of their group.
create or replace function signers_of_calls(of_holdings uuid[])
returns table (holding_id uuid, organisation_id uuid, environment text, secret_version integer,
    previous_secrets_until timestamptz[])
language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select r.holding_id, r.organisation_id, r.environment, coalesce(s.secret_version, 1),
        coalesce(s.previous_secrets_until, '{}')
    from routings r
    left join routing_webhook_secrets s on s.organisation_id = r.organisation_id and s.environment = r.environment
    where r.holding_id = any (of_holdings) and r.group_id = current_switch_group_id();
end;
revoke execute on function signers_of_calls from public;
grant execute on function signers_of_calls to dialplane_switch;
alter function signers_of_calls owner to dialplane_calls;

-- Rows in the order of the key, so that two batches of records never wait for each other in a circle.
create or replace function note_last_calls() returns trigger language plpgsql security definer
    set search_path = public, pg_temp as $$
begin
  insert into last_calls as l (holding_id, organisation_id, environment, started_at)
  select c.holding_id, c.organisation_id, c.environment, max(c.started_at)
  from inserted c where c.holding_id is not null and c.result <> 'not_served'
  group by c.holding_id, c.organisation_id, c.environment order by c.holding_id
  on conflict (holding_id) do update set started_at = excluded.started_at
  where excluded.started_at >= l.started_at + interval '1 minute';
  return null;
end
$$;
revoke execute on function note_last_calls from public;
alter function note_last_calls owner to dialplane_calls;

grant trigger on call_records to dialplane_calls;
create or replace trigger call_records_note_last_calls after insert on call_records referencing new table as inserted
  for each statement execute function note_last_calls();
revoke trigger on call_records from dialplane_calls;

-- In the order of the key, for the same reason.
create or replace function note_call_ids() returns trigger language plpgsql security definer
    set search_path = public, pg_temp as $$
begin
  insert into call_ids (digest, day)
  select distinct hashtextextended(p.sip_call_id, 0), (p.started_at at time zone 'UTC')::date
  from inserted p where p.sip_call_id is not null order by 1, 2
  on conflict do nothing;
  return null;
end
$$;
revoke execute on function note_call_ids from public;
alter function note_call_ids owner to dialplane_calls;

grant trigger on call_parties to dialplane_calls;
create or replace trigger call_parties_note_call_ids after insert on call_parties referencing new table as inserted
  for each statement execute function note_call_ids();
revoke trigger on call_parties from dialplane_calls;

-- Returns the days on which calls of any organisation had this Call-ID. A query of them reads its own rows only.
create or replace function days_of_call_id(wanted text) returns table (day date)
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select i.day from call_ids i where i.digest in (hashtextextended(wanted, 0), 0);
end;
revoke execute on function days_of_call_id from public;
grant execute on function days_of_call_id to dialplane_organisation, dialplane_system;
alter function days_of_call_id owner to dialplane_calls;

-- As signers_of_calls, with the root keys of the secrets.
create or replace function signing_secrets_of_calls(of_holdings uuid[])
returns table (holding_id uuid, organisation_id uuid, environment text, secret_version integer,
  previous_secrets_until timestamptz[], secret_roots integer[])
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select r.holding_id, r.organisation_id, r.environment, coalesce(s.secret_version, 1),
    coalesce(s.previous_secrets_until, '{}'), coalesce(s.secret_roots, array[o.root_id])
  from routings r
  join organisations o on o.id = r.organisation_id
  left join routing_webhook_secrets s on s.organisation_id = r.organisation_id and s.environment = r.environment
  where r.holding_id = any (of_holdings) and r.group_id = current_switch_group_id();
end;
revoke execute on function signing_secrets_of_calls from public;
grant execute on function signing_secrets_of_calls to dialplane_switch;
alter function signing_secrets_of_calls owner to dialplane_calls;

-- A new database can store calls at once.
select make_call_partitions(array(select current_date + n from generate_series(-1, 7) n));

-- Whether a call reached another target than its routing names. Null if unknown. `hosts` are those of the connection,
-- if it has not changed since the call. In mode webhook, the customer's server chooses the target.
create or replace function is_misrouted(target text, attempts jsonb, destination jsonb, hosts text[])
returns boolean language sql immutable parallel safe
  return case when target is null or destination is null then null else (
    select case coalesce(step.desired ->> 'mode', 'unrouted')
      when 'sip_uri' then target is distinct from step.desired ->> 'sip_uri'
      when 'forward' then target is distinct from step.desired ->> 'forward_to'
      when 'unrouted' then true
      when 'connection' then (
        select case when bool_or(tried ->> 'mode' <> 'connection') then true
          when hosts is not null then bool_or(tried ->> 'host' is not null and tried ->> 'host' <> all (hosts)) end
        from jsonb_array_elements(attempts) tried where (tried ->> 'step')::integer = step.last)
      end
    from (select last, case last when 1 then destination when 2 then destination -> 'fallback'
        when 3 then destination #> '{fallback,fallback}' end as desired
      from (select coalesce((attempts -> -1 ->> 'step')::integer, 1) as last) at) step) end;

-- Usage is counted when records are inserted, by a trigger: whoever inserts them, what is new is counted, once, in the
-- same commit. The role that owns the tables of calls does it; nobody else writes here.

create table usage_hours (
  organisation_id    uuid not null,
  environment        text not null check (environment in ('live', 'test')),
  holding_id         uuid not null,
  hour               timestamptz not null,
  calls              integer not null,
  answered           integer not null,
  busy               integer not null,
  no_answer          integer not null,
  cancelled          integer not null,
  rejected           integer not null,
  failed             integer not null,
  talk_seconds       bigint not null,
  forwarded_seconds  bigint not null,
  primary key (holding_id, hour),
  check (calls = answered + busy + no_answer + cancelled + rejected + failed)
) partition by range (hour);
comment on table usage_hours is 'Calls of a number by the hour they began in, UTC. Kept when the records are gone.';

create table usage_days (
  organisation_id    uuid not null,
  environment        text not null check (environment in ('live', 'test')),
  holding_id         uuid not null,
  day                date not null,
  calls              integer not null,
  answered           integer not null,
  busy               integer not null,
  no_answer          integer not null,
  cancelled          integer not null,
  rejected           integer not null,
  failed             integer not null,
  talk_seconds       bigint not null,
  forwarded_seconds  bigint not null,
  primary key (holding_id, day),
  check (calls = answered + busy + no_answer + cancelled + rejected + failed)
) partition by range (day);
comment on table usage_days is 'The same by day, UTC: a year is 366 rows and not 8,784.';
create index usage_days_by_organisation on usage_days (organisation_id, environment, day);

create table organisation_usage_hours (
  organisation_id    uuid not null references organisations,
  environment        text not null check (environment in ('live', 'test')),
  hour               timestamptz not null,
  switch_id          uuid not null,
  calls              bigint not null,
  answered           bigint not null,
  busy               bigint not null,
  no_answer          bigint not null,
  cancelled          bigint not null,
  rejected           bigint not null,
  failed             bigint not null,
  talk_seconds       bigint not null,
  forwarded_seconds  bigint not null,
  primary key (organisation_id, environment, hour, switch_id),
  check (calls = answered + busy + no_answer + cancelled + rejected + failed)
) with (fillfactor = 70);
comment on table organisation_usage_hours is 'Calls of all numbers of an organisation, by switch: two switches that report at once wait for each other only where they took calls of one number.';

-- What a call is billed by. One whose answer or end nobody saw has no length.
create function talk_seconds(answered_at timestamptz, ended_at timestamptz) returns integer language sql immutable parallel safe
  return case when ended_at > answered_at then ceil(extract(epoch from ended_at - answered_at))::integer else 0 end;

-- Rows of each table in the order of its key, and the tables in one order: two that count at once never wait for each other in a circle.
create function roll_up_calls() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  insert into usage_hours as u (organisation_id, environment, holding_id, hour, calls, answered, busy, no_answer, cancelled, rejected, failed,
    talk_seconds, forwarded_seconds)
  select c.organisation_id, c.environment, c.holding_id, date_trunc('hour', c.started_at), count(*),
    count(*) filter (where c.result = 'answered'), count(*) filter (where c.result = 'busy'), count(*) filter (where c.result = 'no_answer'),
    count(*) filter (where c.result = 'cancelled'), count(*) filter (where c.result = 'rejected'), count(*) filter (where c.result = 'failed'),
    sum(talk_seconds(c.answered_at, c.ended_at)), coalesce(sum(talk_seconds(c.answered_at, c.ended_at)) filter (where c.mode = 'forward'), 0)
  from inserted c where c.holding_id is not null and c.result <> 'not_served'
  group by c.holding_id, date_trunc('hour', c.started_at), c.organisation_id, c.environment
  order by c.holding_id, date_trunc('hour', c.started_at)
  on conflict (holding_id, hour) do update set calls = u.calls + excluded.calls, answered = u.answered + excluded.answered,
    busy = u.busy + excluded.busy, no_answer = u.no_answer + excluded.no_answer, cancelled = u.cancelled + excluded.cancelled,
    rejected = u.rejected + excluded.rejected, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, forwarded_seconds = u.forwarded_seconds + excluded.forwarded_seconds;

  insert into usage_days as u (organisation_id, environment, holding_id, day, calls, answered, busy, no_answer, cancelled, rejected, failed,
    talk_seconds, forwarded_seconds)
  select c.organisation_id, c.environment, c.holding_id, c.started_at::date, count(*),
    count(*) filter (where c.result = 'answered'), count(*) filter (where c.result = 'busy'), count(*) filter (where c.result = 'no_answer'),
    count(*) filter (where c.result = 'cancelled'), count(*) filter (where c.result = 'rejected'), count(*) filter (where c.result = 'failed'),
    sum(talk_seconds(c.answered_at, c.ended_at)), coalesce(sum(talk_seconds(c.answered_at, c.ended_at)) filter (where c.mode = 'forward'), 0)
  from inserted c where c.holding_id is not null and c.result <> 'not_served'
  group by c.holding_id, c.started_at::date, c.organisation_id, c.environment
  order by c.holding_id, c.started_at::date
  on conflict (holding_id, day) do update set calls = u.calls + excluded.calls, answered = u.answered + excluded.answered,
    busy = u.busy + excluded.busy, no_answer = u.no_answer + excluded.no_answer, cancelled = u.cancelled + excluded.cancelled,
    rejected = u.rejected + excluded.rejected, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, forwarded_seconds = u.forwarded_seconds + excluded.forwarded_seconds;

  insert into organisation_usage_hours as u (organisation_id, environment, hour, switch_id, calls, answered, busy, no_answer, cancelled,
    rejected, failed, talk_seconds, forwarded_seconds)
  select c.organisation_id, c.environment, date_trunc('hour', c.started_at), c.switch_id, count(*),
    count(*) filter (where c.result = 'answered'), count(*) filter (where c.result = 'busy'), count(*) filter (where c.result = 'no_answer'),
    count(*) filter (where c.result = 'cancelled'), count(*) filter (where c.result = 'rejected'), count(*) filter (where c.result = 'failed'),
    sum(talk_seconds(c.answered_at, c.ended_at)), coalesce(sum(talk_seconds(c.answered_at, c.ended_at)) filter (where c.mode = 'forward'), 0)
  from inserted c where c.holding_id is not null and c.result <> 'not_served'
  group by c.organisation_id, c.environment, date_trunc('hour', c.started_at), c.switch_id
  order by c.organisation_id, c.environment, date_trunc('hour', c.started_at), c.switch_id
  on conflict (organisation_id, environment, hour, switch_id) do update set calls = u.calls + excluded.calls,
    answered = u.answered + excluded.answered, busy = u.busy + excluded.busy, no_answer = u.no_answer + excluded.no_answer,
    cancelled = u.cancelled + excluded.cancelled, rejected = u.rejected + excluded.rejected, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, forwarded_seconds = u.forwarded_seconds + excluded.forwarded_seconds;
  return null;
end
$$;

create table call_standings (
  switch_id         uuid primary key references switches,
  settled_through   timestamptz not null,
  max_call_seconds  integer not null check (max_call_seconds between 1 and 604800),
  clock_offset_ms   integer,
  reported_at       timestamptz not null
) with (fillfactor = 50);
comment on table call_standings is 'How far the records of each switch are complete: all calls that began before settled_through are counted here, but for those in open_calls.';
comment on column call_standings.clock_offset_ms is 'How far the clock of the switch is ahead of ours, by its own account.';

create table open_calls (
  switch_id        uuid not null references switches,
  holding_id       uuid not null,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  oldest_began_at  timestamptz not null,
  primary key (switch_id, holding_id)
) with (fillfactor = 70);
comment on table open_calls is 'Numbers with a call that is up since before its switch''s settled_through, and since when.';
create index open_calls_by_holding on open_calls (holding_id);
create index open_calls_by_organisation on open_calls (organisation_id);

alter table usage_hours enable row level security;
alter table usage_hours force row level security;
alter table usage_days enable row level security;
alter table usage_days force row level security;
alter table organisation_usage_hours enable row level security;
alter table organisation_usage_hours force row level security;
alter table call_standings enable row level security;
alter table call_standings force row level security;
alter table open_calls enable row level security;
alter table open_calls force row level security;

grant select on usage_hours, usage_days, organisation_usage_hours, open_calls to dialplane_organisation;
grant select (switch_id, settled_through, max_call_seconds) on call_standings to dialplane_organisation;
create policy organisation on usage_hours for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on usage_days for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on organisation_usage_hours for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on open_calls for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on call_standings for select to dialplane_organisation using (true);

grant select, insert, update, delete on open_calls to dialplane_switch;
grant select, insert, update on call_standings to dialplane_switch;
create policy switch on open_calls to dialplane_switch
  using (switch_id = (select current_switch_id()))
  with check (switch_id = (select current_switch_id())
    and (organisation_id, environment) = (select h.organisation_id, h.environment from holders_of_calls(array[holding_id]) h));
create policy switch on call_standings to dialplane_switch using (switch_id = (select current_switch_id()));

grant select on usage_hours, usage_days, organisation_usage_hours, open_calls, call_standings to dialplane_system;
create policy system on usage_hours for select to dialplane_system using ((select current_task()) is not null);
create policy system on usage_days for select to dialplane_system using ((select current_task()) is not null);
create policy system on organisation_usage_hours for select to dialplane_system using ((select current_task()) is not null);
create policy system on open_calls for select to dialplane_system using ((select current_task()) is not null);
create policy system on call_standings for select to dialplane_system using ((select current_task()) is not null);

create policy calls on usage_hours to dialplane_calls using (true);
create policy calls on usage_days to dialplane_calls using (true);
create policy calls on organisation_usage_hours to dialplane_calls using (true);

revoke execute on function roll_up_calls from public;

-- As for the tables of calls: it takes membership and the right to create to give something away.
grant dialplane_calls to current_user;
grant create on schema public to dialplane_calls;
alter table usage_hours owner to dialplane_calls;
alter table usage_days owner to dialplane_calls;
alter function roll_up_calls owner to dialplane_calls;
revoke delete, truncate, references, trigger on usage_hours, usage_days from dialplane_calls;
grant select, insert, update on organisation_usage_hours to dialplane_calls;

-- Rows that count calls are written over and over: they find room beside themselves.
create or replace function make_call_partition(of_table text, part text, from_at timestamptz, to_at timestamptz) returns void language plpgsql as $$
begin
  if to_regclass(format('call_partitions.%I', part)) is not null then
    return;
  end if;
  execute format('create table call_partitions.%I (like public.%I including defaults including constraints) with (fillfactor = %s)',
    part, of_table, case when of_table like 'usage\_%' then 70 else 100 end);
  -- Rows come and go through the table it is part of; nobody has any business in here.
  execute format('revoke all on call_partitions.%I from current_user', part);
  execute format('alter table public.%I attach partition call_partitions.%I for values from (%L) to (%L)', of_table, part, from_at, to_at);
end
$$;

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

-- Records that are there already are counted by the same trigger, on a copy that goes with this transaction.
create policy migration on call_records for select to dialplane_calls using (true);
set local role dialplane_calls;
select make_call_partitions(array(select distinct (started_at at time zone 'UTC')::date from call_records union select current_date));
grant trigger on call_records to dialplane_calls;
create trigger call_records_roll_up after insert on call_records referencing new table as inserted
  for each statement execute function roll_up_calls();
revoke trigger on call_records from dialplane_calls;
create temporary table counted_records (like call_records) on commit drop;
create trigger roll_up after insert on counted_records referencing new table as inserted
  for each statement execute function roll_up_calls();
insert into counted_records select * from call_records;
reset role;
drop policy migration on call_records;
revoke create on schema public from dialplane_calls;
revoke dialplane_calls from current_user;

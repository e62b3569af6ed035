-- Calls are many and leave by the month, what names people by the day: partitions. They are made and dropped by functions
-- of a role that owns these tables and signs in nowhere, for none of those that sign in may own or make anything.
do $$
begin
  if not exists (select from pg_roles where rolname = 'dialplane_calls') then
    create role dialplane_calls nologin nosuperuser nocreatedb nocreaterole noinherit nobypassrls;
  end if;
end
$$;
grant usage on schema public to dialplane_calls;

create table call_records (
  id                  uuid not null,
  switch_id           uuid not null,
  started_at          timestamptz not null,
  organisation_id     uuid,
  environment         text not null check (environment in ('live', 'test')),
  holding_id          uuid,
  claimed_holding_id  uuid,
  answered_at         timestamptz,
  ended_at            timestamptz,
  ending              text not null check (ending in ('refused', 'hung_up', 'unknown')),
  result              text not null check (result in ('answered', 'busy', 'no_answer', 'cancelled', 'rejected', 'failed', 'not_served')),
  mode                text check (mode in ('sip_uri', 'connection', 'unrouted', 'forward', 'webhook')),
  generation          bigint,
  trunk               text check (length(trunk) <= 100),
  code                smallint,
  why                 text check (length(why) <= 64),
  received_at         timestamptz not null,
  primary key (switch_id, id, started_at),
  check ((holding_id is null) = (organisation_id is null)),
  check (holding_id is null or claimed_holding_id is null)
) partition by range (started_at);
comment on table call_records is 'One row for each call, as its switch recorded it; it names nobody. Without an organisation it is the operator''s: no number was matched, or one that is not of the switch''s group.';
comment on column call_records.id is 'Made by the switch from what identifies the INVITE, so a record that is sent again is the same one.';
comment on column call_records.holding_id is 'The holding that the route named when the call came in: never guessed from clocks.';
comment on column call_records.claimed_holding_id is 'What an operator''s record named that the switch''s group does not have.';
comment on column call_records.ending is 'unknown: no BYE came within the longest call and an hour.';
comment on column call_records.result is 'not_served: this service could not take the call, which is nobody''s call then.';
create index call_records_by_holding on call_records (organisation_id, environment, holding_id, started_at);

create table call_parties (
  id               uuid not null,
  switch_id        uuid not null,
  started_at       timestamptz not null,
  organisation_id  uuid,
  environment      text not null check (environment in ('live', 'test')),
  holding_id       uuid,
  caller           text check (length(caller) <= 255),
  called           text check (length(called) <= 255),
  target           text check (length(target) <= 500),
  sip_call_id      text check (length(sip_call_id) <= 255),
  primary key (switch_id, id, started_at),
  check ((holding_id is null) = (organisation_id is null))
) partition by range (started_at);
comment on table call_parties is 'Who called whom: kept apart from the records, and for a shorter time.';

create table rejected_records (
  switch_id    uuid not null references switches,
  digest       bytea not null,
  code         text not null check (length(code) <= 64),
  detail       text not null check (length(detail) <= 500),
  record       text not null check (length(record) <= 20000),
  received_at  timestamptz not null,
  primary key (switch_id, digest)
);
comment on table rejected_records is 'What a switch sent as a record and is none: kept for the operator as long as call_parties, and never asked for again.';
comment on column rejected_records.digest is 'SHA-256 of the text: sent again, it is the same row.';
create index rejected_records_by_time on rejected_records (received_at);

create table live_calls (
  switch_id        uuid not null references switches,
  holding_id       uuid not null,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  active_calls     integer not null check (active_calls > 0),
  observed_at      timestamptz not null,
  primary key (switch_id, holding_id)
) with (fillfactor = 50);
comment on table live_calls is 'Calls that are up, by number and switch; a number without any has no row.';
create index live_calls_by_holding on live_calls (holding_id);
create index live_calls_by_organisation on live_calls (organisation_id);

create table live_reports (
  switch_id    uuid primary key references switches,
  session      uuid not null,
  sequence     bigint not null,
  observed_at  timestamptz not null
) with (fillfactor = 50);
comment on table live_reports is 'How far live_calls is told of each switch. A change counts only right after the one before it; a snapshot always, unless it is an old one of the same session.';

-- Out of everybody's sight: rows are reached through the tables above, under their policies.
create schema call_partitions;

-- Whose calls a number's are, for switches of its group.
create function holders_of_calls(of_holdings uuid[]) returns table (holding_id uuid, organisation_id uuid, environment text)
language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select r.holding_id, r.organisation_id, r.environment from routings r
    where r.holding_id = any (of_holdings) and r.group_id = current_switch_group_id();
  end;
grant select (holding_id, organisation_id, environment, group_id) on routings to dialplane_calls;
create policy calls on routings for select to dialplane_calls using (group_id = (select current_switch_group_id()));

-- Attached, because that lets those who write meanwhile go on; created in place, a partition would make them wait.
create function make_call_partition(of_table text, part text, from_at timestamptz, to_at timestamptz) returns void language plpgsql as $$
begin
  if to_regclass(format('call_partitions.%I', part)) is not null then
    return;
  end if;
  execute format('create table call_partitions.%I (like public.%I including defaults including constraints)', part, of_table);
  -- Rows come and go through the table it is part of; nobody has any business in here.
  execute format('revoke all on call_partitions.%I from current_user', part);
  execute format('alter table public.%I attach partition call_partitions.%I for values from (%L) to (%L)', of_table, part, from_at, to_at);
end
$$;

-- What the calls of these days need, as far as it is not there. Two that ask at once take turns.
create function make_call_partitions(of_days date[]) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  one date;
begin
  perform pg_advisory_xact_lock(7203115);
  for one in select distinct date_trunc('month', d)::date from unnest(of_days) d loop
    perform make_call_partition('call_records', 'records_' || to_char(one, 'YYYY_MM'), one, one + interval '1 month');
  end loop;
  for one in select distinct d from unnest(of_days) d loop
    perform make_call_partition('call_parties', 'parties_' || to_char(one, 'YYYY_MM_DD'), one, one + 1);
  end loop;
end
$$;

-- Partitions that end before these days go, and with them what they hold. Returns their names.
create function drop_call_partitions(records_before date, parties_before date) returns setof text
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

alter table call_records enable row level security;
alter table call_records force row level security;
alter table call_parties enable row level security;
alter table call_parties force row level security;
alter table rejected_records enable row level security;
alter table rejected_records force row level security;
alter table live_calls enable row level security;
alter table live_calls force row level security;
alter table live_reports enable row level security;
alter table live_reports force row level security;

grant select on call_records, call_parties, live_calls to dialplane_organisation;
create policy organisation on call_records for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on call_parties for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on live_calls for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

-- A switch writes calls in its own name, of its group's numbers as whose they are, or as the operator's; it reads none.
grant insert on call_records, call_parties, rejected_records to dialplane_switch;
grant select, insert, update, delete on live_calls to dialplane_switch;
grant select, insert, update on live_reports to dialplane_switch;
create policy switch on call_records for insert to dialplane_switch
  with check (switch_id = (select current_switch_id()) and case
    when holding_id is null then environment = (select g.environment from switch_groups g where g.id = current_switch_group_id())
    else (organisation_id, environment) = (select h.organisation_id, h.environment from holders_of_calls(array[holding_id]) h) end);
create policy switch on call_parties for insert to dialplane_switch
  with check (switch_id = (select current_switch_id()) and case
    when holding_id is null then environment = (select g.environment from switch_groups g where g.id = current_switch_group_id())
    else (organisation_id, environment) = (select h.organisation_id, h.environment from holders_of_calls(array[holding_id]) h) end);
create policy switch on rejected_records for insert to dialplane_switch with check (switch_id = (select current_switch_id()));
create policy switch on live_calls to dialplane_switch
  using (switch_id = (select current_switch_id()))
  with check (switch_id = (select current_switch_id())
    and (organisation_id, environment) = (select h.organisation_id, h.environment from holders_of_calls(array[holding_id]) h));
create policy switch on live_reports to dialplane_switch using (switch_id = (select current_switch_id()));

grant select on call_records, call_parties, live_calls, live_reports to dialplane_system;
grant select, delete on rejected_records to dialplane_system;
create policy system on call_records for select to dialplane_system using ((select current_task()) is not null);
create policy system on call_parties for select to dialplane_system using ((select current_task()) is not null);
create policy system on rejected_records to dialplane_system using ((select current_task()) is not null);
create policy system on live_calls for select to dialplane_system using ((select current_task()) is not null);
create policy system on live_reports for select to dialplane_system using ((select current_task()) is not null);

revoke execute on function holders_of_calls, make_call_partition, make_call_partitions, drop_call_partitions from public;
grant execute on function holders_of_calls to dialplane_switch;
grant execute on function make_call_partitions to dialplane_switch, dialplane_system;
grant execute on function drop_call_partitions to dialplane_system;
-- As for the search: it takes membership and the right to create to give something away.
grant dialplane_calls to current_user;
grant create on schema public to dialplane_calls;
alter table call_records owner to dialplane_calls;
alter table call_parties owner to dialplane_calls;
alter function holders_of_calls owner to dialplane_calls;
alter function make_call_partition owner to dialplane_calls;
alter function make_call_partitions owner to dialplane_calls;
alter function drop_call_partitions owner to dialplane_calls;
alter schema call_partitions owner to dialplane_calls;
revoke create on schema public from dialplane_calls;
-- An owner may do everything with its tables until it is told otherwise; this one looks at their columns, attaches and drops.
revoke insert, update, delete, truncate, references, trigger on call_records, call_parties from dialplane_calls;
select make_call_partitions(array(select current_date + n from generate_series(-1, 7) n));
revoke dialplane_calls from current_user;

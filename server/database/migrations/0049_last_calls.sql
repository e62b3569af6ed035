-- When each number was last called. A table of its own: writing it to holdings would touch a wide row that many indexes cover.
create table last_calls (
  holding_id       uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  started_at       timestamptz not null
) with (fillfactor = 70);
comment on table last_calls is 'Start of the newest call of each number, by its records. Rows move on by a minute at least, so a busy number costs one write a minute.';
comment on column holdings.last_call_at is 'Unused since last_calls exists. Kept for servers of the previous version.';
alter table last_calls enable row level security;
alter table last_calls force row level security;
grant select on last_calls to dialplane_organisation, dialplane_system;
create policy organisation on last_calls for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy system on last_calls for select to dialplane_system using ((select current_task()) is not null);
grant select, insert, update on last_calls to dialplane_calls;
create policy calls on last_calls to dialplane_calls using (true);

-- Rows in the order of the key, so that two batches of records never wait for each other in a circle.
create function note_last_calls() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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

-- The same steps as for the other tables of calls: it takes membership and the right to create to give something away.
grant dialplane_calls to current_user;
grant create on schema public to dialplane_calls;
alter function note_last_calls owner to dialplane_calls;
create policy migration on call_records for select to dialplane_calls using (true);
set local role dialplane_calls;
grant trigger on call_records to dialplane_calls;
create trigger call_records_note_last_calls after insert on call_records referencing new table as inserted
  for each statement execute function note_last_calls();
revoke trigger on call_records from dialplane_calls;
insert into last_calls (holding_id, organisation_id, environment, started_at)
  select holding_id, organisation_id, environment, max(started_at) from call_records
  where holding_id is not null and result <> 'not_served' group by holding_id, organisation_id, environment;
reset role;
drop policy migration on call_records;
revoke create on schema public from dialplane_calls;
revoke dialplane_calls from current_user;

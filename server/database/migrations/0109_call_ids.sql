-- Finds the days of a Call-ID with one look-up. Calls are in one partition per day.

create table call_ids (
  digest  bigint not null,
  day     date not null,
  primary key (digest, day)
);
comment on table call_ids is
  'Days (UTC) on which a Call-ID occurs in call_parties, kept as long as its rows. It has no organisation: it only '
  'says which partitions to read.';
comment on column call_ids.digest is
  'hashtextextended(sip_call_id, 0). 0: any Call-ID may occur on this day, because its calls are older than the table.';

create index call_ids_by_day on call_ids (day);

-- The indexes over all organisations get the environment, which every search names. Row policies keep an expression
-- from being an index condition. No search of an organisation asks for this order of nulls, so none reads the calls of
-- others.
grant dialplane_calls to current_user;
-- squawk-ignore require-concurrent-index-deletion
drop index call_records_of_all;
-- squawk-ignore require-concurrent-index-deletion
drop index call_parties_of_all_by_caller;
-- squawk-ignore require-concurrent-index-creation
create index call_records_of_all on only call_records (environment, started_at desc nulls last);
-- squawk-ignore require-concurrent-index-creation
create index call_parties_of_all_by_caller on only call_parties (environment, caller, started_at);
revoke dialplane_calls from current_user;

-- Includes tomorrow, because the trigger exists a little later. Before the policies, which hold for the owner too.
insert into call_ids (digest, day)
select 0, d.day
from (
  select to_date(substr(c.relname, 9), 'YYYY_MM_DD') as day from pg_class c
  where c.relnamespace = 'call_partitions'::regnamespace and c.relkind = 'r' and c.relname like 'parties\_%') d
where d.day <= current_date + 1;

alter table call_ids enable row level security;
alter table call_ids force row level security;

-- Written by a trigger of call_parties, read by days_of_call_id.
create policy calls on call_ids to dialplane_calls using (true);
create policy system on call_ids to dialplane_system using ((select current_task()) is not null);

grant select, insert on call_ids to dialplane_calls;
grant select, delete on call_ids to dialplane_system;

-- Days of a time zone whose offset is not a whole number of hours begin within an hour of UTC.

create table organisation_usage_quarters (
  organisation_id    uuid not null references organisations,
  environment        text not null check (environment in ('live', 'test')),
  quarter            timestamptz not null,
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
  primary key (organisation_id, environment, quarter, switch_id),
  check (calls = answered + busy + no_answer + cancelled + rejected + failed)
) with (fillfactor = 70);
comment on table organisation_usage_quarters is
  'organisation_usage_hours by 15 minutes: since 1972, the offsets of all time zones are multiples of them.';

alter table organisation_usage_quarters enable row level security;
alter table organisation_usage_quarters force row level security;

create policy organisation on organisation_usage_quarters for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on organisation_usage_quarters for select to dialplane_system
    using ((select current_task()) is not null);

create policy calls on organisation_usage_quarters to dialplane_calls using (true);

grant select on organisation_usage_quarters to dialplane_organisation, dialplane_system;
grant select, insert, update on organisation_usage_quarters to dialplane_calls;

create table usage_quarters_start (
  one    boolean primary key default true check (one),
  since  timestamptz not null
);
comment on table usage_quarters_start is
  'Time since which organisation_usage_quarters counts all calls. Earlier calls are counted by the hour only.';

alter table usage_quarters_start enable row level security;
alter table usage_quarters_start force row level security;

create policy organisation on usage_quarters_start for select to dialplane_organisation using (true);
create policy system on usage_quarters_start to dialplane_system using ((select current_task()) is not null);

grant select on usage_quarters_start to dialplane_organisation, dialplane_system;
grant insert on usage_quarters_start to dialplane_system;

grant dialplane_system to current_user;
set local role dialplane_system;
select set_config('app.task', 'usage', true);
insert into usage_quarters_start (since)
  select case when exists (select from organisation_usage_hours)
    then date_trunc('hour', now(), 'UTC') + interval '1 hour' else '2000-01-01T00:00:00Z' end;
select set_config('app.task', '', true);
set local role none;
revoke dialplane_system from current_user;

-- Usage of organisations by the day, which stays when its hours are deleted.

create table organisation_usage_days (
  organisation_id    uuid not null references organisations,
  environment        text not null check (environment in ('live', 'test')),
  day                date not null,
  calls              bigint not null,
  answered           bigint not null,
  busy               bigint not null,
  no_answer          bigint not null,
  cancelled          bigint not null,
  rejected           bigint not null,
  failed             bigint not null,
  talk_seconds       bigint not null,
  forwarded_seconds  bigint not null,
  primary key (organisation_id, environment, day),
  check (calls = answered + busy + no_answer + cancelled + rejected + failed)
);
comment on table organisation_usage_days is
  'Days (UTC) whose hours are deleted. Other days are in organisation_usage_hours. No call is in both.';

alter table organisation_usage_days enable row level security;
alter table organisation_usage_days force row level security;

create policy organisation on organisation_usage_days for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy system on organisation_usage_days for select to dialplane_system
    using ((select current_task()) is not null);
create policy calls on organisation_usage_days to dialplane_calls using (true);

grant select on organisation_usage_days to dialplane_organisation, dialplane_system;
grant select, insert, update, delete on organisation_usage_days to dialplane_calls;
grant delete on organisation_usage_hours, organisation_usage_quarters to dialplane_calls;

alter table usage_quarters_start add column hours_since timestamptz not null default '2000-01-01T00:00:00Z';
comment on table usage_quarters_start is
  'Time since which usage is counted by the quarter of an hour and by the hour. Earlier calls are counted in larger '
  'units only.';
comment on column usage_quarters_start.hours_since is
  'Time since which usage_hours and organisation_usage_hours are complete. A full day of UTC.';

create policy calls on usage_quarters_start to dialplane_calls using (true);
grant select, update on usage_quarters_start to dialplane_calls;

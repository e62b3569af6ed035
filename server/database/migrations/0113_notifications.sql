-- Notifications: rules of organisations and of the operator, and the problems that they were notified of.

create table notification_rules (
  organisation_id  uuid references organisations,
  environment      text check (environment in ('live', 'test')),
  rules            jsonb not null check (jsonb_typeof(rules) = 'object'),
  next_sweep_at    timestamptz not null,
  check ((organisation_id is null) = (environment is null))
) with (fillfactor = 70);
comment on table notification_rules is
  'One row for each organisation and environment with rules. The row without an organisation is the operator''s. A '
  'worker locks it while it looks for problems.';
comment on column notification_rules.rules is
  'By kind of problem: {"webhook": boolean, "user_ids": [...]}. Mail goes to those who are members when it is written.';

create unique index notification_rules_one on notification_rules (organisation_id, environment) nulls not distinct;
create index notification_rules_due on notification_rules (next_sweep_at);

alter table notification_rules enable row level security;
alter table notification_rules force row level security;

create policy organisation on notification_rules to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on notification_rules to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (rules), delete on notification_rules to dialplane_organisation;
grant select, insert, update (rules, next_sweep_at), delete on notification_rules to dialplane_system;

create table problems (
  id               uuid primary key,
  organisation_id  uuid references organisations,
  environment      text check (environment in ('live', 'test')),
  kind             text not null check (length(kind) <= 64),
  subject          text not null check (length(subject) <= 200),
  label            text check (length(label) <= 2000),
  error            text check (length(error) <= 500),
  since            timestamptz not null,
  last_seen_at     timestamptz not null,
  begun_at         timestamptz,
  begun_in         uuid,
  ended_at         timestamptz,
  ended_in         uuid,
  check ((organisation_id is null) = (environment is null)),
  check ((begun_at is null) = (begun_in is null)),
  check ((ended_at is null) = (ended_in is null)),
  check (ended_at >= begun_at),
  check (ended_at is null or begun_at is not null)
);
comment on table problems is
  'Problems of kinds with a rule. A problem begins, and later ends, once: with its event and mails, in the transaction '
  'that sets begun_at or ended_at. Before that, it is observed.';
comment on column problems.begun_in is
  'Reference of a mail: all problems of a kind that began at the same time share it.';

create unique index problems_one_open on problems (organisation_id, environment, kind, subject) nulls not distinct
  where ended_at is null;
create index problems_begun_in on problems (begun_in) where begun_in is not null;
create index problems_ended_in on problems (ended_in) where ended_in is not null;
create index problems_ended on problems (ended_at) where ended_at is not null;

alter table problems enable row level security;
alter table problems force row level security;

create policy organisation on problems to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on problems to dialplane_system using ((select current_task()) is not null);

grant select, delete on problems to dialplane_organisation;
grant select, insert, update (label, error, since, last_seen_at, begun_at, begun_in, ended_at, ended_in), delete
  on problems to dialplane_system;

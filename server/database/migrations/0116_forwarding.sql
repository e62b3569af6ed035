-- Limits of forwarded calls for each organisation, and how they are divided among switches.

create table forwarding_policies (
  organisation_id  uuid primary key references organisations,
  generation       bigint not null check (generation > 0),
  calls_at_once    integer check (calls_at_once >= 0),
  calls_per_day    integer check (calls_per_day >= 0),
  minutes_per_day  integer check (minutes_per_day between 0 and 1000000),
  caller           text not null check (caller in ('pass', 'called', 'fixed')),
  caller_number    text check (caller_number ~ '^\+[1-9][0-9]{6,14}$'),
  identity         text not null check (identity in ('keep', 'drop')),
  updated_at       timestamptz not null,
  check ((caller = 'fixed') = (caller_number is not null)),
  check (caller = 'pass' or identity = 'drop')
);
comment on table forwarding_policies is
  'Limits that an operator sets for calls that an organisation forwards. An organisation without a row has no limits.';
comment on column forwarding_policies.identity is
  'Whether the Identity header is kept. Another From invalidates it, so then it is dropped.';

create table forwarding_allowances (
  switch_id        uuid not null references switches,
  organisation_id  uuid not null references forwarding_policies,
  version          bigint not null,
  generation       bigint not null,
  calls_at_once    integer check (calls_at_once >= 0),
  calls            integer check (calls >= 0),
  seconds          integer check (seconds >= 0),
  most_at_once     integer check (most_at_once >= calls_at_once),
  most_calls       integer check (most_calls >= calls),
  most_seconds     integer check (most_seconds >= seconds),
  is_held          boolean not null,
  use_day          integer not null,
  use_calls        integer not null check (use_calls >= 0),
  use_seconds      integer not null check (use_seconds >= 0),
  use_at_once      integer not null check (use_at_once >= 0),
  changed          bigint not null,
  divided          bigint not null,
  divided_day      integer not null,
  reported_at      timestamptz,
  primary key (organisation_id, switch_id)
) with (fillfactor = 70);
comment on table forwarding_allowances is
  'Part of an organisation''s limits that a switch enforces alone, and its use. A switch without contact keeps '
  'its part.';
comment on column forwarding_allowances.version is 'Counts for each switch.';
comment on column forwarding_allowances.generation is 'Generation of the policy that was divided.';
comment on column forwarding_allowances.most_at_once is
  'The most that the switch may enforce until it has confirmed the version. The sums of these never exceed the policy '
  'that was divided. The same for calls and seconds.';
comment on column forwarding_allowances.use_day is 'UTC day of the use, in days since 1970.';
comment on column forwarding_allowances.changed is
  'Value of forwarding_changes when the use or the part last changed. Other parts divided before it are divided again.';

create unique index forwarding_allowances_by_version on forwarding_allowances (switch_id, version);

create sequence forwarding_changes;

alter table forwarding_policies enable row level security;
alter table forwarding_policies force row level security;
alter table forwarding_allowances enable row level security;
alter table forwarding_allowances force row level security;

create policy organisation on forwarding_policies for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));
create policy organisation on forwarding_allowances for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));

create policy system on forwarding_policies to dialplane_system using ((select current_task()) is not null);
create policy system on forwarding_allowances to dialplane_system using ((select current_task()) is not null);

grant select on forwarding_policies, forwarding_allowances to dialplane_organisation;
grant select, insert, update on forwarding_policies to dialplane_system;
grant select, insert, update on forwarding_allowances to dialplane_system;
grant usage on sequence forwarding_changes to dialplane_system;

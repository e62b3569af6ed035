-- Probes: calls that prove where a number leads, and are not connected.

create table probe_policies (
  organisation_id  uuid primary key references organisations,
  probes_per_day   integer not null check (probes_per_day between 0 and 100000),
  updated_at       timestamptz not null
);
comment on table probe_policies is
  'How many probes an organisation may place on a UTC day. Without a row: none.';

create table probe_callers (
  switch_group_id  uuid primary key references switch_groups,
  trunk            text not null check (length(trunk) between 1 and 100),
  caller           text not null check (caller ~ '^\+[1-9][0-9]{6,14}$'),
  updated_at       timestamptz not null
);
comment on table probe_callers is
  'Trunk by which switches of the group call a carrier, and the caller by which they recognise the call.';

create table probes (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  holding_id       uuid not null,
  e164             text not null collate "C",
  group_id         uuid not null references switch_groups,
  via              text not null check (via in ('switch', 'carrier')),
  token            text not null check (length(token) >= 20),
  caller           text,
  trunk            text,
  status           text not null check (status in ('running', 'proved', 'broken', 'failed')),
  created_at       timestamptz not null,
  created_by       uuid,
  ends_by          timestamptz not null check (ends_by > created_at),
  placed_by        uuid references switches,
  placed_at        timestamptz,
  ended_at         timestamptz,
  links            jsonb not null check (jsonb_typeof(links) = 'array'),
  summary          text check (length(summary) between 1 and 1000),
  check ((via = 'carrier') = (caller is not null)),
  check ((via = 'carrier') = (trunk is not null)),
  check ((status = 'running') = (ended_at is null)),
  check ((status = 'running') = (summary is null)),
  check (num_nulls(placed_by, placed_at) in (0, 2))
) with (fillfactor = 80);
comment on column probes.created_by is 'User who placed it. Null for a schedule.';
comment on column probes.placed_by is 'Switch that calls the carrier. It is chosen once.';
comment on column probes.links is 'Result for each link of the chain. Empty while the probe is running.';

create unique index probes_running on probes (holding_id) where status = 'running';
create index probes_by_group on probes (group_id) where status = 'running';
create index probes_by_number on probes (organisation_id, environment, holding_id, id);
create index probes_by_day on probes (organisation_id, created_at);
create index probes_by_end on probes (ended_at) where ended_at is not null;

create table probe_switches (
  probe_id      uuid not null references probes on delete cascade,
  switch_id     uuid not null references switches,
  expecting_at  timestamptz not null,
  started_at    timestamptz,
  placed        jsonb check (jsonb_typeof(placed) = 'object'),
  seen          jsonb check (jsonb_typeof(seen) = 'object'),
  primary key (probe_id, switch_id)
);
comment on table probe_switches is 'Switches that recognise a probe, and their reports.';
comment on column probe_switches.started_at is
  'Time when the switch got the task to place the call. It gets it once, so that no call is placed twice.';

create table probe_schedules (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  tag              text not null check (length(tag) between 1 and 64),
  via              text not null check (via in ('switch', 'carrier')),
  every_hours      integer not null check (every_hours between 1 and 168),
  created_by       uuid not null,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  round_at         timestamptz not null,
  unique (organisation_id, environment, tag)
);
comment on column probe_schedules.round_at is
  'Start of the current round, in which each number with the tag is probed once, or of the next round.';
create index probe_schedules_by_round on probe_schedules (round_at);

alter table probe_policies enable row level security;
alter table probe_policies force row level security;
alter table probe_callers enable row level security;
alter table probe_callers force row level security;
alter table probes enable row level security;
alter table probes force row level security;
alter table probe_switches enable row level security;
alter table probe_switches force row level security;
alter table probe_schedules enable row level security;
alter table probe_schedules force row level security;

create policy organisation on probe_policies for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));
create policy organisation on probe_callers for select to dialplane_organisation using (true);
create policy organisation on probes to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on probe_schedules to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy system on probe_policies to dialplane_system using ((select current_task()) is not null);
create policy system on probe_callers to dialplane_system using ((select current_task()) is not null);
create policy system on probes to dialplane_system using ((select current_task()) is not null);
create policy system on probe_switches to dialplane_system using ((select current_task()) is not null);
create policy system on probe_schedules to dialplane_system using ((select current_task()) is not null);

grant select on probe_policies to dialplane_organisation;
grant select on probe_callers to dialplane_organisation;
grant select, insert on probes to dialplane_organisation;
grant select, insert, delete, update (via, every_hours, updated_at) on probe_schedules to dialplane_organisation;
grant select, insert, update on probe_policies to dialplane_system;
grant select, insert, update, delete on probe_callers to dialplane_system;
grant select, insert, delete on probes to dialplane_system;
grant update (status, placed_by, placed_at, ended_at, links, summary) on probes to dialplane_system;
grant select, insert, update (started_at, placed, seen) on probe_switches to dialplane_system;
grant select, update (round_at) on probe_schedules to dialplane_system;

-- Lasting evidence for the timeline of a number: when each switch read a route back, and what it rejected.

create table applied_routes (
  holding_id       uuid not null,
  at               timestamptz not null,
  switch_id        uuid not null references switches,
  version          bigint not null,
  generation       bigint not null,
  mode             text check (mode in ('sip_uri', 'connection', 'unrouted', 'forward', 'webhook')),
  published_at     timestamptz not null,
  organisation_id  uuid not null,
  environment      text not null check (environment in ('live', 'test')),
  primary key (holding_id, at, switch_id, version),
  check (at >= published_at)
);
comment on table applied_routes is
  'Each published version of a route that a switch has read back, with the time of its first report. Append-only. The '
  'organisation has no foreign key: it comes from the feed item, and the check would cost each row a lookup.';
comment on column applied_routes.mode is
  'Mode that the switch read back: unrouted while the number is suspended. Null if the route was removed.';
comment on column applied_routes.published_at is 'When the version was published to the switches.';

alter table applied_routes enable row level security;
alter table applied_routes force row level security;

-- Written so that no index serves it: readings are found by their number.
create policy organisation on applied_routes for select to dialplane_organisation
  using (organisation_id is not distinct from (select current_organisation_id())
    and environment is not distinct from (select current_environment()));

-- Without a look at the feed item, unlike failures: it would double what a report pays for a reading.
create policy switch on applied_routes to dialplane_switch using (switch_id = (select current_switch_id()));

create policy system on applied_routes for select to dialplane_system using ((select current_task()) is not null);

grant select on applied_routes to dialplane_organisation, dialplane_system;
grant select, insert on applied_routes to dialplane_switch;

create table applied_marks (
  switch_id  uuid not null references switches,
  shard      integer not null references feed_shards,
  version    bigint not null,
  primary key (switch_id, shard)
) with (fillfactor = 50);
comment on table applied_marks is
  'Version of a shard up to which applied_routes has the readings of a switch. Unlike a watermark it stays when the '
  'switch loses its memory, so that a restart records nothing twice.';

alter table applied_marks set (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);

-- Versions that were read back before this table existed have no known time. Before row-level security is turned on,
-- and as a role that sees all watermarks: it applies to the owner too.
grant dialplane_system to current_user;
grant insert on applied_marks to dialplane_system;
set local role dialplane_system;
select set_config('app.task', 'timeline', true);
insert into applied_marks (switch_id, shard, version) select switch_id, shard, version from applied_watermarks;
set local role none;
revoke insert on applied_marks from dialplane_system;
revoke dialplane_system from current_user;

alter table applied_marks enable row level security;
alter table applied_marks force row level security;

create policy switch on applied_marks to dialplane_switch using (switch_id = (select current_switch_id()));

create policy system on applied_marks for select to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (version) on applied_marks to dialplane_switch;
grant select on applied_marks to dialplane_system;

-- A switch's readings begin with what was published after it was added.
grant select (created_at) on switches to dialplane_switch;

create table failed_routes (
  id               uuid primary key,
  switch_id        uuid not null references switches,
  holding_id       uuid not null,
  shard            integer not null references feed_shards,
  version          bigint not null,
  generation       bigint not null,
  error            text not null check (length(error) <= 500),
  first_at         timestamptz not null,
  ended_at         timestamptz,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  check (ended_at >= first_at)
);
comment on table failed_routes is
  'Versions of a route that a switch rejected, from the first report of the error to its end. The error is the latest.';

create unique index failed_routes_one_open on failed_routes (switch_id, holding_id) where ended_at is null;
create index failed_routes_by_number on failed_routes (holding_id, first_at, id);

alter table failed_routes enable row level security;
alter table failed_routes force row level security;

create policy organisation on failed_routes for select to dialplane_organisation
  using (organisation_id is not distinct from (select current_organisation_id())
    and environment is not distinct from (select current_environment()));

create policy switch on failed_routes to dialplane_switch
  using (switch_id = (select current_switch_id()))
  with check (switch_id = (select current_switch_id()) and (organisation_id, environment) = (
    select i.organisation_id, i.environment from feed_items i
    where i.item_id = failed_routes.holding_id and i.shard = failed_routes.shard limit 1));

create policy system on failed_routes to dialplane_system using ((select current_task()) is not null);

grant select on failed_routes to dialplane_organisation;
grant select, insert, update (error, ended_at) on failed_routes to dialplane_switch;
grant select, update (ended_at) on failed_routes to dialplane_system;

alter table drift_episodes add column repaired_at timestamptz;
comment on column drift_episodes.repaired_at is 'Last report of a repair. Null before the first, and in older episodes.';

grant update (repaired_at) on drift_episodes to dialplane_switch;

-- Changes of a number's status, with their authors. Building the index blocks changes for about a second per million
-- audit entries. Calls are not affected. A change of routing adds nothing to it.

-- squawk-ignore require-concurrent-index-creation
create index audit_entries_of_number_states on audit_entries (organisation_id, subject, at, id)
  where action in ('number.added', 'number.suspended', 'number.resumed', 'number.releasing', 'number.release_failed',
    'number.quarantined', 'number.released', 'number.restoring', 'number.restore_failed', 'number.restored');

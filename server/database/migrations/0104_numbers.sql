create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Text that a search matches: the digits, and the label in lower case.
create function searched_text(e164 text, label text) returns text language sql immutable parallel safe
  return (e164 collate "default") || ' ' || lower(coalesce(label, '') collate "default");

-- Organisation and environment in one key, for the search index only, so that the planner uses no other index for it.
create function side_key(organisation_id uuid, environment text) returns text language sql immutable parallel safe
  return organisation_id::text || environment;

create table numbers (
  id            uuid primary key,
  environment   text not null check (environment in ('live', 'test')),
  e164          text not null check (e164 ~ '^\+[1-9][0-9]{6,14}$'),
  country       text check (country ~ '^[A-Z]{2}$'),
  type          text not null check (length(type) between 1 and 40),
  capabilities  text[] not null default '{voice}',
  group_id      uuid not null,
  shard         integer not null references feed_shards,
  is_stock      boolean not null default true,
  is_free       boolean not null default true check (is_stock or not is_free),
  created_at    timestamptz not null,
  unique (environment, e164),
  unique (id, environment, e164),
  foreign key (group_id, environment) references switch_groups (id, environment)
);
comment on table numbers is
  'Phone numbers of the operator, held or free, and all numbers that ever came from a carrier.';
comment on column numbers.is_stock is
  'Whether the number belongs to the operator. Other numbers come with an order and return to the carrier after a '
  'release, so they are never offered from stock.';
comment on column numbers.country is 'Null where a number belongs to no country, such as +800.';
comment on column numbers.is_free is
  'Whether a live number has no holder. A trigger maintains it, so that a search for free numbers reads no others. '
  'Each test environment has all test numbers to itself.';

create index numbers_by_group on numbers (group_id);
create index numbers_free on numbers (environment, e164) where is_free;
create index numbers_free_by_country on numbers (environment, country, e164) where is_free;
create index numbers_free_by_type on numbers (environment, type, e164) where is_free;
create index numbers_free_by_country_type on numbers (environment, country, type, e164) where is_free;

alter table numbers enable row level security;
alter table numbers force row level security;

create policy system on numbers to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (is_stock, is_free) on numbers to dialplane_system;

create table holdings (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  number_id        uuid not null,
  e164             text not null collate "C",
  country          text,
  type             text not null,
  capabilities     text[] not null,
  status           text not null check (status in ('active', 'suspended', 'releasing', 'quarantined', 'released')),
  is_held          boolean not null generated always as (status in ('active', 'suspended', 'releasing')) stored,
  label            text check (length(label) between 1 and 200),
  tags             text[] not null default '{}' check (cardinality(tags) <= 20),
  release_lock     boolean not null default false,
  source           text not null check (source in ('order', 'import')),
  order_id         uuid,
  carrier          text check (length(carrier) between 1 and 40),
  status_reason    text check (length(status_reason) between 1 and 64),
  acquired_at      timestamptz not null,
  released_at      timestamptz,
  restore_until    timestamptz,
  last_call_at     timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  foreign key (number_id, environment, e164) references numbers (id, environment, e164),
  check ((status = 'released') = (released_at is not null)),
  unique (organisation_id, environment, id)
);
comment on table holdings is
  'Periods in which an organisation has a number. Each is a number in the API, and is kept forever.';
comment on column holdings.carrier is
  'Carrier to notify when the number is released; null for a number that the operator provided.';
comment on column holdings.status_reason is 'Why it is suspended, where the operator or the carrier gave a reason.';
comment on column holdings.e164 is 'Copy from `numbers`, enforced by the foreign key, because lists are sorted by it.';
comment on column holdings.last_call_at is 'Unused since last_calls exists. Kept for servers of the previous version.';

create unique index holdings_one_open_live on holdings (number_id) where environment = 'live' and status <> 'released';

create unique index holdings_one_open_test on holdings (organisation_id,
    number_id) where environment = 'test' and status <> 'released';

create index holdings_by_number on holdings (number_id, environment, e164);

-- One index for each filter and order of the list: no page reads more rows than it shows.
create index holdings_held_by_id on holdings (organisation_id, environment, id) where is_held;

create index holdings_held_by_e164 on holdings (organisation_id, environment, e164, id) where is_held;
create index holdings_held_by_country_id on holdings (organisation_id, environment, country, id) where is_held;
create index holdings_held_by_country_e164 on holdings (organisation_id, environment, country, e164, id) where is_held;
create index holdings_held_by_type_id on holdings (organisation_id, environment, type, id) where is_held;
create index holdings_held_by_type_e164 on holdings (organisation_id, environment, type, e164, id) where is_held;

-- The tables are created in the same run of migrations, and empty.
create index holdings_by_search on holdings using gin (side_key(organisation_id, environment),
    searched_text(e164, label) gin_trgm_ops);

create index holdings_by_label on holdings (organisation_id, environment,
    (lower(label) collate "C")) where label is not null;

-- The column came with this release, so nothing is in it yet.
create index holdings_by_carrier on holdings (carrier) where environment = 'live' and carrier is not null and is_held;

-- A lookup of a holding by key could scan its whole organisation. The two indexes for lists by status start and end
-- with the columns of the key, so an index-only scan can return the status, but it cannot skip the columns in
-- between. After a VACUUM the planner preferred such a scan in set_routing and publish_route: 1,209 buffers at
-- 100,000 numbers instead of 4. These replace them. The condition is true for every row, but the planner uses a
-- partial index only if the statement implies its condition, so they serve only statements that filter by status.
-- Migration 0038 drops the old ones. In one transaction with this, that would deadlock with any writer that waits for
-- the build.

-- By ID last: without statistics the planner prefers the newest index, and this one has every column that a change of
-- status names.
create index holdings_of_status_by_e164 on holdings (organisation_id, environment, status, e164,
    id) where status is not null;

create index holdings_of_status_by_id on holdings (organisation_id, environment, status, id) where status is not null;

alter table holdings enable row level security;
alter table holdings force row level security;

create policy organisation on holdings to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on holdings to dialplane_system using ((select current_task()) is not null);
create policy search on holdings for select to dialplane_search using (true);

-- A release begins with its request.
grant select, update (status, label, tags, release_lock, updated_at) on holdings to dialplane_organisation;

grant select, insert, update (status, status_reason, released_at, restore_until, updated_at)
  on holdings to dialplane_system;

grant select on holdings to dialplane_search;

create table holding_tags (
  organisation_id  uuid not null,
  environment      text not null,
  tag              text not null collate "C" check (length(tag) between 1 and 50),
  holding_id       uuid not null,
  e164             text not null collate "C",
  primary key (organisation_id, environment, tag, holding_id),
  foreign key (organisation_id, environment, holding_id) references holdings (organisation_id, environment, id)
);
comment on table holding_tags is
  'holdings.tags, one row each, kept by a trigger: the operators that search an array would read every row under '
  'row-level security.';

create index holding_tags_by_e164 on holding_tags (organisation_id, environment, tag, e164, holding_id);
create index holding_tags_by_holding on holding_tags (organisation_id, environment, holding_id);

alter table holding_tags enable row level security;
alter table holding_tags force row level security;

create policy organisation on holding_tags to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on holding_tags to dialplane_system using ((select current_task()) is not null);

create policy search on holding_tags for select to dialplane_search
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

grant select, insert, delete on holding_tags to dialplane_organisation, dialplane_system;
grant select on holding_tags to dialplane_search;

create table connections (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  name             text not null check (length(name) between 1 and 100),
  max_calls        integer check (max_calls between 1 and 100000),
  ring_seconds     integer check (ring_seconds between 5 and 300),
  generation       bigint not null default 1,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  sources          text[] not null default '{}' check (cardinality(sources) <= 20),
  unique (organisation_id, environment, id),
  unique (organisation_id, environment, name)
);
comment on table connections is
  'Named trunks of a customer. Numbers point at one by id, so changing it touches no number.';
comment on column connections.sources is 'Requests within a call are taken from these networks too.';

alter table connections enable row level security;
alter table connections force row level security;

create policy organisation on connections to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on connections to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (name, max_calls, ring_seconds, generation, updated_at, sources), delete
  on connections to dialplane_organisation;

grant select on connections to dialplane_system;

create table connection_targets (
  organisation_id  uuid not null,
  environment      text not null,
  connection_id    uuid not null,
  position         smallint not null,
  host             text not null check (length(host) between 1 and 253),
  port             integer not null check (port between 1 and 65535),
  transport        text not null check (transport in ('udp', 'tcp', 'tls')),
  priority         smallint not null check (priority between 1 and 100),
  weight           smallint not null check (weight between 1 and 100),
  primary key (connection_id, position),
  foreign key (organisation_id, environment, connection_id) references connections (organisation_id, environment,
      id) on delete cascade
);

create index connection_targets_by_connection on connection_targets (organisation_id, environment, connection_id);

alter table connection_targets enable row level security;
alter table connection_targets force row level security;

create policy organisation on connection_targets to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on connection_targets to dialplane_system using ((select current_task()) is not null);

grant select, insert, delete on connection_targets to dialplane_organisation;
grant select on connection_targets to dialplane_system;

create table connection_placements (
  organisation_id  uuid not null,
  environment      text not null,
  connection_id    uuid not null,
  group_id         uuid not null references switch_groups,
  shard            integer not null references feed_shards,
  version          bigint not null,
  primary key (connection_id, group_id),
  foreign key (organisation_id, environment, connection_id) references connections (organisation_id, environment,
      id) on delete cascade
);
comment on table connection_placements is
  'Which groups of switches know a connection, and by which version: those with a number that uses it.';

create index connection_placements_by_connection on connection_placements (organisation_id, environment, connection_id);

alter table connection_placements enable row level security;
alter table connection_placements force row level security;

create policy organisation on connection_placements to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on connection_placements to dialplane_system using ((select current_task()) is not null);

create policy search on connection_placements for select to dialplane_search
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

grant select, insert, update (version), delete on connection_placements to dialplane_organisation;
grant select on connection_placements to dialplane_system, dialplane_search;

create table routings (
  holding_id              uuid primary key,
  organisation_id         uuid not null,
  environment             text not null,
  e164                    text not null collate "C",
  mode                    text not null check (mode in ('sip_uri', 'connection', 'unrouted', 'forward', 'webhook')),
  sip_uri                 text check (length(sip_uri) <= 255),
  connection_id           uuid,
  forward_to              text check (forward_to ~ '^\+[1-9][0-9]{6,14}$'),
  webhook_url             text check (length(webhook_url) <= 2000),
  fallback_mode           text check (fallback_mode in ('sip_uri', 'connection', 'unrouted')),
  fallback_sip_uri        text check (length(fallback_sip_uri) <= 255),
  fallback_connection_id  uuid,
  generation              bigint not null default 1,
  set_at                  timestamptz not null,
  set_by_kind             text not null,
  set_by_id               uuid,
  set_by_name             text,
  reason                  text check (length(reason) between 1 and 500),
  group_id                uuid not null references switch_groups,
  shard                   integer not null references feed_shards,
  version                 bigint not null,
  foreign key (organisation_id, environment, holding_id) references holdings (organisation_id, environment, id),
  foreign key (organisation_id, environment, connection_id) references connections (organisation_id, environment, id),
  foreign key (organisation_id, environment, fallback_connection_id) references connections (organisation_id,
      environment, id),
  check ((mode = 'sip_uri') = (sip_uri is not null)),
  check ((mode = 'connection') = (connection_id is not null)),
  check ((mode = 'forward') = (forward_to is not null)),
  check ((mode = 'webhook') = (webhook_url is not null)),
  check ((mode = 'webhook') = (fallback_mode is not null)),
  check ((fallback_mode is not distinct from 'sip_uri') = (fallback_sip_uri is not null)),
  check ((fallback_mode is not distinct from 'connection') = (fallback_connection_id is not null)),
  unique (organisation_id, environment, holding_id)
) with (fillfactor = 80);
comment on table routings is 'Desired route of a number, and the feed version that last published it.';

create index routings_by_mode_id on routings (organisation_id, environment, mode, holding_id);
create index routings_by_mode_e164 on routings (organisation_id, environment, mode, e164, holding_id);
create index routings_by_group_id on routings (organisation_id, environment, group_id, holding_id);
create index routings_by_group_e164 on routings (organisation_id, environment, group_id, e164, holding_id);

create index routings_by_connection on routings (organisation_id, environment, connection_id,
    holding_id) where connection_id is not null;

create index routings_by_fallback on routings (organisation_id, environment, fallback_connection_id,
    holding_id) where fallback_connection_id is not null;

alter table routings enable row level security;
alter table routings force row level security;

create policy organisation on routings to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on routings to dialplane_system using ((select current_task()) is not null);

create policy search on routings for select to dialplane_search
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy calls on routings for select to dialplane_calls using (group_id = (select current_switch_group_id()));

grant
  select,
  update (mode, sip_uri, connection_id, forward_to, webhook_url, fallback_mode, fallback_sip_uri,
      fallback_connection_id, generation, set_at, set_by_kind, set_by_id, set_by_name, reason, version)
  on routings to dialplane_organisation;

grant
  select,
  insert,
  update (mode, sip_uri, connection_id, forward_to, webhook_url, fallback_mode, fallback_sip_uri,
      fallback_connection_id, generation, set_at, set_by_kind, set_by_id, set_by_name, reason, version)
  on routings to dialplane_system;

grant select on routings to dialplane_search;
grant select (holding_id, organisation_id, environment, group_id) on routings to dialplane_calls;

create table routing_revisions (
  organisation_id  uuid not null,
  environment      text not null,
  holding_id       uuid not null,
  generation       bigint not null,
  desired          jsonb not null,
  reason           text,
  set_at           timestamptz not null,
  set_by_kind      text not null,
  set_by_id        uuid,
  set_by_name      text,
  primary key (holding_id, generation),
  foreign key (organisation_id, environment, holding_id) references holdings (organisation_id, environment, id)
);
comment on table routing_revisions is 'Everything that was ever set, by whom and why. Append-only.';

alter table routing_revisions enable row level security;
alter table routing_revisions force row level security;

create policy organisation on routing_revisions to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on routing_revisions to dialplane_system using ((select current_task()) is not null);

grant select, insert on routing_revisions to dialplane_organisation, dialplane_system;

create table reservations (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  status           text not null check (status in ('active', 'ordered', 'cancelled')),
  carrier          text not null check (length(carrier) between 1 and 40),
  numbers          text[] not null check (cardinality(numbers) between 1 and 100),
  created_by       uuid not null references users,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  unique (organisation_id, environment, id)
);
comment on table reservations is
  'Numbers an organisation has put aside for a while. That each is put aside once only is the carrier''s word; for '
  'our own stock see stock_reservations.';
comment on column reservations.status is 'Expired is not stored: it follows from `expires_at`.';
comment on column reservations.carrier is
  'Carrier that made the reservation. A carrier connected later does not know it.';

create index reservations_by_creator on reservations (created_by);

-- An order asks which of its numbers the organisation has reserved. Few reservations hold anything, however many
-- there were. The table is small, so writers wait for moments only.
create index reservations_by_expiry on reservations (organisation_id, environment, expires_at);

alter table reservations enable row level security;
alter table reservations force row level security;

create policy organisation on reservations to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on reservations for select to dialplane_system using ((select current_task()) is not null);

-- A carrier without cancellation keeps listing a reservation, so the inventory checks the status of reservations
-- across all organisations.
grant select, insert, update (status) on reservations to dialplane_organisation;

grant select (id, status) on reservations to dialplane_system;

create table stock_reservations (
  number_id       uuid not null references numbers,
  test_side_of    uuid references organisations,
  reference       uuid not null,
  reserved_until  timestamptz not null,
  unique nulls not distinct (number_id, test_side_of)
);
comment on table stock_reservations is
  'Reserved numbers of the stock: one reference each, by the unique constraint. After expiry, the next reservation '
  'takes over the row.';
comment on column stock_reservations.test_side_of is
  'Organisation of the test environment, which has all fictional numbers to itself; null for a live number.';

create index stock_reservations_by_reference on stock_reservations (reference);
create index stock_reservations_by_test_side on stock_reservations (test_side_of) where test_side_of is not null;

alter table stock_reservations enable row level security;
alter table stock_reservations force row level security;

create policy system on stock_reservations to dialplane_system using ((select current_task()) is not null);

-- The stock belongs to the operator. Organisations see only what the inventory returns, and never the owner of a
-- reservation.
grant select, insert, update (reference, reserved_until), delete on stock_reservations to dialplane_system;

create table bulk_changes (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  status           text not null default 'planned' check (status in ('planned', 'applying', 'finished')),
  change           jsonb not null,
  reason           text check (length(reason) between 1 and 500),
  missing          uuid[] not null default '{}' check (cardinality(missing) <= 1000),
  total            integer not null default 0 check (total between 0 and 50000),
  set_count        integer not null default 0,
  unchanged_count  integer not null default 0,
  stale_count      integer not null default 0,
  failed_count     integer not null default 0,
  created_by_kind  text not null,
  created_by_id    uuid,
  created_by_name  text,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  started_at       timestamptz,
  advanced_at      timestamptz,
  finished_at      timestamptz,
  unique (organisation_id, environment, id),
  check ((status = 'planned') = (started_at is null)),
  check ((status = 'finished') = (finished_at is not null)),
  check (set_count + unchanged_count + stale_count + failed_count <= total),
  check (status <> 'finished' or set_count + unchanged_count + stale_count + failed_count = total)
) with (fillfactor = 50);
comment on table bulk_changes is
  'The same change to many numbers: planned, reviewed, then applied. The changes belong to the user or key that '
  'planned them.';
comment on column bulk_changes.status is 'Expired is not stored: it follows from `expires_at`.';
comment on column bulk_changes.set_count is
  'Raised in the transaction that writes the outcomes of the items it counts.';
comment on column bulk_changes.advanced_at is
  'Time when the last items got an outcome. If it is long ago, no worker is processing the change.';

create index bulk_changes_applying on bulk_changes (advanced_at) where status = 'applying';
create index bulk_changes_planned on bulk_changes (expires_at) where status = 'planned';

-- One bulk change of an organisation is applied at a time, the one that started first. Both environments count,
-- because they share the organisation's event head.
create index bulk_changes_by_start on bulk_changes (organisation_id, started_at, id) where status = 'applying';

alter table bulk_changes enable row level security;
alter table bulk_changes force row level security;

create policy organisation on bulk_changes to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on bulk_changes to dialplane_system using ((select current_task()) is not null);

-- The worker looks for what is due, then enters by the organisation's door.
grant
  select,
  insert,
  update (status, missing, total, set_count, unchanged_count, stale_count, failed_count, started_at, advanced_at,
      finished_at)
  on bulk_changes to dialplane_organisation;

grant select, delete on bulk_changes to dialplane_system;

create table bulk_change_items (
  organisation_id    uuid not null,
  environment        text not null,
  bulk_change_id     uuid not null,
  number_id          uuid not null,
  e164               text not null,
  shard              integer not null,
  from_mode          text not null,
  from_generation    bigint not null,
  from_tags          text[] not null,
  from_release_lock  boolean not null,
  outcome            text not null default 'planned' check (outcome in ('planned', 'set', 'unchanged', 'stale',
      'failed')),
  error_code         text check (length(error_code) <= 64),
  error_detail       text check (length(error_detail) <= 1000),
  primary key (organisation_id, environment, bulk_change_id, number_id),
  foreign key (organisation_id, environment, bulk_change_id) references bulk_changes (organisation_id, environment,
      id) on delete cascade,
  foreign key (organisation_id, environment, number_id) references holdings (organisation_id, environment, id),
  check ((outcome = 'failed') = (error_code is not null)),
  check ((error_code is null) = (error_detail is null))
) with (fillfactor = 80);
comment on table bulk_change_items is
  'State of each number at planning time, and the outcome. A number that has changed since then is skipped.';

create index bulk_change_items_by_outcome on bulk_change_items (organisation_id, environment, bulk_change_id, outcome,
    number_id);

create index bulk_change_items_due on bulk_change_items (organisation_id, environment, bulk_change_id, shard,
    number_id) where outcome = 'planned';

alter table bulk_change_items enable row level security;
alter table bulk_change_items force row level security;

create policy organisation on bulk_change_items to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

grant select, insert, update (outcome, error_code, error_detail) on bulk_change_items to dialplane_organisation;

create table jobs (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  type             text not null check (type in ('number_order', 'number_release', 'number_restore')),
  status           text not null default 'queued'
    check (status in ('queued', 'running', 'waiting', 'succeeded', 'partially_succeeded', 'failed')),
  is_open          boolean not null generated always as (status in ('queued', 'running', 'waiting')) stored,
  reason           text check (length(reason) between 1 and 64),
  total            integer not null check (total > 0),
  succeeded        integer not null default 0 check (succeeded >= 0),
  failed           integer not null default 0 check (failed >= 0),
  order_id         uuid,
  number_id        uuid,
  error_code       text check (length(error_code) <= 64),
  error_detail     text check (length(error_detail) <= 1000),
  request_id       text not null,
  attempts         integer not null default 0,
  waits            integer not null default 0,
  next_check_at    timestamptz,
  queued_at        timestamptz not null,
  created_at       timestamptz not null,
  started_at       timestamptz,
  finished_at      timestamptz,
  unique (organisation_id, environment, id),
  check (is_open = (finished_at is null)),
  check (is_open = (next_check_at is not null)),
  check ((status = 'queued') = (started_at is null)),
  check (reason is null or status = 'waiting'),
  check (succeeded + failed <= total),
  check (is_open or succeeded + failed = total),
  check ((error_code is null) = (error_detail is null))
) with (fillfactor = 70);
comment on table jobs is
  'Background work of a request, as callers see it. The queue only wakes a worker, which reads the row.';
comment on column jobs.attempts is
  'Number of claims. A worker writes only while this equals its own claim, so a worker that lost its lease writes '
  'nothing.';
comment on column jobs.waits is
  'How often it was left waiting, which determines the next delay. Attempts that a crash cut short do not count.';
comment on column jobs.next_check_at is
  'Time from which any worker may claim the job: it is due, or the lease of its worker has expired.';
comment on column jobs.queued_at is 'Time of the last wake-up for it. One is enough while the queue is slow.';

create index jobs_due on jobs (next_check_at) where is_open;
create index jobs_ended on jobs (finished_at) where not is_open;
create index jobs_by_organisation on jobs (organisation_id, environment, id);

alter table jobs enable row level security;
alter table jobs force row level security;

create policy organisation on jobs to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy caller on jobs for select to dialplane_caller
  using (exists (select from memberships m where m.organisation_id = jobs.organisation_id)
    or exists (select from api_key_organisations o
      where o.organisation_id = jobs.organisation_id and o.api_key_id = (select current_api_key_id())));

create policy system on jobs to dialplane_system using ((select current_task()) is not null);

-- A caller gets a job by ID across all its organisations.
grant select on jobs to dialplane_caller;

grant select, insert on jobs to dialplane_organisation;

grant
  select,
  update (status, reason, succeeded, failed, error_code, error_detail, attempts, waits, next_check_at, queued_at,
      started_at, finished_at),
  delete
  on jobs to dialplane_system;

create table pool_purchases (
  reference    uuid not null,
  e164         text not null collate "C",
  number_id    uuid references numbers,
  sold_to      uuid not null references organisations,
  asked_at     timestamptz not null,
  returned_at  timestamptz,
  returned_by  uuid,
  primary key (reference, e164),
  check (number_id is not null or returned_by is null),
  check (returned_at is null or returned_by is not null)
);
comment on table pool_purchases is
  'Purchases from the pool of live numbers, by reference, with their results. A sold number keeps its row in '
  'stock_reservations until it is returned, so no other organisation can reserve or buy it.';
comment on column pool_purchases.number_id is 'Null if the number was not available.';
comment on column pool_purchases.returned_by is
  'Reference of the release. It stays where the number was restored afterwards, and returned_at does not.';

create unique index pool_purchases_open on pool_purchases (e164) where number_id is not null and returned_at is null;

create index pool_purchases_by_release on pool_purchases (returned_by) where returned_by is not null;
create index pool_purchases_by_number on pool_purchases (number_id);
create index pool_purchases_by_buyer on pool_purchases (sold_to);

alter table pool_purchases enable row level security;
alter table pool_purchases force row level security;

create policy system on pool_purchases to dialplane_system using ((select current_task()) is not null);

-- A carrier's books are not the customer's: organisations see their orders and numbers.
grant select, insert, update (returned_at, returned_by) on pool_purchases to dialplane_system;

create table sandbox_purchases (
  reference     uuid not null,
  e164          text not null collate "C",
  test_side_of  uuid not null references organisations,
  asked_at      timestamptz not null,
  bought_at     timestamptz,
  returned_at   timestamptz,
  returned_by   uuid,
  primary key (reference, e164),
  check (bought_at is not null or returned_by is null),
  check (returned_at is null or returned_by is not null)
);
comment on table sandbox_purchases is
  'Books of the simulated carrier for test environments. They are in the database, so that it remembers sales that '
  'our own tables have lost.';
comment on column sandbox_purchases.bought_at is
  'Null where the number was rejected; in the future while the order is pending.';
comment on column sandbox_purchases.returned_at is 'In the future while the release is pending.';

create unique index sandbox_purchases_open on sandbox_purchases (test_side_of,
    e164) where bought_at is not null and returned_at is null;

create index sandbox_purchases_by_e164 on sandbox_purchases (e164, reference) where bought_at is not null;
create index sandbox_purchases_by_release on sandbox_purchases (returned_by) where returned_by is not null;
create index sandbox_purchases_by_test_side on sandbox_purchases (test_side_of);

alter table sandbox_purchases enable row level security;
alter table sandbox_purchases force row level security;

create policy system on sandbox_purchases to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (returned_at, returned_by) on sandbox_purchases to dialplane_system;

create table sandbox_reservations (
  test_side_of    uuid not null references organisations,
  e164            text not null collate "C",
  reference       uuid not null,
  reserved_until  timestamptz not null,
  primary key (test_side_of, e164)
);
comment on table sandbox_reservations is
  'Which fictional numbers of a test environment are put aside, or sold: those forever.';

create index sandbox_reservations_by_reference on sandbox_reservations (reference);

alter table sandbox_reservations enable row level security;
alter table sandbox_reservations force row level security;

create policy system on sandbox_reservations to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (reference, reserved_until), delete on sandbox_reservations to dialplane_system;

create table sandbox_calls (
  reference     uuid primary key,
  test_side_of  uuid not null references organisations,
  first_at      timestamptz not null
);
comment on table sandbox_calls is
  'When something was first tried whose number is scripted to get lost, or not to be reachable for a while.';

create index sandbox_calls_by_test_side on sandbox_calls (test_side_of);

alter table sandbox_calls enable row level security;
alter table sandbox_calls force row level security;

create policy system on sandbox_calls to dialplane_system using ((select current_task()) is not null);

grant select, insert on sandbox_calls to dialplane_system;

create table orders (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  job_id           uuid not null,
  status           text not null default 'pending'
    check (status in ('pending', 'processing', 'completed', 'partially_completed', 'failed')),
  carrier          text not null check (length(carrier) between 1 and 40),
  idempotency_key  text not null check (length(idempotency_key) between 1 and 255),
  criteria         jsonb,
  reservation_id   uuid,
  quantity         smallint not null check (quantity between 1 and 100),
  all_or_nothing   boolean not null,
  routing          jsonb,
  routing_reason   text check (length(routing_reason) between 1 and 500),
  label            text check (length(label) between 1 and 200),
  tags             text[] not null check (cardinality(tags) <= 20),
  external_ref     text check (length(external_ref) between 1 and 200),
  created_by_kind  text not null,
  created_by_id    uuid,
  created_by_name  text,
  created_at       timestamptz not null,
  finished_at      timestamptz,
  unique (organisation_id, environment, id),
  foreign key (organisation_id, environment, reservation_id) references reservations (organisation_id, environment, id),
  check (criteria is null or reservation_id is null),
  check (routing is not null or routing_reason is null),
  check ((status in ('completed', 'partially_completed', 'failed')) = (finished_at is not null))
);
comment on table orders is
  'Orders for numbers. Kept forever with the idempotency key, so that an expired key never buys twice.';
comment on column orders.carrier is 'Carrier of the order. A carrier connected later cannot look it up.';
comment on column orders.job_id is 'Jobs are deleted after a while, orders are not: no foreign key.';

-- The second wall behind the idempotency keys, which are forgotten after a while.
create unique index orders_one_per_key on orders (organisation_id, environment, idempotency_key);

create index orders_by_reservation on orders (organisation_id, environment,
    reservation_id) where reservation_id is not null;

alter table orders enable row level security;
alter table orders force row level security;

create policy organisation on orders to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on orders to dialplane_system using ((select current_task()) is not null);

-- Only the worker completes orders, because holdings need the operator's stock, which the organisation role cannot
-- access.
grant select, insert on orders to dialplane_organisation;

grant select, update (status, finished_at) on orders to dialplane_system;

create table order_items (
  organisation_id   uuid not null,
  environment       text not null,
  order_id          uuid not null,
  position          smallint not null check (position between 1 and 100),
  e164              text check (e164 ~ '^\+[1-9][0-9]{6,14}$'),
  step              text not null check (step in
    ('wanted', 'chosen', 'submitted', 'unknown', 'bought', 'active', 'refused', 'returning', 'returned', 'stranded')),
  round             smallint not null default 0 check (round >= 0),
  reference         uuid,
  return_reference  uuid,
  refusals          smallint not null default 0 check (refusals >= 0),
  number_id         uuid,
  is_routed         boolean not null default false,
  error_code        text check (length(error_code) <= 64),
  error_detail      text check (length(error_detail) <= 1000),
  primary key (organisation_id, environment, order_id, position),
  unique (organisation_id, environment, order_id, e164),
  foreign key (organisation_id, environment, order_id) references orders (organisation_id, environment, id),
  foreign key (organisation_id, environment, number_id) references holdings (organisation_id, environment, id),
  check (step <> 'wanted' or e164 is null),
  check (step in ('wanted', 'refused') or e164 is not null),
  check (step not in ('submitted', 'unknown', 'bought', 'active', 'returning', 'returned',
      'stranded') or reference is not null),
  check ((step in ('returning', 'returned', 'stranded')) = (return_reference is not null)),
  check ((step = 'active') = (number_id is not null)),
  check (step not in ('refused', 'returning', 'returned', 'stranded') or error_code is not null),
  check (error_code is null or step in ('active', 'refused', 'returning', 'returned', 'stranded')),
  check (not is_routed or step = 'active'),
  check ((error_code is null) = (error_detail is null))
) with (fillfactor = 70);
comment on table order_items is
  'One number of an order and its progress. The row stores each request to the carrier before the request is sent.';
comment on column order_items.e164 is
  'Null until one is chosen, where the order says only what kind of number is wanted.';
comment on column order_items.round is
  'How often a number has been chosen: one that was sold in the meantime gives way to another.';
comment on column order_items.reference is 'Reference of the last purchase request to the carrier.';
comment on column order_items.return_reference is
  'Reference of the return of a number that was bought and then not used.';
comment on column order_items.refusals is 'Number of times the carrier rejected the return of the number.';
comment on column order_items.error_code is
  'Why there is no number; of an active one, why it could not be routed as ordered.';

-- A second purchase of the same number fails, even from another organisation, worker or carrier.
create unique index order_items_one_purchase_live on order_items (e164)
  where environment = 'live' and step in ('submitted', 'unknown', 'bought', 'returning');

create unique index order_items_one_purchase_test on order_items (organisation_id, e164)
  where environment = 'test' and step in ('submitted', 'unknown', 'bought', 'returning');

create index order_items_by_number on order_items (organisation_id, environment, number_id) where number_id is not null;

alter table order_items enable row level security;
alter table order_items force row level security;

create policy organisation on order_items to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on order_items to dialplane_system using ((select current_task()) is not null);

grant select, insert on order_items to dialplane_organisation;

grant
  select,
  update (e164, step, round, reference, return_reference, refusals, number_id, is_routed, error_code, error_detail)
  on order_items to dialplane_system;

create table releases (
  id                 uuid primary key,
  organisation_id    uuid not null references organisations,
  environment        text not null check (environment in ('live', 'test')),
  holding_id         uuid not null,
  e164               text not null,
  job_id             uuid not null,
  restore_job_id     uuid,
  step               text not null default 'unrouting'
    check (step in ('unrouting', 'telling', 'quarantined', 'restoring', 'restored', 'released', 'failed')),
  previous_status    text not null check (previous_status in ('active', 'suspended')),
  carrier            text check (length(carrier) between 1 and 40),
  asked_by_kind      text not null,
  asked_by_id        uuid,
  asked_by_name      text,
  restored_by_kind   text,
  restored_by_id     uuid,
  restored_by_name   text,
  quarantined_until  timestamptz,
  created_at         timestamptz not null,
  ended_at           timestamptz,
  unique (organisation_id, environment, id),
  foreign key (organisation_id, environment, holding_id) references holdings (organisation_id, environment, id),
  check (step not in ('quarantined', 'restoring', 'restored', 'released') or quarantined_until is not null),
  check (step <> 'restoring' or (restore_job_id is not null and restored_by_kind is not null)),
  check ((step in ('restored', 'released', 'failed')) = (ended_at is not null))
) with (fillfactor = 80);
comment on table releases is 'Releases of numbers: unroute, notify the carrier, quarantine, then end or restore.';
comment on column releases.id is 'ID of the release, also the reference in requests to the carrier.';
comment on column releases.previous_status is 'Status to restore if the release fails or is undone.';

create unique index releases_one_open on releases (holding_id) where ended_at is null;

create index releases_by_holding on releases (organisation_id, environment, holding_id);
create index releases_by_job on releases (job_id);
create index releases_by_restore_job on releases (restore_job_id) where restore_job_id is not null;
create index releases_resting on releases (quarantined_until) where step = 'quarantined';

alter table releases enable row level security;
alter table releases force row level security;

create policy organisation on releases to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on releases to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (restore_job_id, step, restored_by_kind, restored_by_id, restored_by_name)
  on releases to dialplane_organisation;

grant select, update (step, quarantined_until, ended_at) on releases to dialplane_system;

create table reconciliations (
  id           uuid primary key,
  carrier      text not null check (length(carrier) between 1 and 40),
  status       text not null default 'running' check (status in ('running', 'finished', 'failed')),
  held         integer,
  owned        integer,
  error        text check (length(error) <= 500),
  started_at   timestamptz not null,
  finished_at  timestamptz,
  check ((status = 'running') = (finished_at is null)),
  check ((status = 'finished') = (held is not null and owned is not null)),
  check ((status = 'failed') = (error is not null))
);
comment on table reconciliations is
  'Comparisons of the numbers we hold from a carrier with the numbers the carrier lists.';

create index reconciliations_by_carrier on reconciliations (carrier, id);

alter table reconciliations enable row level security;
alter table reconciliations force row level security;

create policy system on reconciliations to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (status, held, owned, error, finished_at) on reconciliations to dialplane_system;

create table reconciliation_findings (
  id                 uuid primary key,
  reconciliation_id  uuid not null references reconciliations,
  kind               text not null check (kind in ('not_at_carrier', 'not_here')),
  e164               text not null,
  holding_id         uuid references holdings,
  bought_for         uuid,
  is_untold          boolean not null default false,
  told_at            timestamptz,
  claimed_until      timestamptz,
  repaired_at        timestamptz,
  check (not is_untold or (holding_id is not null and told_at is null)),
  check ((kind = 'not_at_carrier') = (holding_id is not null))
);
comment on column reconciliation_findings.kind is
  'not_at_carrier: we hold it and the carrier does not list it, as after porting out. not_here: the carrier bills it '
  'and no organisation holds it.';
comment on column reconciliation_findings.is_untold is 'Whether the holder is still to be notified.';
comment on column reconciliation_findings.claimed_until is
  'End of a worker''s lease on the return. A second return could hit a number that the carrier has sold again.';

create index reconciliation_findings_by_reconciliation on reconciliation_findings (reconciliation_id, id);
create index reconciliation_findings_by_holding on reconciliation_findings (holding_id) where holding_id is not null;
create index reconciliation_findings_untold on reconciliation_findings (id) where is_untold;
create index reconciliation_findings_claimed on reconciliation_findings (e164) where claimed_until is not null;

alter table reconciliation_findings enable row level security;
alter table reconciliation_findings force row level security;

create policy system on reconciliation_findings to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (is_untold, told_at, claimed_until, repaired_at)
  on reconciliation_findings to dialplane_system;

create table routing_webhook_secrets (
  organisation_id         uuid not null references organisations,
  environment             text not null check (environment in ('live', 'test')),
  secret_version          integer not null,
  previous_secrets_until  timestamptz[] not null check (cardinality(previous_secrets_until) < 10),
  secret_roots            integer[] not null default '{1}' check (cardinality(secret_roots) between 1 and 10),
  primary key (organisation_id, environment)
);
comment on table routing_webhook_secrets is
  'Which secret signs the questions put to an organisation''s routing webhooks. No row until the first change: the '
  'first secret then.';
comment on column routing_webhook_secrets.secret_version is
  'The secret follows from it and the organisation; it is stored nowhere.';
comment on column routing_webhook_secrets.previous_secrets_until is
  'How long each earlier secret still signs, the last one first.';
comment on column routing_webhook_secrets.secret_roots is 'Root keys of the secrets that sign now, newest first.';

alter table routing_webhook_secrets enable row level security;
alter table routing_webhook_secrets force row level security;

create policy organisation on routing_webhook_secrets to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy calls on routing_webhook_secrets for select to dialplane_calls
  using (exists (select from routings r where r.organisation_id = routing_webhook_secrets.organisation_id
    and r.environment = routing_webhook_secrets.environment and r.group_id = (select current_switch_group_id())));

grant select, insert, update (secret_version, previous_secrets_until, secret_roots)
  on routing_webhook_secrets to dialplane_organisation;

grant select on routing_webhook_secrets to dialplane_calls;

create policy calls on organisations for select to dialplane_calls using (exists (
  select from routings r where r.organisation_id = organisations.id
      and r.group_id = (select current_switch_group_id())));

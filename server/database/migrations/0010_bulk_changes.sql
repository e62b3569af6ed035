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
comment on table bulk_changes is 'The same change to many numbers: planned, looked at, then applied. Whose the changes are is whoever planned them.';
comment on column bulk_changes.status is 'Expired is no state of ours: it follows from expires_at.';
comment on column bulk_changes.set_count is 'Raised in the transaction that writes the outcomes of the items it counts.';
comment on column bulk_changes.advanced_at is 'When the last items got an outcome; long ago means that nobody is at work on it.';
create index bulk_changes_applying on bulk_changes (advanced_at) where status = 'applying';
create index bulk_changes_planned on bulk_changes (expires_at) where status = 'planned';

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
  outcome            text not null default 'planned' check (outcome in ('planned', 'set', 'unchanged', 'stale', 'failed')),
  error_code         text check (length(error_code) <= 64),
  error_detail       text check (length(error_detail) <= 1000),
  primary key (organisation_id, environment, bulk_change_id, number_id),
  foreign key (organisation_id, environment, bulk_change_id) references bulk_changes (organisation_id, environment, id) on delete cascade,
  foreign key (organisation_id, environment, number_id) references holdings (organisation_id, environment, id),
  check ((outcome = 'failed') = (error_code is not null)),
  check ((error_code is null) = (error_detail is null))
) with (fillfactor = 80);
comment on table bulk_change_items is 'What a plan found of each number, and what became of it. Where a number is not as it was found any more, it is left alone.';
create index bulk_change_items_by_outcome on bulk_change_items (organisation_id, environment, bulk_change_id, outcome, number_id);
create index bulk_change_items_due on bulk_change_items (organisation_id, environment, bulk_change_id, shard, number_id) where outcome = 'planned';

alter table bulk_changes enable row level security;
alter table bulk_changes force row level security;
alter table bulk_change_items enable row level security;
alter table bulk_change_items force row level security;

grant select, insert, update (status, missing, total, set_count, unchanged_count, stale_count, failed_count,
  started_at, advanced_at, finished_at) on bulk_changes to dialplane_organisation;
grant select, insert, update (outcome, error_code, error_detail) on bulk_change_items to dialplane_organisation;
create policy organisation on bulk_changes to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on bulk_change_items to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

-- The worker looks for what is due, then enters by the organisation's door.
grant select, delete on bulk_changes to dialplane_system;
create policy system on bulk_changes to dialplane_system using ((select current_task()) is not null);

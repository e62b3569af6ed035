-- Restore mode: after a restore of the database, switches and carriers know more than the database.

create table restores (
  id           uuid primary key,
  epoch        text not null references feed_epochs,
  restored_to  timestamptz,
  cause        text not null check (cause in ('operator', 'rollback')),
  began_at     timestamptz not null,
  began_by     text not null,
  compared_at  timestamptz,
  ended_at     timestamptz,
  ended_by     text,
  check (num_nulls(ended_at, ended_by) in (0, 2))
);
comment on table restores is 'Restores of the database. While one is open, work that cannot be undone waits.';
comment on column restores.epoch is 'Epoch under which switches keep their state.';
comment on column restores.restored_to is 'Time to which the database was restored. Null if unknown.';
comment on column restores.compared_at is 'Time of the last comparison with all carriers.';
create unique index restores_open on restores ((true)) where ended_at is null;

create table restore_findings (
  id                 uuid primary key,
  restore_id         uuid not null references restores,
  kind               text not null
    check (kind in ('newer_on_switch', 'only_on_switch', 'only_here', 'not_at_carrier', 'not_here')),
  item_kind          text not null check (item_kind in ('route', 'connection')),
  item_id            uuid,
  e164               text collate "C",
  holder_id          uuid,
  environment        text not null default 'live' check (environment in ('live', 'test')),
  here               jsonb,
  there              jsonb,
  generation_here    bigint,
  generation_there   bigint,
  switches           text[] not null default '{}',
  carrier            text,
  finding_id         uuid references reconciliation_findings on delete set null,
  state              text not null default 'open' check (state in ('open', 'adopted', 'dropped', 'outdated')),
  decided_at         timestamptz,
  decided_by         text,
  check ((kind in ('not_at_carrier', 'not_here')) = (switches = '{}')),
  check ((item_id is null) = (kind = 'not_here')),
  check ((state = 'open') = (decided_at is null)),
  check (num_nulls(decided_at, decided_by) in (0, 2))
);
comment on table restore_findings is 'Differences between the restored database and a switch or a carrier.';
comment on column restore_findings.holder_id is 'Organisation of the item. Null if it is unknown.';
comment on column restore_findings.here is 'Value in the database. Null if it does not have the item.';
comment on column restore_findings.there is 'Value on the switches. Null if they do not have the item.';
comment on column restore_findings.switches is 'Names of the switches with this difference.';
comment on column restore_findings.carrier is 'Carrier that has the number, or that is missing it.';

-- Two switches of a group have the same difference, and a comparison can be repeated.
create unique index restore_findings_once on restore_findings
  (restore_id, kind, item_id, e164, coalesce(generation_there, 0), md5(coalesce(there::text, ''))) nulls not distinct;
create index restore_findings_open on restore_findings (restore_id, id) where state = 'open';

-- Switches under this epoch keep their state, and get only the changes made after the versions below.
alter table feed_epoch add column is_restore boolean not null default false;
comment on column feed_epoch.is_restore is 'A restore of the database is open.';
alter table feed_shards add column held_version bigint, add column held_token bigint;
comment on column feed_shards.held_version is
  'Head when the restore began. Held switches get only later changes.';

alter table saved_states add column hold text, add column compared_at timestamptz;
alter table saved_state_items add column holder_id uuid;
comment on column saved_state_items.holder_id is 'Organisation of the item. Null if the agent does not know it.';
comment on column saved_states.hold is
  'Epoch of the restore at whose begin the agent saved the state. Null for states of ended epochs.';
comment on column saved_states.compared_at is 'Time when the state was compared with the restored database.';

alter table event_heads add column skipped bigint not null default 0;
comment on column event_heads.skipped is 'Numbers left out: a million at each restore of the database.';

-- A restore can bring revoked credentials back. In strict mode, keys wait until an owner confirms them.
alter table api_keys add column suspended_at timestamptz;
comment on column api_keys.suspended_at is 'Set by a strict restore, until an owner confirms the key.';

alter table restores enable row level security;
alter table restores force row level security;
alter table restore_findings enable row level security;
alter table restore_findings force row level security;

create policy system on restores to dialplane_system using ((select current_task()) is not null);
create policy system on restore_findings to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (compared_at, ended_at, ended_by) on restores to dialplane_system;
grant select, insert, update (switches, carrier, finding_id, state, decided_at, decided_by) on restore_findings
  to dialplane_system;
grant update (requested_at, compared_at) on saved_states to dialplane_system;
grant update (skipped) on event_heads to dialplane_system;
-- To replay revocations.
grant update (password_hash) on users to dialplane_system;
grant select, delete on passkeys to dialplane_system;
grant delete on memberships, api_key_organisations to dialplane_system;
grant update (organisation_count, suspended_at) on api_keys to dialplane_system;
grant update (suspended_at) on api_keys to dialplane_organisation;
grant insert, update (version) on connection_placements to dialplane_system;

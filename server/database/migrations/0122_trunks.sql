-- Trunks of a switch group, in revisions, and the trunks that each switch holds.

create table trunk_revisions (
  switch_group_id   uuid not null references switch_groups,
  revision          integer not null check (revision > 0),
  document          jsonb not null check (jsonb_typeof(document -> 'trunks') = 'array'),
  sealed_passwords  bytea check (length(sealed_passwords) >= 29),
  root_id           integer references root_keys,
  opened_networks   text[] not null,
  restored_from     integer check (restored_from < revision),
  created_at        timestamptz not null,
  actor_id          uuid,
  actor_name        text check (length(actor_name) <= 200),
  primary key (switch_group_id, revision),
  check (num_nulls(sealed_passwords, root_id) in (0, 2)),
  check (jsonb_typeof(document -> 'forwarding') in ('object', 'null'))
);
comment on table trunk_revisions is
  'Trunks of the switches of a group. The newest revision is desired. A group without a row is not managed: its '
  'switches use the trunks of their files.';
comment on column trunk_revisions.document is 'Trunks and forwarding, without passwords.';
comment on column trunk_revisions.sealed_passwords is
  'JSON of the passwords by their ID, which switches must send to gateways: AES-256-GCM under a key of the '
  'installation, bound to `<switch_group_id>/<revision>`.';
comment on column trunk_revisions.opened_networks is
  'Networks whose requests no earlier revision accepted in this way. An operator has confirmed each.';

create table switch_trunk_reports (
  switch_id    uuid primary key references switches,
  report       jsonb not null check (jsonb_typeof(report -> 'trunks') = 'array'),
  confirmed    jsonb not null check (jsonb_typeof(confirmed -> 'names') = 'array'),
  drifted      text[] not null,
  status       text not null check (status in ('applied', 'pending', 'failed', 'drifted')),
  since        timestamptz not null,
  differing    integer not null check (differing >= 0),
  error        text check (length(error) between 1 and 500),
  observed_at  timestamptz not null,
  check ((status = 'failed') = (error is not null))
) with (fillfactor = 70);
comment on table switch_trunk_reports is 'Trunks that a switch has read back, as it last reported them.';
comment on column switch_trunk_reports.confirmed is
  'Trunks that were read back with the desired values under an etag. A later difference under this etag is drift.';
comment on column switch_trunk_reports.drifted is
  'Trunks whose drift is in the audit log, until they are applied again.';
comment on column switch_trunk_reports.status is 'Status at the time of the report, and the time since it applies.';
comment on column switch_trunk_reports.differing is 'Count of trunks without the desired value.';

alter table trunk_revisions enable row level security;
alter table trunk_revisions force row level security;
alter table switch_trunk_reports enable row level security;
alter table switch_trunk_reports force row level security;

create policy system on trunk_revisions to dialplane_system using ((select current_task()) is not null);
create policy system on switch_trunk_reports to dialplane_system using ((select current_task()) is not null);

-- Revisions never change. Only their passwords are sealed again when a root key is replaced.
grant select, insert, update (sealed_passwords, root_id), delete on trunk_revisions to dialplane_system;
grant select, insert, update on switch_trunk_reports to dialplane_system;

-- One login role per door of platform/db. None owns a table, none may bypass row-level security.
do $$
declare
  door text;
begin
  foreach door in array array['dialplane_organisation', 'dialplane_caller', 'dialplane_switch', 'dialplane_system'] loop
    if not exists (select from pg_roles where rolname = door) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole noinherit nobypassrls', door);
    end if;
  end loop;
end
$$;

-- Row-level security keeps "like" off every index, for an operator that could leak must wait until the policy has
-- spoken. So one function looks for an organisation as a role whose policy lets every row pass; the function itself
-- asks for the organisation and side, and gives out nothing but ids, which the caller then reads through its own
-- policies.
do $$
begin
  if not exists (select from pg_roles where rolname = 'dialplane_search') then
    create role dialplane_search nologin nosuperuser nocreatedb nocreaterole noinherit nobypassrls;
  end if;
end
$$;

-- Calls are many and leave by the month, what names people by the day: partitions. They are created and dropped by
-- functions of a role that owns these tables and signs in nowhere, for none of those that sign in may own or make
-- anything.
do $$
begin
  if not exists (select from pg_roles where rolname = 'dialplane_calls') then
    create role dialplane_calls nologin nosuperuser nocreatedb nocreaterole noinherit nobypassrls;
  end if;
end
$$;

revoke all on schema public from public;

grant usage on schema public
  to dialplane_organisation, dialplane_caller, dialplane_switch, dialplane_system, dialplane_search, dialplane_calls;

-- Our statements take milliseconds; compiling them takes a hundred. Set on the roles, so that it holds behind a
-- pooler too.
alter role dialplane_organisation set jit = off;

alter role dialplane_caller set jit = off;
alter role dialplane_switch set jit = off;
alter role dialplane_system set jit = off;

-- The tenant settings of the current transaction. An unset setting is null, which equals nothing, so policies show no
-- row.
create function current_organisation_id() returns uuid language sql stable
  return nullif(current_setting('app.organisation_id', true), '')::uuid;

create function current_environment() returns text language sql stable
  return nullif(current_setting('app.environment', true), '');

create function current_user_id() returns uuid language sql stable
  return nullif(current_setting('app.user_id', true), '')::uuid;

create function current_api_key_id() returns uuid language sql stable
  return nullif(current_setting('app.api_key_id', true), '')::uuid;

create function current_task() returns text language sql stable
  return nullif(current_setting('app.task', true), '');

create function current_switch_id() returns uuid language sql stable
  return nullif(current_setting('app.switch_id', true), '')::uuid;

create function current_switch_group_id() returns uuid language sql stable
  return nullif(current_setting('app.switch_group_id', true), '')::uuid;

-- A deviation a switch has reported becomes an event of the organisation it concerns, and of no other. Compared as
-- identifiers, not as text: policies do without an index where a comparison could tell something.
create function id_of(subject text) returns uuid language sql immutable
  return case when subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then subject::uuid end;

create unlogged table limit_counters (
  name          text not null,
  subject       text not null,
  window_start  timestamptz not null,
  used          integer not null,
  primary key (name, subject)
);

comment on table limit_counters is
  'Limits that must be exact over all replicas. Unlogged: a crash forgives what was used.';

alter table limit_counters enable row level security;
alter table limit_counters force row level security;

create policy system on limit_counters to dialplane_system using ((select current_task()) is not null);

grant select, insert, update, delete on limit_counters to dialplane_system;

-- Every secret is derived from a root key. `fleet` keys are for what belongs to organisations and people, `cell` keys
-- for what belongs to this installation. MASTER_SECRET only seals them, so it can change while every derived secret
-- stays.
create table root_keys (
  id            integer generated always as identity primary key,
  kind          text not null check (kind in ('fleet', 'cell')),
  sealed        bytea check (length(sealed) between 29 and 1000),
  sealed_under  text check (sealed_under ~ '^[0-9a-f]{16}$'),
  created_at    timestamptz not null default now(),
  used_from     timestamptz not null default now(),
  retired_at    timestamptz,
  check ((sealed is null) = (sealed_under is null)),
  check (retired_at is null or sealed is null)
);

comment on column root_keys.sealed is
  'AES-256-GCM under a key from MASTER_SECRET; null until migrate has set it, and once the key is retired.';
comment on column root_keys.sealed_under is 'Fingerprint of the MASTER_SECRET that opens it.';
comment on column root_keys.used_from is
  'New secrets use the key from this time. Every process reads the key before then.';

-- `migrate` sets their values. The columns below name them.
insert into root_keys (kind) values ('fleet'), ('cell');

alter table root_keys enable row level security;
alter table root_keys force row level security;

create policy system on root_keys to dialplane_system using ((select current_task()) is not null);

grant select, insert, update on root_keys to dialplane_system;

create table kept_keys (
  root_id    integer not null references root_keys,
  purpose    text not null check (purpose ~ '^[a-z-]+$'),
  sealed_by  integer not null references root_keys,
  sealed     bytea not null check (length(sealed) between 29 and 1000),
  primary key (root_id, purpose)
);
comment on table kept_keys is
  'Derived keys of a retired root key, for secrets that customers hold and that cannot be created again.';

alter table kept_keys enable row level security;
alter table kept_keys force row level security;

create policy system on kept_keys to dialplane_system using ((select current_task()) is not null);

grant select, insert, update on kept_keys to dialplane_system;

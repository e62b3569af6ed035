-- Carriers of the installation. Until there is a row, the settings ORDERING and INVENTORY choose them.

create table carriers (
  id                  uuid primary key,
  name                text not null unique check (name ~ '^[a-z][a-z0-9_-]{0,39}$' and name <> 'sandbox'),
  kind                text not null check (kind ~ '^[a-z][a-z0-9_]{0,39}$'),
  url                 text check (length(url) between 1 and 500),
  sealed_credentials  bytea check (length(sealed_credentials) between 29 and 8192),
  root_id             integer references root_keys,
  credentials_set_at  timestamptz,
  credentials_end     text check (length(credentials_end) <= 4),
  countries           text[] not null default '{}' check (cardinality(countries) <= 300),
  number_types        text[] not null default '{}' check (cardinality(number_types) <= 20),
  preference          integer not null check (preference between 0 and 1000000),
  inventory           boolean not null,
  state               text not null default 'open' check (state in ('open', 'draining', 'closed')),
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  check ((kind = 'pool') = (name = 'pool')),
  check (name <> 'telnyx' or kind = 'telnyx'),
  check (num_nulls(sealed_credentials, root_id, credentials_set_at) in (0, 3)),
  check (credentials_end is null or sealed_credentials is not null)
);
comment on table carriers is
  'Sources of numbers. A row is never deleted, because holdings, orders and reservations keep its name.';
comment on column carriers.name is
  'Never changes. Numbers that were ordered before the first row have the names `pool` and `telnyx`, so these names '
  'keep their kinds.';
comment on column carriers.sealed_credentials is
  'JSON of the credentials, which must be sent to the carrier: AES-256-GCM under a key of the installation, bound to '
  'the id.';
comment on column carriers.credentials_end is 'Last characters of the credentials, for display.';
comment on column carriers.countries is 'ISO 3166-1 codes of the countries it is used for. Empty: all.';
comment on column carriers.number_types is 'Types of numbers it is used for. Empty: all.';
comment on column carriers.preference is 'Rank among carriers for the same numbers, lowest first.';
comment on column carriers.inventory is 'Whether clients search and reserve its numbers.';
comment on column carriers.state is
  'draining: no new orders. closed: it is never called. Changed under the advisory lock `carriers/<name>`, which new '
  'orders share.';

alter table carriers enable row level security;
alter table carriers force row level security;

create policy organisation on carriers for select to dialplane_organisation using (true);
create policy system on carriers to dialplane_system using ((select current_task()) is not null);

-- An order checks that its carrier is still open.
grant select (name, state) on carriers to dialplane_organisation;

grant
  select,
  insert,
  update (url, sealed_credentials, root_id, credentials_set_at, credentials_end, countries, number_types, preference,
    inventory, state, updated_at)
  on carriers to dialplane_system;

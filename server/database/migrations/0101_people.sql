-- A short name for each organisation, inside its API keys, its people's sessions and its links. With several
-- installations behind one address it says where a request belongs. Nothing uses it yet: adding it later would break
-- keys.
create function new_tag() returns text language plpgsql as $$
declare
  symbols constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  made text;
begin
  loop
    select string_agg(substr(symbols, 1 + floor(random() * 62)::integer, 1), '') into made from generate_series(1, 4);
    -- 0000 is for what belongs to no organisation.
    exit when made <> '0000' and not exists (select from organisations where tag = made);
  end loop;
  return made;
end
$$;

create table organisations (
  id                      uuid primary key,
  name                    text not null check (length(name) between 1 and 200),
  created_at              timestamptz not null,
  suspended_at            timestamptz,
  suspension_reason       text check (length(suspension_reason) between 1 and 500),
  suspends_numbers        boolean not null default false,
  numbers_due             boolean not null default false,
  require_second_factor   boolean not null default false,
  require_single_sign_on  boolean not null default false,
  max_session_age_hours   integer,
  root_id                 integer not null default 1 references root_keys,
  tag                     text not null default new_tag() check (tag ~ '^[0-9A-Za-z]{4}$'),
  constraint organisations_suspension
  check (suspended_at is not null or (suspension_reason is null and not suspends_numbers)),
  constraint organisations_max_session_age
  check (max_session_age_hours between 1 and 720)
);
comment on table organisations is 'Organisations hold numbers. Every tenant-owned row references one.';
comment on column organisations.suspends_numbers is 'Whether its numbers are suspended with it.';
comment on column organisations.numbers_due is 'Whether a worker still has numbers to suspend or to resume.';
comment on column organisations.max_session_age_hours is
  'Null if sessions may be as old as the service allows, which is 30 days.';
comment on column organisations.root_id is
  'Root key of the first secret that signs its routing webhooks, and of its domain verification records.';

-- Organisations are few.
create index organisations_with_numbers_due on organisations (id) where numbers_due;

create unique index organisations_tag_key on organisations (tag);

alter table organisations enable row level security;
alter table organisations force row level security;

create policy organisation on organisations to dialplane_organisation
  using (id = (select current_organisation_id()));

create policy system on organisations to dialplane_system using ((select current_task()) is not null);

-- The organisation's door: its own row, its people, its invitations.
grant select on organisations to dialplane_caller;

grant select, update (name, require_second_factor, require_single_sign_on, max_session_age_hours)
  on organisations to dialplane_organisation;

grant select, insert, update (suspended_at, suspension_reason, suspends_numbers, numbers_due)
  on organisations to dialplane_system;

grant select (id, root_id) on organisations to dialplane_calls;

create table users (
  id             uuid primary key,
  email          text not null unique check (email = lower(email) and length(email) between 3 and 254),
  name           text not null check (length(name) between 1 and 200),
  password_hash  text,
  is_operator    boolean not null default false,
  created_at     timestamptz not null,
  disabled_at    timestamptz,
  home_tag       text check (home_tag ~ '^[0-9A-Za-z]{4}$')
);
comment on column users.password_hash is 'argon2id; null until the person has set one through a mailed link.';
comment on column users.is_operator is 'Runs this installation. Set by the server command only, never over HTTP.';
comment on column users.home_tag is 'Tag of the first organisation the person joined, forever.';

alter table users enable row level security;
alter table users force row level security;

create policy caller on users to dialplane_caller using (true);
create policy system on users to dialplane_system using ((select current_task()) is not null);

-- Operators disable people and remove their authenticators.
grant select, insert, update (email, name, password_hash) on users to dialplane_caller;

grant select (id, email, name, disabled_at) on users to dialplane_organisation;
grant select, insert, update (is_operator, disabled_at, home_tag) on users to dialplane_system;

create table memberships (
  organisation_id  uuid not null references organisations,
  user_id          uuid not null references users,
  role             text not null check (role in ('owner', 'admin', 'developer', 'member')),
  created_at       timestamptz not null,
  primary key (organisation_id, user_id)
);

create index memberships_by_user on memberships (user_id);

alter table memberships enable row level security;
alter table memberships force row level security;

create policy organisation on memberships to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));

create policy caller on memberships for select to dialplane_caller
  using (user_id = (select current_user_id()));

create policy system on memberships to dialplane_system using ((select current_task()) is not null);

-- The caller's door: signing in, the caller's own account, and which organisations it belongs to. The system's door:
-- the operator's commands, sweeps, the doctor.
grant select on memberships to dialplane_caller;

grant select, update (role), delete on memberships to dialplane_organisation;
grant select, insert on memberships to dialplane_system;

create table invitations (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  email            text not null check (email = lower(email) and length(email) between 3 and 254),
  role             text not null check (role in ('owner', 'admin', 'developer', 'member')),
  invited_by       uuid references users,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  unique (organisation_id, email)
);
comment on table invitations is
  'Open invitations. Accepting one deletes it; its token is a MAC over the id and is stored nowhere.';

create index invitations_by_inviter on invitations (invited_by);

alter table invitations enable row level security;
alter table invitations force row level security;

create policy organisation on invitations to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));

create policy system on invitations to dialplane_system using ((select current_task()) is not null);

grant select, insert, delete on invitations to dialplane_organisation, dialplane_system;

create table identity_providers (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  name             text not null check (length(name) between 1 and 200),
  issuer           text not null check (length(issuer) between 1 and 500),
  client_id        text not null check (length(client_id) between 1 and 500),
  sealed_secret    bytea not null check (length(sealed_secret) between 29 and 2100),
  created_at       timestamptz not null,
  root_id          integer not null default 1 references root_keys,
  unique (organisation_id, id)
);
comment on table identity_providers is
  'OpenID Connect providers of an organisation. Issuer and client ID never change, because the meaning of a subject '
  'depends on both.';
comment on column identity_providers.sealed_secret is
  'The client secret, which is the provider''s and must be sent to it: AES-256-GCM under a key of the '
  'installation, bound to the id.';

alter table identity_providers enable row level security;
alter table identity_providers force row level security;

create policy organisation on identity_providers to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));

create policy system on identity_providers for select to dialplane_system using ((select current_task()) is not null);

create policy system_moves on identity_providers for update to dialplane_system
    using ((select current_task()) = 'root-keys');

-- The secret goes in by this door and does not come out by it.
grant
  select (id, organisation_id, name, issuer, client_id, created_at),
  insert,
  update (name, sealed_secret, root_id),
  delete
  on identity_providers to dialplane_organisation;

grant select, update (sealed_secret, root_id) on identity_providers to dialplane_system;

create table identity_provider_domains (
  organisation_id  uuid not null,
  provider_id      uuid not null,
  domain           text not null check (domain = lower(domain) and length(domain) between 3 and 253),
  created_at       timestamptz not null,
  proved_at        timestamptz,
  checked_at       timestamptz,
  next_check_at    timestamptz,
  missing_since    timestamptz,
  missing_checks   integer not null default 0,
  lapsed_at        timestamptz,
  primary key (provider_id, domain),
  foreign key (organisation_id, provider_id) references identity_providers (organisation_id, id) on delete cascade,
  constraint identity_provider_domains_missing
  check ((missing_since is null) = (missing_checks = 0) and missing_checks >= 0),
  constraint identity_provider_domains_lapsed
  check (lapsed_at is null or (proved_at is null and missing_since is null))
);
comment on table identity_provider_domains is
  'Email domains that a provider may authenticate. The expected TXT record is a MAC over organisation and domain, and '
  'is not stored.';
comment on column identity_provider_domains.proved_at is
  'Null until the TXT record was found. An unverified claim grants nothing and does not block other organisations.';
comment on column identity_provider_domains.checked_at is
  'When name servers last said whether the record is there. A lookup that failed does not count.';
comment on column identity_provider_domains.next_check_at is
  'Null for a proof that has never been checked again: it is due.';
comment on column identity_provider_domains.lapsed_at is
  'When a proof ended because its record was gone. The domain can be proved again, here or elsewhere.';

create unique index identity_provider_domains_proved on identity_provider_domains (domain) where proved_at is not null;

create index identity_provider_domains_by_organisation on identity_provider_domains (organisation_id, provider_id);
create index identity_provider_domains_due on identity_provider_domains (next_check_at) where proved_at is not null;

alter table identity_provider_domains enable row level security;
alter table identity_provider_domains force row level security;

create policy organisation on identity_provider_domains to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));

create policy system on identity_provider_domains for select to dialplane_system
    using ((select current_task()) is not null);

create policy system_rechecks on identity_provider_domains for update to dialplane_system
    using ((select current_task()) is not null);

-- Sign-in reads domains before it knows the organisation.
grant select, insert, update (proved_at, checked_at, next_check_at, missing_since, missing_checks, lapsed_at), delete
  on identity_provider_domains to dialplane_organisation;

grant select, update (proved_at, checked_at, next_check_at, missing_since, missing_checks, lapsed_at)
  on identity_provider_domains to dialplane_system;

create table sessions (
  id                        uuid primary key,
  user_id                   uuid not null references users,
  token_hash                bytea not null unique,
  kind                      text not null check (kind in ('browser', 'tool')),
  created_at                timestamptz not null,
  last_seen_at              timestamptz not null,
  reauthenticated_at        timestamptz not null,
  expires_at                timestamptz not null,
  address                   inet,
  user_agent                text check (length(user_agent) <= 400),
  method                    text not null default 'password',
  has_second_factor         boolean not null default false,
  signed_in_at              timestamptz,
  identity_organisation_id  uuid,
  identity_provider_id      uuid,
  constraint sessions_method check (method in ('password', 'passkey', 'provider')),
  constraint sessions_provider check (
  (identity_provider_id is null) = (identity_organisation_id is null)
  and                       (identity_provider_id is null or method = 'provider')
),
  constraint sessions_provider_fkey foreign key (identity_organisation_id, identity_provider_id)
  references identity_providers (organisation_id, id) on delete set null
);
comment on column sessions.token_hash is 'SHA-256 of a 256-bit random token; the token itself is never stored.';
comment on column sessions.has_second_factor is 'Whether a code or a passkey was used, at the sign-in or since.';
comment on column sessions.signed_in_at is
  'For a tool session: creation time of the browser session that authorised it. If null, `created_at` applies.';
comment on column sessions.identity_organisation_id is
  'Organisation of the identity provider used at sign-in; null if none was used, or if it has been deleted.';

create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

-- Sessions are few next to what reads them: this is for the deletion of a provider.
create index sessions_by_provider on sessions (identity_organisation_id,
    identity_provider_id) where identity_provider_id is not null;

alter table sessions enable row level security;
alter table sessions force row level security;

create policy caller on sessions to dialplane_caller using (true);
create policy system on sessions to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (token_hash, last_seen_at, reauthenticated_at, has_second_factor), delete
  on sessions to dialplane_caller;

grant select, delete on sessions to dialplane_system;

create table one_time_links (
  id          uuid primary key,
  user_id     uuid not null references users,
  purpose     text not null check (purpose in ('reset_password', 'change_email')),
  new_email   text check (new_email = lower(new_email)),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  check ((purpose = 'change_email') = (new_email is not null))
);
comment on table one_time_links is 'Mailed links that still work. Using one deletes it.';

create index one_time_links_by_user on one_time_links (user_id);
create index one_time_links_by_expiry on one_time_links (expires_at);

alter table one_time_links enable row level security;
alter table one_time_links force row level security;

create policy caller on one_time_links to dialplane_caller using (true);
create policy system on one_time_links to dialplane_system using ((select current_task()) is not null);

grant select, insert, delete on one_time_links to dialplane_caller, dialplane_system;

create table api_keys (
  id                  uuid primary key,
  name                text not null check (length(name) between 1 and 100),
  environment         text not null check (environment in ('live', 'test')),
  secret_mac          bytea not null unique,
  pepper_version      integer not null,
  hint                text not null check (length(hint) = 4),
  scopes              text[] not null check (cardinality(scopes) > 0 and scopes <@ array['numbers', 'numbers_write',
      'full']),
  allowed_networks    inet[] not null default '{}',
  organisation_count  integer not null default 0,
  created_by          uuid not null references users,
  created_at          timestamptz not null,
  expires_at          timestamptz,
  revoked_at          timestamptz,
  replaces_id         uuid references api_keys,
  last_used_at        timestamptz,
  last_used_from      inet,
  root_id             integer not null default 1 references root_keys
);
comment on column api_keys.secret_mac is
  'HMAC-SHA256 of the key under the pepper of that version; the key itself is shown once and never stored.';
comment on column api_keys.organisation_count is
  'Kept by a trigger: an organisation cannot see the others a key belongs to, only that there are some.';

create index api_keys_by_creator on api_keys (created_by);

create unique index api_keys_by_replaced on api_keys (replaces_id);

alter table api_keys enable row level security;
alter table api_keys force row level security;

create policy caller on api_keys to dialplane_caller using (true);
create policy system on api_keys to dialplane_system using ((select current_task()) is not null);

-- A person makes keys in the organisations in which their role allows it, and in no other.
grant select, insert, update (organisation_count, expires_at) on api_keys to dialplane_caller;

grant select, update (organisation_count, expires_at, revoked_at) on api_keys to dialplane_organisation;

grant select, update (secret_mac, pepper_version, revoked_at, last_used_at, last_used_from, root_id)
  on api_keys to dialplane_system;

create table api_key_organisations (
  api_key_id       uuid not null references api_keys,
  organisation_id  uuid not null references organisations,
  primary key (api_key_id, organisation_id)
);

create index api_key_organisations_by_organisation on api_key_organisations (organisation_id, api_key_id);

alter table api_key_organisations enable row level security;
alter table api_key_organisations force row level security;

create policy organisation on api_key_organisations to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));

create policy caller_sees on api_key_organisations for select to dialplane_caller
  using (api_key_id = (select current_api_key_id())
    or exists (select from memberships m where m.organisation_id = api_key_organisations.organisation_id));

create policy caller_adds on api_key_organisations for insert to dialplane_caller
  with check (exists (select from memberships m
    where m.organisation_id = api_key_organisations.organisation_id and m.role in ('owner', 'admin', 'developer')));

create policy system on api_key_organisations to dialplane_system using ((select current_task()) is not null);

grant select, insert on api_key_organisations to dialplane_caller;
grant select, delete on api_key_organisations to dialplane_organisation;
grant select on api_key_organisations to dialplane_system;

create table idempotency_keys (
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  key              text not null check (length(key) between 1 and 255),
  fingerprint      bytea not null,
  status           smallint not null,
  content_type     text not null,
  body             text not null,
  location         text,
  etag             text,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  primary key (organisation_id, environment, key)
);
comment on table idempotency_keys is
  'The answer to each keyed request, committed together with its effect and replayed byte for byte.';

create index idempotency_keys_by_expiry on idempotency_keys (expires_at);

alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;

create policy organisation on idempotency_keys to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on idempotency_keys to dialplane_system using ((select current_task()) is not null);

grant select, insert, delete on idempotency_keys to dialplane_organisation;
grant select, delete on idempotency_keys to dialplane_system;

create table challenges (
  id          uuid primary key,
  purpose     text not null check (purpose ~ '^[a-z_]+$'),
  user_id     uuid references users,
  reference   uuid,
  created_at  timestamptz not null,
  expires_at  timestamptz not null
);
comment on table challenges is
  'Sign-ins that are half done. Finishing one deletes it; its token is a MAC over purpose and id and is stored '
  'nowhere.';
comment on column challenges.user_id is 'Null until the user is known.';
comment on column challenges.reference is 'Identity provider of the sign-in, if there is a choice.';

create index challenges_by_user on challenges (user_id);
create index challenges_by_expiry on challenges (expires_at);

alter table challenges enable row level security;
alter table challenges force row level security;

create policy caller on challenges to dialplane_caller using (true);
create policy system on challenges to dialplane_system using ((select current_task()) is not null);

-- Challenges are found by token before the user is known, and other rows only by their owner. The system role sweeps
-- expired rows.
grant select, insert, delete on challenges to dialplane_caller;

grant select, delete on challenges to dialplane_system;

create table authenticators (
  id            uuid primary key,
  user_id       uuid not null unique references users,
  last_step     bigint not null default 0,
  created_at    timestamptz not null,
  confirmed_at  timestamptz,
  root_id       integer not null default 1 references root_keys
);
comment on table authenticators is
  'Authenticator apps (RFC 6238), one a person. The secret is a MAC over the id and is stored nowhere.';
comment on column authenticators.last_step is
  'The newest time step a code was taken for: neither it nor an older one counts again.';
comment on column authenticators.confirmed_at is
  'Null until a first code has shown that the app has the secret; until then signing in does not ask for codes.';

alter table authenticators enable row level security;
alter table authenticators force row level security;

create policy caller on authenticators to dialplane_caller using (user_id = (select current_user_id()));
create policy system on authenticators to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (id, last_step, created_at, confirmed_at, root_id), delete
  on authenticators to dialplane_caller;

grant select, delete on authenticators to dialplane_system;

create table recovery_codes (
  user_id   uuid not null references users,
  code_mac  bytea not null,
  root_id   integer not null default 1 references root_keys,
  primary key (user_id, code_mac)
);
comment on table recovery_codes is 'Codes for the day the app is lost, as MACs. Using one deletes it.';

alter table recovery_codes enable row level security;
alter table recovery_codes force row level security;

create policy caller on recovery_codes to dialplane_caller using (user_id = (select current_user_id()));
create policy system on recovery_codes to dialplane_system using ((select current_task()) is not null);

grant select, insert, delete on recovery_codes to dialplane_caller;
grant select, delete on recovery_codes to dialplane_system;

create table passkeys (
  id             uuid primary key,
  user_id        uuid not null references users,
  credential_id  text not null unique check (length(credential_id) between 1 and 1400),
  public_key     bytea not null,
  sign_count     bigint not null,
  transports     text[] not null,
  name           text not null check (length(name) between 1 and 200),
  is_synced      boolean not null,
  created_at     timestamptz not null,
  last_used_at   timestamptz
);
comment on table passkeys is 'Credentials of WebAuthn: the public half of a key that a device keeps.';
comment on column passkeys.credential_id is 'The name the device gave it, in base64url.';
comment on column passkeys.sign_count is
  'Last signature counter of the device. A lower counter means that the key was copied. Zero for devices without a '
  'counter.';
comment on column passkeys.is_synced is 'Whether it can be on several devices of its owner.';

create index passkeys_by_user on passkeys (user_id, id);

alter table passkeys enable row level security;
alter table passkeys force row level security;

create policy caller on passkeys to dialplane_caller using (user_id = (select current_user_id()));

grant select, insert, update (sign_count, name, last_used_at), delete on passkeys to dialplane_caller;

create table authorisation_codes (
  id              uuid primary key,
  user_id         uuid not null references users,
  session_id      uuid not null references sessions on delete cascade,
  client_name     text not null check (length(client_name) between 1 and 200),
  redirect_uri    text not null check (length(redirect_uri) <= 500),
  code_challenge  text not null check (length(code_challenge) = 43),
  created_at      timestamptz not null,
  expires_at      timestamptz not null
);
comment on table authorisation_codes is
  'Authorised tools that have not fetched their session yet (RFC 8252). Redeeming a row deletes it; the code is a MAC '
  'over the ID.';
comment on column authorisation_codes.code_challenge is 'SHA-256 of what only the tool knows (RFC 7636).';
comment on column authorisation_codes.session_id is 'The session it was agreed in: when that ends, so does the code.';

create index authorisation_codes_by_session on authorisation_codes (session_id);
create index authorisation_codes_by_user on authorisation_codes (user_id);
create index authorisation_codes_by_expiry on authorisation_codes (expires_at);

alter table authorisation_codes enable row level security;
alter table authorisation_codes force row level security;

create policy caller on authorisation_codes to dialplane_caller using (true);
create policy system on authorisation_codes to dialplane_system using ((select current_task()) is not null);

-- A tool presents only a code, so rows are found by code before the user is known.
grant select, insert, delete on authorisation_codes to dialplane_caller;

grant select, delete on authorisation_codes to dialplane_system;

create table device_sign_ins (
  id                uuid primary key,
  user_code_mac     bytea not null unique,
  status            text not null check (status in ('pending', 'approved', 'denied')),
  user_id           uuid references users,
  session_id        uuid references sessions on delete cascade,
  client_name       text not null check (length(client_name) between 1 and 200),
  address           inet,
  user_agent        text check (length(user_agent) <= 400),
  interval_seconds  integer not null check (interval_seconds between 1 and 3600),
  polled_at         timestamptz,
  created_at        timestamptz not null,
  expires_at        timestamptz not null,
  check (status <> 'approved' or user_id is not null)
);
comment on table device_sign_ins is
  'Tools without a browser that wait for authorisation (RFC 8628). Redeeming a row deletes it.';
comment on column device_sign_ins.user_code_mac is
  'MAC of the code that the user types. The device code is a MAC over the ID.';
comment on column device_sign_ins.user_id is 'First user who typed the code. Other users cannot authorise the tool.';
comment on column device_sign_ins.session_id is 'The session it was typed in: when that ends, so does the waiting.';

create index device_sign_ins_by_session on device_sign_ins (session_id);
create index device_sign_ins_by_user on device_sign_ins (user_id);
create index device_sign_ins_by_expiry on device_sign_ins (expires_at);

alter table device_sign_ins enable row level security;
alter table device_sign_ins force row level security;

create policy caller on device_sign_ins to dialplane_caller using (true);
create policy system on device_sign_ins to dialplane_system using ((select current_task()) is not null);

-- Sweeping what has ended.
grant select, insert, update (status, user_id, session_id, interval_seconds, polled_at), delete
  on device_sign_ins to dialplane_caller;

grant select, delete on device_sign_ins to dialplane_system;

create table identities (
  organisation_id  uuid not null,
  provider_id      uuid not null,
  subject          text not null check (length(subject) between 1 and 255),
  user_id          uuid not null,
  created_at       timestamptz not null,
  primary key (provider_id, subject),
  unique (provider_id, user_id),
  foreign key (organisation_id, provider_id) references identity_providers (organisation_id, id) on delete cascade,
  foreign key (organisation_id, user_id) references memberships (organisation_id, user_id) on delete cascade
);
comment on table identities is
  'Users by provider and subject. A row is deleted with the membership; a user has one per provider.';

create index identities_by_member on identities (organisation_id, user_id);
create index identities_by_provider on identities (organisation_id, provider_id);

alter table identities enable row level security;
alter table identities force row level security;

create policy organisation on identities to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));

create policy system on identities to dialplane_system using ((select current_task()) is not null);

grant select on identities to dialplane_organisation;
grant select, insert on identities to dialplane_system;

create policy caller on organisations for select to dialplane_caller
  using (exists (select from memberships m where m.organisation_id = organisations.id)
    or exists (select from api_key_organisations o
      where o.organisation_id = organisations.id and o.api_key_id = (select current_api_key_id())));

create policy organisation on users for select to dialplane_organisation
  using (exists (select from memberships m where m.user_id = users.id));

create policy organisation on api_keys to dialplane_organisation
  using (exists (select from api_key_organisations o where o.api_key_id = api_keys.id));

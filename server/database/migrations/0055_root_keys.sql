-- Every secret is derived from a root key. `fleet` keys are for what belongs to organisations and people, `cell` keys for
-- what belongs to this installation. MASTER_SECRET only seals them, so it can change while every derived secret stays.
create table root_keys (
  id           integer generated always as identity primary key,
  kind         text not null check (kind in ('fleet', 'cell')),
  sealed       bytea check (length(sealed) between 29 and 1000),
  sealed_under text check (sealed_under ~ '^[0-9a-f]{16}$'),
  created_at   timestamptz not null default now(),
  used_from    timestamptz not null default now(),
  retired_at   timestamptz,
  check ((sealed is null) = (sealed_under is null)),
  check (retired_at is null or sealed is null)
);
comment on column root_keys.sealed is 'AES-256-GCM under a key from MASTER_SECRET; null until migrate has set it, and once the key is retired.';
comment on column root_keys.sealed_under is 'Fingerprint of the MASTER_SECRET that opens it.';
comment on column root_keys.used_from is 'From then on new secrets use it. Every process reads it before that.';
-- `migrate` sets their values. The columns below name them.
insert into root_keys (kind) values ('fleet'), ('cell');

create table kept_keys (
  root_id   integer not null references root_keys,
  purpose   text not null check (purpose ~ '^[a-z-]+$'),
  sealed_by integer not null references root_keys,
  sealed    bytea not null check (length(sealed) between 29 and 1000),
  primary key (root_id, purpose)
);
comment on table kept_keys is 'What is left of a retired root key: the keys of secrets that customers hold and that cannot be made anew.';

alter table root_keys enable row level security;
alter table root_keys force row level security;
alter table kept_keys enable row level security;
alter table kept_keys force row level security;
create policy system on root_keys to dialplane_system using ((select current_task()) is not null);
create policy system on kept_keys to dialplane_system using ((select current_task()) is not null);
grant select, insert, update on root_keys, kept_keys to dialplane_system;

-- Which root key a secret comes from. Defaults are for the previous version of the server, which knows only the first ones.
-- Adding a reference takes a short lock; these tables are small.
-- squawk-ignore-file adding-foreign-key-constraint
alter table organisations      add column root_id integer not null default 1 references root_keys;
alter table api_keys           add column root_id integer not null default 1 references root_keys;
alter table authenticators     add column root_id integer not null default 1 references root_keys;
alter table recovery_codes     add column root_id integer not null default 1 references root_keys;
alter table identity_providers add column root_id integer not null default 1 references root_keys;
alter table switches           add column root_id integer not null default 2 references root_keys;
alter table webhook_endpoints       add column secret_roots integer[] not null default '{1}' check (cardinality(secret_roots) between 1 and 10);
alter table routing_webhook_secrets add column secret_roots integer[] not null default '{1}' check (cardinality(secret_roots) between 1 and 10);
comment on column organisations.root_id is 'Of the first secret that signs its routing webhooks, and of its proofs of domains.';
comment on column webhook_endpoints.secret_roots is 'Root keys of the secrets that sign now, newest first.';
comment on column routing_webhook_secrets.secret_roots is 'Root keys of the secrets that sign now, newest first.';

grant update (secret_mac, root_id, pepper_version) on api_keys to dialplane_system;
grant update (sealed_secret, root_id) on identity_providers to dialplane_system;
create policy system_moves on identity_providers for update to dialplane_system using ((select current_task()) = 'root-keys');
grant update (revoked_at) on api_keys to dialplane_system;
grant update (root_id) on authenticators to dialplane_caller;
grant update (root_id) on identity_providers to dialplane_organisation;
grant update (secret_roots) on webhook_endpoints, routing_webhook_secrets to dialplane_organisation;

-- A key that moves to another root key has another MAC: processes that know it as unknown must look again.
drop trigger api_keys_announce on api_keys;
create trigger api_keys_announce
  after update of revoked_at, expires_at, scopes, allowed_networks, name, secret_mac or delete on api_keys
  for each row execute function announce_credential('id');

-- A new MAC of the same credential must not end the agent's stream, and a new credential must.
alter table switches add column credential_version integer not null default 1;
comment on column switches.credential_version is 'Counts credentials. A MAC with another root key is of the same credential.';
create function count_credentials() returns trigger language plpgsql as $$
begin
  if new.credential_mac is distinct from old.credential_mac and new.root_id = old.root_id
      and new.credential_version = old.credential_version then
    new.credential_version := old.credential_version + 1;
  end if;
  return new;
end
$$;
create trigger switches_count_credentials before update of credential_mac on switches
  for each row execute function count_credentials();
grant select (credential_version) on switches to dialplane_caller;

-- As signers_of_calls, with the root keys of the secrets.
create function signing_secrets_of_calls(of_holdings uuid[])
returns table (holding_id uuid, organisation_id uuid, environment text, secret_version integer,
  previous_secrets_until timestamptz[], secret_roots integer[])
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select r.holding_id, r.organisation_id, r.environment, coalesce(s.secret_version, 1),
    coalesce(s.previous_secrets_until, '{}'), coalesce(s.secret_roots, array[o.root_id])
  from routings r
  join organisations o on o.id = r.organisation_id
  left join routing_webhook_secrets s on s.organisation_id = r.organisation_id and s.environment = r.environment
  where r.holding_id = any (of_holdings) and r.group_id = current_switch_group_id();
end;
revoke execute on function signing_secrets_of_calls from public;
grant execute on function signing_secrets_of_calls to dialplane_switch;
grant select (id, root_id) on organisations to dialplane_calls;
create policy calls on organisations for select to dialplane_calls using (exists (
  select from routings r where r.organisation_id = organisations.id and r.group_id = (select current_switch_group_id())));
-- It takes membership and the right to create to give something away.
grant dialplane_calls to current_user;
grant create on schema public to dialplane_calls;
alter function signing_secrets_of_calls owner to dialplane_calls;
revoke create on schema public from dialplane_calls;
revoke dialplane_calls from current_user;

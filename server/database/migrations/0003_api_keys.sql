create table api_keys (
  id                uuid primary key,
  name              text not null check (length(name) between 1 and 100),
  environment       text not null check (environment in ('live', 'test')),
  secret_mac        bytea not null unique,
  pepper_version    integer not null,
  hint              text not null check (length(hint) = 4),
  scopes            text[] not null check (cardinality(scopes) > 0 and scopes <@ array['numbers', 'numbers_write', 'full']),
  allowed_networks  inet[] not null default '{}',
  organisation_count integer not null default 0,
  created_by        uuid not null references users,
  created_at        timestamptz not null,
  expires_at        timestamptz,
  revoked_at        timestamptz,
  replaces_id       uuid references api_keys,
  last_used_at      timestamptz,
  last_used_from    inet
);
comment on column api_keys.secret_mac is 'HMAC-SHA256 of the key under the pepper of that version; the key itself is shown once and never stored.';
comment on column api_keys.organisation_count is 'Kept by a trigger: an organisation cannot see the others a key belongs to, only that there are some.';
create index api_keys_by_creator on api_keys (created_by);
create unique index api_keys_by_replaced on api_keys (replaces_id);

create table api_key_organisations (
  api_key_id       uuid not null references api_keys,
  organisation_id  uuid not null references organisations,
  primary key (api_key_id, organisation_id)
);
create index api_key_organisations_by_organisation on api_key_organisations (organisation_id, api_key_id);

-- Every replica drops its copy of a key as soon as something that decides about access has changed.
-- Last use is not among these columns: it is written by all replicas all the time.
create function announce_credential() returns trigger language plpgsql as $$
begin
  -- The argument names the column that holds the key's id; without one every key may be concerned.
  if tg_nargs = 0 then
    perform pg_notify('credentials', '');
  else
    perform pg_notify('credentials', to_jsonb(case when tg_op = 'DELETE' then old else new end) ->> tg_argv[0]);
  end if;
  return null;
end
$$;
create trigger api_keys_announce after update of revoked_at, expires_at, scopes, allowed_networks, name or delete on api_keys
  for each row execute function announce_credential('id');
create trigger api_key_organisations_announce after insert or delete on api_key_organisations
  for each row execute function announce_credential('api_key_id');
create trigger organisations_announce after update of name or delete on organisations
  for each statement execute function announce_credential();

create function count_api_key_organisations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update api_keys set organisation_count = organisation_count + 1 where id = new.api_key_id;
  else
    -- Before the row goes: without its link the organisation no longer sees the key.
    update api_keys set organisation_count = organisation_count - 1 where id = old.api_key_id;
    return old;
  end if;
  return null;
end
$$;
create trigger api_key_organisations_count_added after insert on api_key_organisations
  for each row execute function count_api_key_organisations();
create trigger api_key_organisations_count_removed before delete on api_key_organisations
  for each row execute function count_api_key_organisations();

alter table api_keys enable row level security;
alter table api_keys force row level security;
alter table api_key_organisations enable row level security;
alter table api_key_organisations force row level security;

grant select, update (revoked_at, expires_at, organisation_count) on api_keys to dialplane_organisation;
grant select, delete on api_key_organisations to dialplane_organisation;
create policy organisation on api_key_organisations to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));
create policy organisation on api_keys to dialplane_organisation
  using (exists (select from api_key_organisations o where o.api_key_id = api_keys.id));

-- A person makes keys in the organisations in which their role allows it, and in no other.
grant select, insert, update (expires_at, organisation_count) on api_keys to dialplane_caller;
grant select, insert on api_key_organisations to dialplane_caller;
create policy caller on api_keys to dialplane_caller using (true);
create policy caller_sees on api_key_organisations for select to dialplane_caller
  using (api_key_id = (select current_api_key_id())
    or exists (select from memberships m where m.organisation_id = api_key_organisations.organisation_id));
create policy caller_adds on api_key_organisations for insert to dialplane_caller
  with check (exists (select from memberships m
    where m.organisation_id = api_key_organisations.organisation_id and m.role in ('owner', 'admin', 'developer')));
create policy caller on organisations for select to dialplane_caller
  using (exists (select from memberships m where m.organisation_id = organisations.id)
    or exists (select from api_key_organisations o
      where o.organisation_id = organisations.id and o.api_key_id = (select current_api_key_id())));

grant select, update (last_used_at, last_used_from) on api_keys to dialplane_system;
grant select on api_key_organisations to dialplane_system;
create policy system on api_keys to dialplane_system using ((select current_task()) is not null);
create policy system on api_key_organisations to dialplane_system using ((select current_task()) is not null);

-- Who a credential belongs to, with everything /v1/me shows, in one round trip. The setting the policies
-- look at is made from the row that was found, so the caller's door shows this caller's rows and no others.
create function authenticate_session(presented_hash bytea, at timestamptz, seen_since timestamptz)
returns table (
  session_id uuid, kind text, reauthenticated_at timestamptz, last_seen_at timestamptz, expires_at timestamptz,
  user_id uuid, name text, email text, is_operator boolean, memberships json
) language plpgsql as $$
#variable_conflict use_column
declare
  found_session sessions;
begin
  select * into found_session from sessions s
    where s.token_hash = presented_hash and s.expires_at > at and s.last_seen_at > seen_since;
  if not found then
    return;
  end if;
  perform set_config('app.user_id', found_session.user_id::text, true);
  return query
    select found_session.id, found_session.kind, found_session.reauthenticated_at, found_session.last_seen_at,
      found_session.expires_at, u.id, u.name, u.email, u.is_operator,
      coalesce((
        select json_agg(json_build_object('organisationId', o.id, 'organisationName', o.name, 'role', m.role) order by o.name, o.id)
        from memberships m join organisations o on o.id = m.organisation_id
        where m.user_id = u.id), '[]')
    from users u
    where u.id = found_session.user_id and u.disabled_at is null;
end
$$;

create function authenticate_api_key(presented_mac bytea)
returns table (
  id uuid, name text, environment text, hint text, scopes text[], allowed_networks text[],
  expires_at timestamptz, revoked_at timestamptz, memberships json
) language plpgsql as $$
#variable_conflict use_column
declare
  found_key api_keys;
begin
  select * into found_key from api_keys k where k.secret_mac = presented_mac;
  if not found then
    return;
  end if;
  perform set_config('app.api_key_id', found_key.id::text, true);
  return query
    select found_key.id, found_key.name, found_key.environment, found_key.hint, found_key.scopes,
      found_key.allowed_networks::text[], found_key.expires_at, found_key.revoked_at,
      coalesce((
        select json_agg(json_build_object('organisationId', o.id, 'organisationName', o.name, 'role', null) order by o.name, o.id)
        from api_key_organisations a join organisations o on o.id = a.organisation_id
        where a.api_key_id = found_key.id), '[]');
end
$$;

-- An operator suspends an organisation: requests in it are rejected. Its calls continue, unless its numbers are suspended too.
alter table organisations
  add column suspended_at      timestamptz,
  add column suspension_reason text check (length(suspension_reason) between 1 and 500),
  add column suspends_numbers  boolean not null default false,
  add column numbers_due       boolean not null default false;
alter table organisations add constraint organisations_suspension
  check (suspended_at is not null or (suspension_reason is null and not suspends_numbers)) not valid;
comment on column organisations.suspends_numbers is 'Whether its numbers are suspended with it.';
comment on column organisations.numbers_due is 'Whether a worker still has numbers to suspend or to resume.';
-- Organisations are few.
-- squawk-ignore require-concurrent-index-creation
create index organisations_with_numbers_due on organisations (id) where numbers_due;
grant update (suspended_at, suspension_reason, suspends_numbers, numbers_due) on organisations to dialplane_system;

drop trigger organisations_announce on organisations;
create trigger organisations_announce after update of name, suspended_at or delete on organisations
  for each statement execute function announce_credential();

create or replace function authenticate_session(presented_hash bytea, at timestamptz, seen_since timestamptz)
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
        select json_agg(json_build_object('organisationId', o.id, 'organisationName', o.name, 'role', m.role,
          'isSuspended', o.suspended_at is not null) order by o.name, o.id)
        from memberships m join organisations o on o.id = m.organisation_id
        where m.user_id = u.id), '[]')
    from users u
    where u.id = found_session.user_id and u.disabled_at is null;
end
$$;

create or replace function authenticate_api_key(presented_mac bytea)
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
        select json_agg(json_build_object('organisationId', o.id, 'organisationName', o.name, 'role', null,
          'isSuspended', o.suspended_at is not null) order by o.name, o.id)
        from api_key_organisations a join organisations o on o.id = a.organisation_id
        where a.api_key_id = found_key.id), '[]');
end
$$;

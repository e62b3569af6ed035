-- Owners decide how people sign in to their organisation. Sessions that do not meet the policy are rejected in it.
alter table organisations
  add column require_second_factor  boolean not null default false,
  add column require_single_sign_on boolean not null default false,
  add column max_session_age_hours  integer;
alter table organisations add constraint organisations_max_session_age
  check (max_session_age_hours between 1 and 720) not valid;
comment on column organisations.max_session_age_hours is 'Null if sessions may be as old as the service allows, which is 30 days.';
grant update (require_second_factor, require_single_sign_on, max_session_age_hours) on organisations to dialplane_organisation;

-- How a session was opened. Of sessions from before this migration that is unknown; they count as the weakest kind.
alter table sessions
  add column method                   text not null default 'password',
  add column has_second_factor        boolean not null default false,
  add column signed_in_at             timestamptz,
  add column identity_organisation_id uuid,
  add column identity_provider_id     uuid;
alter table sessions add constraint sessions_method check (method in ('password', 'passkey', 'provider')) not valid;
alter table sessions add constraint sessions_provider check (
  (identity_provider_id is null) = (identity_organisation_id is null)
  and (identity_provider_id is null or method = 'provider')
) not valid;
-- A session does not outlive the trust in its provider: without one it no longer counts as single sign-on.
alter table sessions add constraint sessions_provider_fkey foreign key (identity_organisation_id, identity_provider_id)
  references identity_providers (organisation_id, id) on delete set null not valid;
-- Sessions are few next to what reads them: this is for the deletion of a provider.
-- squawk-ignore require-concurrent-index-creation
create index sessions_by_provider on sessions (identity_organisation_id, identity_provider_id) where identity_provider_id is not null;
comment on column sessions.has_second_factor is 'Whether a code or a passkey was used, at the sign-in or since.';
comment on column sessions.signed_in_at is 'Of a tool''s session: when the browser''s session that authorised it was opened. Null for created_at.';
comment on column sessions.identity_organisation_id is 'Whose identity provider the person signed in through; null if it was none, or if it has been deleted.';
grant update (has_second_factor) on sessions to dialplane_caller;

-- The one rule about sessions and policies. Returns null if requests with the session are accepted in the organisation.
-- Owners can always use two factors of their own instead of the identity provider, which may be down.
-- Its text is a string: with a parsed body, the tables could not be altered any more.
create function unmet_policy(s sessions, o organisations, member_role text, at timestamptz) returns text language sql immutable as $$
select case
  when o.require_single_sign_on and s.identity_organisation_id is distinct from o.id
    and not (member_role = 'owner' and s.has_second_factor) then 'single_sign_on'
  when o.require_second_factor and not s.has_second_factor then 'second_factor'
  when coalesce(s.signed_in_at, s.created_at) + make_interval(hours => o.max_session_age_hours) <= at then 'session_age'
end
$$;

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
          'isSuspended', o.suspended_at is not null, 'unmet', unmet_policy(found_session, o, m.role, at)) order by o.name, o.id)
        from memberships m join organisations o on o.id = m.organisation_id
        where m.user_id = u.id), '[]')
    from users u
    where u.id = found_session.user_id and u.disabled_at is null;
end
$$;

-- Whether a person has anything that counts as a second factor. Each door sees the rows that its policies show it.
create function has_second_factor(of_user uuid) returns boolean language sql stable
return exists (select from authenticators a where a.user_id = of_user and a.confirmed_at is not null)
  or exists (select from passkeys p where p.user_id = of_user);

-- Single sign-on cannot be required without a provider to sign in through.
create function keep_single_sign_on() returns trigger language plpgsql as $$
declare
  of_organisation uuid;
begin
  if tg_table_name = 'organisations' then
    of_organisation := new.id;
  else
    of_organisation := old.organisation_id;
    perform from organisations where id = of_organisation and require_single_sign_on for no key update;
    if not found then
      return null;
    end if;
  end if;
  if not exists (select from identity_provider_domains where organisation_id = of_organisation and proved_at is not null) then
    raise exception 'single sign-on needs an identity provider with a verified domain'
      using errcode = 'check_violation', constraint = 'organisations_single_sign_on';
  end if;
  return null;
end
$$;
create trigger organisations_single_sign_on after update of require_single_sign_on on organisations
  for each row when (new.require_single_sign_on and not old.require_single_sign_on) execute function keep_single_sign_on();
create trigger organisations_single_sign_on after delete on identity_provider_domains
  for each row when (old.proved_at is not null) execute function keep_single_sign_on();

-- Proofs of domains are checked again once a day. One that has been missing for three checks and three days lapses.
alter table identity_provider_domains
  add column checked_at     timestamptz,
  add column next_check_at  timestamptz,
  add column missing_since  timestamptz,
  add column missing_checks integer not null default 0,
  add column lapsed_at      timestamptz;
alter table identity_provider_domains add constraint identity_provider_domains_missing
  check ((missing_since is null) = (missing_checks = 0) and missing_checks >= 0) not valid;
alter table identity_provider_domains add constraint identity_provider_domains_lapsed
  check (lapsed_at is null or (proved_at is null and missing_since is null)) not valid;
comment on column identity_provider_domains.checked_at is 'When name servers last said whether the record is there. A lookup that failed does not count.';
comment on column identity_provider_domains.next_check_at is 'Null for a proof that has never been checked again: it is due.';
comment on column identity_provider_domains.lapsed_at is 'When a proof ended because its record was gone. The domain can be proved again, here or elsewhere.';
-- squawk-ignore require-concurrent-index-creation
create index identity_provider_domains_due on identity_provider_domains (next_check_at) where proved_at is not null;
grant update (checked_at, next_check_at, missing_since, missing_checks, lapsed_at) on identity_provider_domains to dialplane_organisation;
grant update (proved_at, checked_at, next_check_at, missing_since, missing_checks, lapsed_at) on identity_provider_domains to dialplane_system;
create policy system_rechecks on identity_provider_domains for update to dialplane_system using ((select current_task()) is not null);

-- Returns the user of a session token, with everything `/v1/me` shows, in one round trip. The function sets
-- `app.user_id` from the row it finds, so that policies show only this caller's rows.
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
          'isSuspended', o.suspended_at is not null, 'unmet',
              unmet_policy(found_session, o, m.role, at)) order by o.name, o.id)
        from memberships m join organisations o on o.id = m.organisation_id
        where m.user_id = u.id), '[]')
    from users u
    where u.id = found_session.user_id and u.disabled_at is null;
end
$$;

-- The one rule about sessions and policies. Returns null if requests with the session are accepted in the
-- organisation. Owners can always use their own two factors instead of the identity provider, which may be down. Its
-- text is a string: with a parsed body, the tables could not be altered any longer.
create or replace function unmet_policy(s sessions, o organisations, member_role text,
    at timestamptz) returns text language sql immutable as $$
select case
  when o.require_single_sign_on and s.identity_organisation_id is distinct from o.id
    and not (member_role = 'owner' and s.has_second_factor) then 'single_sign_on'
  when o.require_second_factor and not s.has_second_factor then 'second_factor'
  when coalesce(s.signed_in_at, s.created_at) + make_interval(hours => o.max_session_age_hours) <= at then 'session_age'
end
$$;

-- Whether a person has anything that counts as a second factor. Each door sees the rows that its policies show it.
create or replace function has_second_factor(of_user uuid) returns boolean language sql stable
return exists (select from authenticators a where a.user_id = of_user and a.confirmed_at is not null)
  or exists (select from passkeys p where p.user_id = of_user);

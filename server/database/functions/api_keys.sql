create or replace function count_api_key_organisations() returns trigger language plpgsql as $$
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

create or replace trigger api_key_organisations_count_added after insert on api_key_organisations
  for each row execute function count_api_key_organisations();

create or replace trigger api_key_organisations_count_removed before delete on api_key_organisations
  for each row execute function count_api_key_organisations();

drop function if exists authenticate_api_key(bytea);
create function authenticate_api_key(presented_mac bytea)
returns table (
  id uuid, name text, environment text, hint text, scopes text[], allowed_networks text[],
  expires_at timestamptz, revoked_at timestamptz, suspended_at timestamptz, memberships json
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
      found_key.allowed_networks::text[], found_key.expires_at, found_key.revoked_at, found_key.suspended_at,
      coalesce((
        select json_agg(json_build_object('organisationId', o.id, 'organisationName', o.name, 'role', null,
          'isSuspended', o.suspended_at is not null) order by o.name, o.id)
        from api_key_organisations a join organisations o on o.id = a.organisation_id
        where a.api_key_id = found_key.id), '[]');
end
$$;

-- Every replica drops its copy of a key as soon as something that decides about access has changed. Last use is not
-- among these columns: it is written by all replicas all the time.
create or replace function announce_credential() returns trigger language plpgsql as $$
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

create or replace trigger api_key_organisations_announce after insert or delete on api_key_organisations
  for each row execute function announce_credential('api_key_id');

create or replace trigger organisations_announce after update of name, suspended_at or delete on organisations
  for each statement execute function announce_credential();

create or replace trigger api_keys_announce
  after update of revoked_at, suspended_at, expires_at, scopes, allowed_networks, name, secret_mac or delete on api_keys
  for each row execute function announce_credential('id');

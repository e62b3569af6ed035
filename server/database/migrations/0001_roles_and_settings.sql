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

revoke all on schema public from public;
grant usage on schema public to dialplane_organisation, dialplane_caller, dialplane_switch, dialplane_system;

-- What a door was opened for. An unset setting reads as null, which equals nothing: no row is shown.
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

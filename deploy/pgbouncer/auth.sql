-- Lets PgBouncer look up the password hashes of Dialplane's four roles, and of no other.
-- Run it once, in the service's database, as a superuser: psql -d dialplane -f auth.sql

create role pgbouncer login password 'replace-me';

create schema pgbouncer;
grant usage on schema pgbouncer to pgbouncer;

create function pgbouncer.login_of(wanted text) returns table (name text, hash text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select rolname, rolpassword from pg_authid
  where rolname = wanted
    and wanted in ('dialplane_organisation', 'dialplane_caller', 'dialplane_switch', 'dialplane_system')
$$;

revoke all on function pgbouncer.login_of from public;
grant execute on function pgbouncer.login_of to pgbouncer;

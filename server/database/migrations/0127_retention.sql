-- Gives every table that grows with time an end. See docs/retention.md.

-- Owns the functions that delete old rows of append-only tables, and cannot sign in. No role that can sign in deletes
-- an event, an audit entry or a routing revision.
do $$
begin
  if not exists (select from pg_roles where rolname = 'dialplane_retention') then
    create role dialplane_retention nologin nosuperuser nocreatedb nocreaterole noinherit nobypassrls;
  end if;
end
$$;
grant usage on schema public to dialplane_retention;

create table log_floors (
  organisation_id  uuid not null references organisations,
  log              text not null check (log in ('events', 'audit')),
  position         bigint not null,
  deleted          bigint not null check (deleted > 0),
  live_id          uuid,
  test_id          uuid,
  primary key (organisation_id, log)
);
comment on table log_floors is 'Start of the events and audit entries of an organisation. Older ones were deleted.';
comment on column log_floors.position is
  'Sequence of the last deleted event, or transaction of the last deleted audit entry.';
comment on column log_floors.deleted is 'Count of deleted rows.';
comment on column log_floors.live_id is
  'Last deleted row that readers of the live environment saw. A reader that has seen everything continues after it.';

alter table log_floors enable row level security;
alter table log_floors force row level security;

create policy organisation on log_floors for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));
create policy system on log_floors for select to dialplane_system using ((select current_task()) is not null);
create policy retention on log_floors to dialplane_retention using (true);

grant select on log_floors to dialplane_organisation, dialplane_system;
grant select, insert, update on log_floors to dialplane_retention;

create policy retention on events to dialplane_retention using (true);
create policy retention on audit_entries to dialplane_retention using (true);
create policy retention on webhook_endpoints for select to dialplane_retention using (true);
create policy retention on webhook_deliveries to dialplane_retention using (true);
create policy retention on routings for select to dialplane_retention using (true);
create policy retention on routing_revisions to dialplane_retention using (true);
create policy retention on applied_routes to dialplane_retention using (true);
create policy retention on failed_routes to dialplane_retention using (true);
create policy retention on orders for select to dialplane_retention using (true);
create policy retention on reservations to dialplane_retention using (true);

grant select (organisation_id, sequence, id, environment, created_at), delete on events to dialplane_retention;
grant select (organisation_id, committed_in, id, environment, at), delete on audit_entries to dialplane_retention;
grant select (id, organisation_id) on webhook_endpoints to dialplane_retention;
grant select (endpoint_id, sequence), delete on webhook_deliveries to dialplane_retention;
grant select (holding_id) on routings to dialplane_retention;
grant select (holding_id, generation, set_at), delete on routing_revisions to dialplane_retention;
grant select (holding_id, at), delete on applied_routes to dialplane_retention;
grant select (holding_id, ended_at), delete on failed_routes to dialplane_retention;
grant select (organisation_id, environment, reservation_id) on orders to dialplane_retention;
grant select (id, organisation_id, environment, expires_at), delete on reservations to dialplane_retention;

grant delete on reconciliations, reconciliation_findings, sandbox_calls, sandbox_submissions to dialplane_system;

comment on table audit_entries is
  'Actor, action, result and origin of changes and rejected requests. Append-only: no role that signs in may change or '
  'remove a row. Old rows are deleted by end_audit_entries.';
comment on table routing_revisions is
  'Everything that was ever set, by whom and why. Append-only. Old rows are deleted by end_routing_history.';

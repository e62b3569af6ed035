-- Finds audit entries by actor, action, subject and outcome, events by type, subject and time, and orders and jobs by
-- status.

alter table audit_entries add column before jsonb, add column after jsonb;
comment on column audit_entries.before is
  'Changed settings before the change, without secrets. Null if unknown, and for routing, which has revisions.';
comment on column audit_entries.after is 'Changed settings after the change. Null as for before.';

-- squawk-ignore require-concurrent-index-creation
create index audit_entries_by_subject on audit_entries (organisation_id, subject, id) where subject is not null;
-- squawk-ignore require-concurrent-index-creation
create index audit_entries_by_action on audit_entries (organisation_id, action, id);
-- squawk-ignore require-concurrent-index-creation
create index audit_entries_refused on audit_entries (organisation_id, id) where outcome = 'refused';
-- Takes the place of an index without the organisation, which no query used.
-- squawk-ignore require-concurrent-index-creation
create index audit_entries_by_organisation_actor on audit_entries (organisation_id, actor_id, id)
  where actor_id is not null;
-- squawk-ignore require-concurrent-index-deletion
drop index audit_entries_by_actor;

-- squawk-ignore require-concurrent-index-creation
create index events_by_subject on events (organisation_id, subject, sequence);
-- squawk-ignore require-concurrent-index-creation
create index events_by_type on events (organisation_id, type, sequence);
-- squawk-ignore require-concurrent-index-creation
create index events_by_time on events (organisation_id, created_at);

-- squawk-ignore require-concurrent-index-creation
create index orders_by_status on orders (organisation_id, environment, status, id);
-- squawk-ignore require-concurrent-index-creation
create index orders_by_external_ref on orders (organisation_id, environment, external_ref, id)
  where external_ref is not null;
-- squawk-ignore require-concurrent-index-creation
create index jobs_by_status on jobs (organisation_id, environment, status, id);

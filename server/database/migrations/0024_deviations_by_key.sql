-- The id is taken out of the subject in a query of its own. A function that PostgreSQL does not know to keep rows to
-- itself must not be part of a look-up behind a policy: each event read all exceptions of its switch, and a report of
-- 2,000 deviations took longer than a statement may.
alter policy switch on events using ((organisation_id, environment) = (
  select x.organisation_id, x.environment from applied_exceptions x
  where x.switch_id = (select current_switch_id()) and x.item_id = (select id_of(events.subject))));
alter policy switch on audit_entries with check ((organisation_id, environment) = (
  select x.organisation_id, x.environment from applied_exceptions x
  where x.switch_id = (select current_switch_id()) and x.item_id = (select id_of(audit_entries.subject))));

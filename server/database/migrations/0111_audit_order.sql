-- Reads audit entries in the order of commits, and lets API keys read them.

alter table audit_entries add column committed_in bigint not null default 0;
alter table audit_entries alter column committed_in set default (pg_current_xact_id()::text::bigint);
comment on column audit_entries.committed_in is
  'Transaction that wrote the entry. Transactions before the oldest running one have ended, so no entry can appear '
  'before theirs. 0: from before this column, or restored from a dump.';

-- squawk-ignore require-concurrent-index-creation
create index audit_entries_in_order on audit_entries (organisation_id, committed_in, id);

alter table api_keys drop constraint api_keys_scopes_check;
-- squawk-ignore constraint-missing-not-valid
alter table api_keys add constraint api_keys_scopes_check
  check (cardinality(scopes) > 0 and scopes <@ array['numbers', 'numbers_write', 'full', 'audit']);

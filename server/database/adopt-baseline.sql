-- Brings a database at migration 0057 to exactly the schema of the baseline. The constraints below were added without a
-- scan of their tables. Validating them takes no lock that writers wait for.
alter table live_calls validate constraint live_calls_some_calls;
alter table mails validate constraint mails_kind;
alter table organisations validate constraint organisations_suspension;
alter table organisations validate constraint organisations_max_session_age;
alter table sessions validate constraint sessions_method;
alter table sessions validate constraint sessions_provider;
alter table sessions validate constraint sessions_provider_fkey;
alter table identity_provider_domains validate constraint identity_provider_domains_missing;
alter table identity_provider_domains validate constraint identity_provider_domains_lapsed;

-- The role has the privilege on the whole table.
revoke update (floor_token) on feed_shards from dialplane_system;

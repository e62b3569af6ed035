-- Replaced by the indexes of the last migration.
-- squawk-ignore require-concurrent-index-deletion
drop index holdings_by_status_id;
-- squawk-ignore require-concurrent-index-deletion
drop index holdings_by_status_e164;

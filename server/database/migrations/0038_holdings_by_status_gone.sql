-- Replaced by the indexes of migration 0036.
-- squawk-ignore require-concurrent-index-deletion
drop index holdings_by_status_id;
-- squawk-ignore require-concurrent-index-deletion
drop index holdings_by_status_e164;

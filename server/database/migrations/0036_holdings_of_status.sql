-- A lookup of a holding by key could scan its whole organisation. The two indexes for lists by status start and end with the columns
-- of the key, so an index-only scan can return the status, but it cannot skip the columns in between. After a VACUUM the planner
-- preferred such a scan in set_routing and publish_route: 1,209 buffers at 100,000 numbers instead of 4.
-- These replace them. The condition is true for every row, but the planner uses a partial index only if the statement implies its
-- condition, so they serve only statements that filter by status.
-- Migration 0038 drops the old ones. In one transaction with this, that would deadlock with any writer that waits for the build.

-- By ID last: without statistics the planner prefers the newest index, and this one has every column that a change of status names.
-- squawk-ignore require-concurrent-index-creation
create index holdings_of_status_by_e164 on holdings (organisation_id, environment, status, e164, id) where status is not null;
-- squawk-ignore require-concurrent-index-creation
create index holdings_of_status_by_id on holdings (organisation_id, environment, status, id) where status is not null;

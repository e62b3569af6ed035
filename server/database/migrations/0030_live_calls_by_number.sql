-- One number of an organisation at a time is what is asked for; all calls of an organisation never are. The table holds the
-- numbers that have calls now, which is an instant's work to lock and index.
-- squawk-ignore require-concurrent-index-creation
create index live_calls_by_number on live_calls (organisation_id, environment, holding_id);
-- squawk-ignore require-concurrent-index-deletion
drop index live_calls_by_organisation;
-- squawk-ignore require-concurrent-index-deletion
drop index live_calls_by_holding;

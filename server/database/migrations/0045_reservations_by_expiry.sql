-- An order asks which of its numbers the organisation has reserved. Few reservations hold anything, however many there were.
-- The table is small, so writers wait for moments only.
-- squawk-ignore require-concurrent-index-creation
create index reservations_by_expiry on reservations (organisation_id, environment, expires_at);

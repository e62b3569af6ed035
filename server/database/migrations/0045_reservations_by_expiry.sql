-- An order asks which of its numbers the organisation has reserved: few reservations hold anything, however many there were.
create index reservations_by_expiry on reservations (organisation_id, environment, expires_at);

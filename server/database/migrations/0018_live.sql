-- Beside the calls that are up, a switch says of a number how many began within the last minute, and when the newest did.
alter table live_calls add column calls_last_minute integer not null default 0;
alter table live_calls add column last_call_at timestamptz;
alter table live_calls drop constraint live_calls_active_calls_check;
-- Every row is replaced within a minute of its being told, so what was there need not be looked at.
alter table live_calls add constraint live_calls_some_calls check (active_calls >= 0 and calls_last_minute >= 0 and active_calls + calls_last_minute > 0) not valid;
comment on table live_calls is 'Numbers that have calls now, or had some within the last minute, by switch; a number without any has no row.';
comment on column live_calls.last_call_at is 'When the newest of these calls began; null from an agent that does not say.';

-- How old what is shown is: nobody's secret, as with the rest of how far switches are.
grant select (switch_id, observed_at) on live_reports to dialplane_organisation;
create policy organisation on live_reports for select to dialplane_organisation using (true);

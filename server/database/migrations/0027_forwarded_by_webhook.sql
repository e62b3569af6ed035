-- Where a number's calls go is decided by its mode, but in mode webhook by a customer's program, call by call: it may forward one.
-- What was forwarded to is kept with who called, and for as long; so the record says by itself that it was.
grant dialplane_calls to current_user;
grant create on schema public to dialplane_calls;
alter table call_records add column is_forwarded_by_webhook boolean not null default false;
comment on column call_records.is_forwarded_by_webhook is 'Mode webhook: the customer''s program said to forward the call. In mode forward all are, and this is false.';

create or replace function roll_up_calls() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  insert into usage_hours as u (organisation_id, environment, holding_id, hour, calls, answered, busy, no_answer, cancelled, rejected, failed,
    talk_seconds, forwarded_seconds)
  select c.organisation_id, c.environment, c.holding_id, date_trunc('hour', c.started_at), count(*),
    count(*) filter (where c.result = 'answered'), count(*) filter (where c.result = 'busy'), count(*) filter (where c.result = 'no_answer'),
    count(*) filter (where c.result = 'cancelled'), count(*) filter (where c.result = 'rejected'), count(*) filter (where c.result = 'failed'),
    sum(talk_seconds(c.answered_at, c.ended_at)), coalesce(sum(talk_seconds(c.answered_at, c.ended_at)) filter (where c.mode = 'forward' or c.is_forwarded_by_webhook), 0)
  from inserted c where c.holding_id is not null and c.result <> 'not_served'
  group by c.holding_id, date_trunc('hour', c.started_at), c.organisation_id, c.environment
  order by c.holding_id, date_trunc('hour', c.started_at)
  on conflict (holding_id, hour) do update set calls = u.calls + excluded.calls, answered = u.answered + excluded.answered,
    busy = u.busy + excluded.busy, no_answer = u.no_answer + excluded.no_answer, cancelled = u.cancelled + excluded.cancelled,
    rejected = u.rejected + excluded.rejected, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, forwarded_seconds = u.forwarded_seconds + excluded.forwarded_seconds;

  insert into usage_days as u (organisation_id, environment, holding_id, day, calls, answered, busy, no_answer, cancelled, rejected, failed,
    talk_seconds, forwarded_seconds)
  select c.organisation_id, c.environment, c.holding_id, c.started_at::date, count(*),
    count(*) filter (where c.result = 'answered'), count(*) filter (where c.result = 'busy'), count(*) filter (where c.result = 'no_answer'),
    count(*) filter (where c.result = 'cancelled'), count(*) filter (where c.result = 'rejected'), count(*) filter (where c.result = 'failed'),
    sum(talk_seconds(c.answered_at, c.ended_at)), coalesce(sum(talk_seconds(c.answered_at, c.ended_at)) filter (where c.mode = 'forward' or c.is_forwarded_by_webhook), 0)
  from inserted c where c.holding_id is not null and c.result <> 'not_served'
  group by c.holding_id, c.started_at::date, c.organisation_id, c.environment
  order by c.holding_id, c.started_at::date
  on conflict (holding_id, day) do update set calls = u.calls + excluded.calls, answered = u.answered + excluded.answered,
    busy = u.busy + excluded.busy, no_answer = u.no_answer + excluded.no_answer, cancelled = u.cancelled + excluded.cancelled,
    rejected = u.rejected + excluded.rejected, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, forwarded_seconds = u.forwarded_seconds + excluded.forwarded_seconds;

  insert into organisation_usage_hours as u (organisation_id, environment, hour, switch_id, calls, answered, busy, no_answer, cancelled,
    rejected, failed, talk_seconds, forwarded_seconds)
  select c.organisation_id, c.environment, date_trunc('hour', c.started_at), c.switch_id, count(*),
    count(*) filter (where c.result = 'answered'), count(*) filter (where c.result = 'busy'), count(*) filter (where c.result = 'no_answer'),
    count(*) filter (where c.result = 'cancelled'), count(*) filter (where c.result = 'rejected'), count(*) filter (where c.result = 'failed'),
    sum(talk_seconds(c.answered_at, c.ended_at)), coalesce(sum(talk_seconds(c.answered_at, c.ended_at)) filter (where c.mode = 'forward' or c.is_forwarded_by_webhook), 0)
  from inserted c where c.holding_id is not null and c.result <> 'not_served'
  group by c.organisation_id, c.environment, date_trunc('hour', c.started_at), c.switch_id
  order by c.organisation_id, c.environment, date_trunc('hour', c.started_at), c.switch_id
  on conflict (organisation_id, environment, hour, switch_id) do update set calls = u.calls + excluded.calls,
    answered = u.answered + excluded.answered, busy = u.busy + excluded.busy, no_answer = u.no_answer + excluded.no_answer,
    cancelled = u.cancelled + excluded.cancelled, rejected = u.rejected + excluded.rejected, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, forwarded_seconds = u.forwarded_seconds + excluded.forwarded_seconds;
  return null;
end
$$;

revoke create on schema public from dialplane_calls;
revoke dialplane_calls from current_user;

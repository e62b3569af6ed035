-- Billed duration of a call. 0 if the switch missed the 200 OK or the end.
create or replace function talk_seconds(answered_at timestamptz,
    ended_at timestamptz) returns integer language sql immutable parallel safe
  return case when ended_at > answered_at then ceil(extract(epoch from ended_at - answered_at))::integer else 0 end;

-- Adds new call records to the usage tables, in the same transaction. All transactions lock the tables, and the rows of
-- each, in the same order, so that concurrent reports cannot deadlock.
create or replace function roll_up_calls() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  holdings uuid[];
  counts organisation_usage_hours[];
begin
  select array_agg(k.holding_id), array_agg(k.counted) into holdings, counts from (
    select c.holding_id, row(c.organisation_id, c.environment, date_trunc('hour', c.started_at), c.switch_id, count(*),
      count(*) filter (where c.result = 'answered'), count(*) filter (where c.result = 'busy'),
      count(*) filter (where c.result = 'no_answer'), count(*) filter (where c.result = 'cancelled'),
      count(*) filter (where c.result = 'rejected'), count(*) filter (where c.result = 'failed'),
      sum(talk_seconds(c.answered_at, c.ended_at)),
      coalesce(sum(talk_seconds(c.answered_at, c.ended_at))
        filter (where c.mode = 'forward' or c.is_forwarded_by_webhook), 0))::organisation_usage_hours as counted
    from inserted c where c.holding_id is not null and c.result <> 'not_served'
    group by c.organisation_id, c.environment, c.holding_id, date_trunc('hour', c.started_at), c.switch_id
  ) k;
  insert into usage_hours as u (organisation_id, environment, holding_id, hour, calls, answered, busy,
      no_answer, cancelled, rejected, failed, talk_seconds, forwarded_seconds)
    select organisation_id, environment, holding_id, hour,
      sum(calls), sum(answered), sum(busy), sum(no_answer), sum(cancelled), sum(rejected), sum(failed),
      sum(talk_seconds), sum(forwarded_seconds)
    from unnest(holdings, counts) c (holding_id)
    group by organisation_id, environment, holding_id, hour order by holding_id, hour
    on conflict (holding_id, hour) do update set
      calls = u.calls + excluded.calls, answered = u.answered + excluded.answered, busy = u.busy + excluded.busy,
      no_answer = u.no_answer + excluded.no_answer, cancelled = u.cancelled + excluded.cancelled,
      rejected = u.rejected + excluded.rejected, failed = u.failed + excluded.failed,
      talk_seconds = u.talk_seconds + excluded.talk_seconds,
      forwarded_seconds = u.forwarded_seconds + excluded.forwarded_seconds;
  insert into usage_days as u (organisation_id, environment, holding_id, day, calls, answered, busy,
      no_answer, cancelled, rejected, failed, talk_seconds, forwarded_seconds)
    select organisation_id, environment, holding_id, hour::date,
      sum(calls), sum(answered), sum(busy), sum(no_answer), sum(cancelled), sum(rejected), sum(failed),
      sum(talk_seconds), sum(forwarded_seconds)
    from unnest(holdings, counts) c (holding_id)
    group by organisation_id, environment, holding_id, hour::date order by holding_id, hour::date
    on conflict (holding_id, day) do update set
      calls = u.calls + excluded.calls, answered = u.answered + excluded.answered, busy = u.busy + excluded.busy,
      no_answer = u.no_answer + excluded.no_answer, cancelled = u.cancelled + excluded.cancelled,
      rejected = u.rejected + excluded.rejected, failed = u.failed + excluded.failed,
      talk_seconds = u.talk_seconds + excluded.talk_seconds,
      forwarded_seconds = u.forwarded_seconds + excluded.forwarded_seconds;
  insert into organisation_usage_hours as u (organisation_id, environment, hour, switch_id, calls, answered, busy,
      no_answer, cancelled, rejected, failed, talk_seconds, forwarded_seconds)
    select organisation_id, environment, hour, switch_id,
      sum(calls), sum(answered), sum(busy), sum(no_answer), sum(cancelled), sum(rejected), sum(failed),
      sum(talk_seconds), sum(forwarded_seconds)
    from unnest(holdings, counts) c (holding_id)
    group by organisation_id, environment, hour, switch_id order by organisation_id, environment, hour, switch_id
    on conflict (organisation_id, environment, hour, switch_id) do update set
      calls = u.calls + excluded.calls, answered = u.answered + excluded.answered, busy = u.busy + excluded.busy,
      no_answer = u.no_answer + excluded.no_answer, cancelled = u.cancelled + excluded.cancelled,
      rejected = u.rejected + excluded.rejected, failed = u.failed + excluded.failed,
      talk_seconds = u.talk_seconds + excluded.talk_seconds,
      forwarded_seconds = u.forwarded_seconds + excluded.forwarded_seconds;
  return null;
end
$$;
revoke execute on function roll_up_calls from public;
alter function roll_up_calls owner to dialplane_calls;

grant trigger on call_records to dialplane_calls;
create or replace trigger call_records_roll_up after insert on call_records referencing new table as inserted
  for each statement execute function roll_up_calls();
revoke trigger on call_records from dialplane_calls;

-- Adds new call records to the buckets of ten minutes. A call has its seconds in each of the buckets that it was in.
create or replace function roll_up_buckets() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  insert into call_buckets as b (organisation_id, environment, began_at, switch_id, calls, answered, seconds)
    select c.organisation_id, c.environment, t.began_at, c.switch_id,
      count(*) filter (where t.began_at <= c.started_at),
      count(*) filter (where t.began_at <= c.started_at and c.result = 'answered'),
      ceil(sum(greatest(0, extract(epoch from least(coalesce(c.ended_at, c.started_at),
        t.began_at + interval '10 minutes') - greatest(c.started_at, t.began_at)))))
    from inserted c
    cross join lateral generate_series(date_bin('10 minutes', c.started_at, '2000-01-01'),
      least(greatest(c.ended_at, c.started_at), c.started_at + interval '1 day'), interval '10 minutes') t (began_at)
    where c.holding_id is not null and c.result <> 'not_served'
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (organisation_id, environment, began_at, switch_id) do update set
      calls = b.calls + excluded.calls, answered = b.answered + excluded.answered,
      seconds = b.seconds + excluded.seconds;
  return null;
end
$$;
revoke execute on function roll_up_buckets from public;
alter function roll_up_buckets owner to dialplane_calls;

grant trigger on call_records to dialplane_calls;
create or replace trigger call_records_roll_up_buckets after insert on call_records referencing new table as inserted
  for each statement execute function roll_up_buckets();
revoke trigger on call_records from dialplane_calls;

-- Adds new call records to the quarters of an hour of their organisations, for days that begin within an hour.
create or replace function roll_up_quarters() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  insert into organisation_usage_quarters as u (organisation_id, environment, quarter, switch_id, calls, answered, busy,
      no_answer, cancelled, rejected, failed, talk_seconds, forwarded_seconds)
    select c.organisation_id, c.environment, date_bin('15 minutes', c.started_at, '2000-01-01'), c.switch_id, count(*),
      count(*) filter (where c.result = 'answered'), count(*) filter (where c.result = 'busy'),
      count(*) filter (where c.result = 'no_answer'), count(*) filter (where c.result = 'cancelled'),
      count(*) filter (where c.result = 'rejected'), count(*) filter (where c.result = 'failed'),
      sum(talk_seconds(c.answered_at, c.ended_at)),
      coalesce(sum(talk_seconds(c.answered_at, c.ended_at))
        filter (where c.mode = 'forward' or c.is_forwarded_by_webhook), 0)
    from inserted c where c.holding_id is not null and c.result <> 'not_served'
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (organisation_id, environment, quarter, switch_id) do update set
      calls = u.calls + excluded.calls, answered = u.answered + excluded.answered, busy = u.busy + excluded.busy,
      no_answer = u.no_answer + excluded.no_answer, cancelled = u.cancelled + excluded.cancelled,
      rejected = u.rejected + excluded.rejected, failed = u.failed + excluded.failed,
      talk_seconds = u.talk_seconds + excluded.talk_seconds,
      forwarded_seconds = u.forwarded_seconds + excluded.forwarded_seconds;
  return null;
end
$$;
revoke execute on function roll_up_quarters from public;
alter function roll_up_quarters owner to dialplane_calls;

grant trigger on call_records to dialplane_calls;
create or replace trigger call_records_roll_up_quarters after insert on call_records referencing new table as inserted
  for each statement execute function roll_up_quarters();
revoke trigger on call_records from dialplane_calls;

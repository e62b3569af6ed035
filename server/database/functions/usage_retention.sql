-- Moves the times since which usage is stored by the quarter and by the hour. The last year always is. Rows before them
-- are deleted a run later, so that a request that has just read the earlier time still finds them.
create or replace function advance_usage_start(hours_from timestamptz) returns void
language sql security definer set search_path = public, pg_temp
begin atomic
  update usage_quarters_start set since = greatest(since, least(hours_from, now() - interval '1 year')),
    hours_since = greatest(hours_since, date_trunc('day', least(hours_from, now() - interval '1 year'), 'UTC'));
end;
revoke execute on function advance_usage_start from public;
grant execute on function advance_usage_start to dialplane_system;
alter function advance_usage_start owner to dialplane_calls;

-- Deletes quarters of an hour that no request reads, `most` at a time. Their calls are in the hours.
create or replace function end_usage_quarters(of_organisation uuid, most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
begin
  delete from organisation_usage_quarters where ctid = any (array(
    select q.ctid from organisation_usage_quarters q
    where q.organisation_id = of_organisation and q.environment in ('live', 'test')
      and q.quarter < (select hours_since from usage_quarters_start) limit most));
  get diagnostics gone = row_count;
  return gone;
end
$$;
revoke execute on function end_usage_quarters from public;
grant execute on function end_usage_quarters to dialplane_system;
alter function end_usage_quarters owner to dialplane_calls;

-- Turns the oldest hours of an organisation into days, a month of an environment at a time: one statement deletes the
-- hours and adds the same calls to the days. Returns the count of hours.
create or replace function roll_up_usage_hours(of_organisation uuid, of_environment text) returns integer
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  up_to timestamptz;
  gone integer;
begin
  select least(s.hours_since, date_trunc('day', min(h.hour)) + interval '31 days') into up_to
    from usage_quarters_start s, organisation_usage_hours h
    where h.organisation_id = of_organisation and h.environment = of_environment and h.hour < s.hours_since
    group by s.hours_since;
  if up_to is null then
    return 0;
  end if;
  with deleted as (
    delete from organisation_usage_hours
      where organisation_id = of_organisation and environment = of_environment and hour < up_to
      returning *
  ), added as (
    insert into organisation_usage_days as d (organisation_id, environment, day, calls, answered, busy, no_answer,
        cancelled, rejected, failed, talk_seconds, forwarded_seconds)
      select of_organisation, of_environment, hour::date, sum(calls), sum(answered), sum(busy), sum(no_answer),
        sum(cancelled), sum(rejected), sum(failed), sum(talk_seconds), sum(forwarded_seconds)
      from deleted group by hour::date
      on conflict (organisation_id, environment, day) do update set
        calls = d.calls + excluded.calls, answered = d.answered + excluded.answered, busy = d.busy + excluded.busy,
        no_answer = d.no_answer + excluded.no_answer, cancelled = d.cancelled + excluded.cancelled,
        rejected = d.rejected + excluded.rejected, failed = d.failed + excluded.failed,
        talk_seconds = d.talk_seconds + excluded.talk_seconds,
        forwarded_seconds = d.forwarded_seconds + excluded.forwarded_seconds
  )
  select count(*) into gone from deleted;
  return gone;
end
$$;
revoke execute on function roll_up_usage_hours from public;
grant execute on function roll_up_usage_hours to dialplane_system;
alter function roll_up_usage_hours owner to dialplane_calls;

-- Returns the oldest partition of a table that ends before this day, null if there is none. A year of usage always
-- stays.
create or replace function oldest_partition(of_table text, before date) returns text
language sql stable
begin atomic
  select c.relname from pg_class c
  cross join lateral (select substring(c.relname from '\d.*$') as begins) n
  cross join lateral (select case of_table
    when 'call_records' then to_date(n.begins, 'YYYY_MM') + interval '1 month'
    when 'usage_hours' then to_date(n.begins, 'YYYY_MM') + interval '1 month'
    when 'usage_days' then to_date(n.begins, 'YYYY') + interval '1 year'
    else to_date(n.begins, 'YYYY_MM_DD') + interval '1 day' end as ends) e
  where c.relnamespace = 'call_partitions'::regnamespace and c.relkind = 'r'
    and c.relname ~ case of_table when 'call_records' then '^records_\d' when 'usage_hours' then '^hours_\d'
      when 'usage_days' then '^days_\d' when 'call_parties' then '^parties_\d' end
    and e.ends <= least(before, case when of_table like 'usage%' then current_date - interval '1 year' end)
  order by c.relname limit 1;
end;

-- Raises an error if a month of hours and the days of this month do not have the same calls and seconds.
create or replace function compare_usage_days(part text) returns void
language plpgsql set timezone = 'UTC' as $$
declare
  first date := to_date(substring(part from '\d.*$'), 'YYYY_MM');
  is_equal boolean;
begin
  select (h.calls, h.talk, h.forwarded) is not distinct from (d.calls, d.talk, d.forwarded) into is_equal
  from (select sum(calls) as calls, sum(talk_seconds) as talk, sum(forwarded_seconds) as forwarded from usage_hours
    where hour >= first and hour < first + interval '1 month') h,
    (select sum(calls) as calls, sum(talk_seconds) as talk, sum(forwarded_seconds) as forwarded from usage_days
    where day >= first and day < first + interval '1 month') d;
  if not is_equal then
    raise exception 'The days of % have other calls than its hours. The hours are kept.', to_char(first, 'YYYY-MM');
  end if;
end
$$;

-- Drops one partition, or fails with 55P03 if it does not get the locks in time: statements behind a waiting lock wait
-- too. The caller retries.
create or replace function drop_partition(of_table text, part text, before date) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
begin
  perform pg_advisory_xact_lock(7203115);
  if part is distinct from oldest_partition(of_table, before) then
    return;
  end if;
  execute format('drop table call_partitions.%I', part);
end
$$;
revoke execute on function drop_partition from public;
grant execute on function drop_partition to dialplane_system;
alter function drop_partition owner to dialplane_calls;

-- Deletes days of an organisation before this one. Two years always stay.
create or replace function end_usage_days(of_organisation uuid, before date) returns void
language sql security definer set search_path = public, pg_temp
begin atomic
  delete from organisation_usage_days where organisation_id = of_organisation 
    and day < least(before, current_date - interval '2 years');
end;
revoke execute on function end_usage_days from public;
grant execute on function end_usage_days to dialplane_system;
alter function end_usage_days owner to dialplane_calls;

-- One finding of drift. Returns what an event has to say about it: drifted when an episode begins, flapping at its
-- third finding.
create or replace function record_drift(finding jsonb, at timestamptz) returns text language plpgsql as $$
declare
  of_item uuid := (finding ->> 'id')::uuid;
  found_at timestamptz := (finding ->> 'observed_at')::timestamptz;
  episode record;
begin
  select e.id, e.count into episode from drift_episodes e
    where e.switch_id = current_switch_id() and e.item_id = of_item and e.closed_at is null and (
      e.is_various or (e.found, e.found_generation, e.expected, e.expected_generation) is not distinct from (
        nullif(finding -> 'found', 'null'), (finding ->> 'found_generation')::bigint,
        nullif(finding -> 'expected', 'null'), (finding ->> 'expected_generation')::bigint))
    order by e.is_various limit 1;
  if not found then
    insert into drift_episodes (id, switch_id, item_id, shard, kind, organisation_id, environment, found,
        found_generation, expected,
        expected_generation, error, is_various, first_at, last_at, wrong_since)
      select gen_random_uuid(), current_switch_id(), of_item, (finding ->> 'shard')::integer, finding ->> 'kind',
        (finding ->> 'organisation_id')::uuid, finding ->> 'environment', nullif(finding -> 'found', 'null'),
        (finding ->> 'found_generation')::bigint, nullif(finding -> 'expected', 'null'),
            (finding ->> 'expected_generation')::bigint,
        finding ->> 'error',
        -- A switch that holds another value each time would otherwise open an episode each time.
        5 <= (select count(*) from drift_episodes o where o.switch_id = current_switch_id() and o.item_id = of_item
          and not o.is_various and o.last_at > at - interval '10 minutes'),
        found_at, found_at, found_at;
    return 'drifted';
  end if;
  update drift_episodes e set count = e.count + 1, last_at = greatest(e.last_at, found_at),
      wrong_since = coalesce(e.wrong_since, found_at),
      found = nullif(finding -> 'found', 'null'), found_generation = (finding ->> 'found_generation')::bigint,
      expected = nullif(finding -> 'expected', 'null'),
          expected_generation = (finding ->> 'expected_generation')::bigint,
      error = finding ->> 'error'
    where e.id = episode.id;
  return case when episode.count + 1 = 3 then 'flapping' end;
end
$$;

-- A destination as the API shows it, without the number that it belongs to.
create or replace function shown_destination(value jsonb, generation bigint) returns jsonb language sql immutable
  return case when value is not null then (value - 'e164') || jsonb_build_object('generation', generation) end;

-- The episode of the last drift, as long as one is open.
create or replace function open_drift(of_number uuid) returns table (error text, is_flapping boolean, shown jsonb)
language sql stable
  begin atomic
    select e.error, bool_or(e.count >= 3) over (),
      jsonb_build_object('switch', w.name, 'found', shown_destination(e.found, e.found_generation),
        'expected', shown_destination(e.expected, e.expected_generation), 'is_various', e.is_various, 'count', e.count,
        'first_at', wire_time(e.first_at), 'last_at', wire_time(e.last_at))
      from drift_episodes e join switches w on w.id = e.switch_id
      where e.item_id = of_number and e.closed_at is null order by e.last_at desc, e.count desc limit 1;
end;

-- Closes what has been quiet for long enough. Returns what events have to be made of.
create or replace function close_drift_episodes(quiet_before timestamptz, at timestamptz)
returns table (kind text, id uuid, switch text, "organisationId" uuid, environment text, data jsonb) language sql
  begin atomic
    with closed as (
      update drift_episodes e set closed_at = at, wrong_since = null,
          wrong_ms = e.wrong_ms + case when e.wrong_since is null then 0 else greatest(0,
              extract(epoch from e.last_at - e.wrong_since) * 1000)::bigint end
        where e.id in (select o.id from drift_episodes o where o.closed_at is null and o.last_at <= quiet_before
          order by o.last_at limit 1000 for update skip locked)
        returning e.*
    )
    select c.kind, c.item_id, s.name, c.organisation_id, c.environment,
        jsonb_build_object('switch', s.name, 'error', c.error,
      'found', shown_destination(c.found, c.found_generation), 'expected',
          shown_destination(c.expected, c.expected_generation),
      'is_various', c.is_various, 'count', c.count, 'first_at', wire_time(c.first_at), 'last_at', wire_time(c.last_at),
          'wrong_ms', c.wrong_ms)
    from closed c join switches s on s.id = c.switch_id order by c.organisation_id, c.last_at;
end;

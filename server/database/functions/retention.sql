-- Rows of the last four weeks stay, whatever the caller wants: a stolen password of the service cannot erase its
-- traces.
create or replace function end_of_retention(wanted timestamptz) returns timestamptz language sql stable
  return least(wanted, now() - interval '28 days');

-- Deletes the oldest events of an organisation, `most` at a time, with their webhook deliveries. Returns their count.
-- The others have no gaps.
create or replace function end_events(of_organisation uuid, before timestamptz, most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last bigint;
  gone integer;
begin
  select max(o.sequence) into last from (
    select e.sequence, bool_and(e.created_at < end_of_retention(before)) over (order by e.sequence) as is_old
    from (select sequence, created_at from events where organisation_id = of_organisation
      order by sequence limit most) e) o
  where o.is_old;
  if last is null then
    return 0;
  end if;
  delete from webhook_deliveries d using webhook_endpoints e
    where e.organisation_id = of_organisation and d.endpoint_id = e.id and d.sequence <= last;
  with deleted as (
    delete from events where organisation_id = of_organisation and sequence <= last returning sequence, id, environment
  ), counted as (
    insert into log_floors as f (organisation_id, log, position, deleted, live_id, test_id)
      select of_organisation, 'events', last, count(*),
        (array_agg(id order by sequence desc) filter (where environment is distinct from 'test'))[1],
        (array_agg(id order by sequence desc) filter (where environment is distinct from 'live'))[1]
      from deleted having count(*) > 0
      on conflict (organisation_id, log) do update set position = greatest(f.position, excluded.position),
        deleted = f.deleted + excluded.deleted, live_id = coalesce(excluded.live_id, f.live_id),
        test_id = coalesce(excluded.test_id, f.test_id)
  )
  select count(*) into gone from deleted;
  return gone;
end
$$;
revoke execute on function end_events from public;
grant execute on function end_events to dialplane_system;
alter function end_events owner to dialplane_retention;

-- Deletes the oldest audit entries of an organisation, or of the installation if it is null, `most` at a time. Returns
-- their count. Follows the order of commits, as exports do: nothing behind an existing entry is ever missing.
create or replace function end_audit_entries(of_organisation uuid, before timestamptz, most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  old uuid[];
  gone integer;
begin
  -- The first column of the index is in the order, because PostgreSQL does not know that it is constant if it is null.
  select array_agg(o.id) into old from (
    select e.id, bool_and(e.at < end_of_retention(before)) over (order by e.committed_in, e.id) as is_old from (
      (select committed_in, id, at from audit_entries where organisation_id = of_organisation
        order by organisation_id, committed_in, id limit most)
      union all
      (select committed_in, id, at from audit_entries where organisation_id is null and of_organisation is null
        order by organisation_id, committed_in, id limit most)) e) o
  where o.is_old;
  with deleted as (
    delete from audit_entries where id = any (old) returning committed_in, id, environment
  ), counted as (
    insert into log_floors as f (organisation_id, log, position, deleted, live_id, test_id)
      select of_organisation, 'audit', max(committed_in), count(*),
        (array_agg(id order by committed_in desc, id desc) filter (where environment is distinct from 'test'))[1],
        (array_agg(id order by committed_in desc, id desc) filter (where environment is distinct from 'live'))[1]
      from deleted having count(*) > 0 and of_organisation is not null
      on conflict (organisation_id, log) do update set position = greatest(f.position, excluded.position),
        deleted = f.deleted + excluded.deleted, live_id = coalesce(excluded.live_id, f.live_id),
        test_id = coalesce(excluded.test_id, f.test_id)
  )
  select count(*) into gone from deleted;
  return gone;
end
$$;
revoke execute on function end_audit_entries from public;
grant execute on function end_audit_entries to dialplane_system;
alter function end_audit_entries owner to dialplane_retention;

-- Deletes the old history of the next numbers. A revision is old if its successor was set before this time: the one
-- that was in force then stays, because later calls name it. Returns the last of these numbers, null at the end.
create or replace function end_routing_history(after_holding uuid, before timestamptz, most integer,
    out last_holding uuid, out deleted integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  page uuid[] := array(select holding_id from routings where holding_id > after_holding order by holding_id limit 200);
  more integer;
begin
  delete from routing_revisions v using (
    select p.id, (select max(o.generation) from (
      select n.generation, bool_and(n.set_at < end_of_retention(before)) over (order by n.generation) as is_old
      from (select * from (select holding_id, generation, set_at from routing_revisions) r where r.holding_id = p.id
        order by r.generation limit most) n) o where o.is_old) as last
    from unnest(page) p (id)) k
    where v.holding_id = k.id and v.generation < k.last;
  get diagnostics deleted = row_count;
  delete from applied_routes a using (
    select p.id, (select max(o.at) from (
      select r.at from applied_routes r where r.holding_id = p.id and r.at < end_of_retention(before)
      order by r.at limit most) o) as last
    from unnest(page) p (id)) k
    where a.holding_id = k.id and a.at <= k.last;
  get diagnostics more = row_count;
  deleted := deleted + more;
  delete from failed_routes f where f.holding_id = any (page) and f.ended_at < end_of_retention(before);
  get diagnostics more = row_count;
  deleted := deleted + more;
  last_holding := page[cardinality(page)];
end
$$;
revoke execute on function end_routing_history from public;
grant execute on function end_routing_history to dialplane_system;
alter function end_routing_history owner to dialplane_retention;

-- Deletes expired reservations that no order uses, `most` at a time. Returns their count.
create or replace function end_reservations(before timestamptz, most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
begin
  delete from reservations where id = any (array(
    select r.id from reservations r where r.expires_at < end_of_retention(before) and not exists (
      select from orders o where o.organisation_id = r.organisation_id and o.environment = r.environment
        and o.reservation_id = r.id)
    limit most));
  get diagnostics gone = row_count;
  return gone;
end
$$;
revoke execute on function end_reservations from public;
grant execute on function end_reservations to dialplane_system;
alter function end_reservations owner to dialplane_retention;

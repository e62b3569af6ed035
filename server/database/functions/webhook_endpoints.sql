-- Creates deliveries for events that endpoints have not seen. Returns how many events it read: at most `most`, in
-- equal shares, so that no call takes long and no organisation's backlog delays the others. Skips endpoints that
-- another worker has locked.
create or replace function make_out_deliveries(most integer, at timestamptz) returns integer language plpgsql as $$
declare
  behind uuid[];
  share integer;
  one record;
  last bigint;
  read integer := 0;
begin
  select array_agg(c.id) into behind from (
    select e.id from event_heads h
    join webhook_endpoints e on e.organisation_id = h.organisation_id and e.status = 'active' and e.position < h.head
    where h.is_behind
    order by random() limit least(100, most) for update of e skip locked) c;
  share := most / greatest(cardinality(behind), 1);
  for one in
    select e.id, e.organisation_id, e.environment, e.event_types, e.position from webhook_endpoints e
    where e.id = any (behind) and e.status = 'active'
  loop
    select max(v.sequence) into last from (
      select sequence from events where organisation_id = one.organisation_id
          and sequence > one.position order by sequence limit share) v;
    if last is null then
      -- A restore has raised the head without events. One statement, so that no event can come in between.
      update webhook_endpoints e set position = h.head from event_heads h
        where e.id = one.id and h.organisation_id = one.organisation_id and not exists (
          select from events v where v.organisation_id = one.organisation_id and v.sequence > e.position);
      continue;
    end if;
    insert into webhook_deliveries (id, organisation_id, environment, endpoint_id, sequence, event_id, event_type,
        next_attempt_at, created_at)
      select gen_random_uuid(), one.organisation_id, one.environment, one.id, v.sequence, v.id, v.type, at, at
      from events v
      where v.organisation_id = one.organisation_id and v.sequence > one.position and v.sequence <= last
        and (v.environment is null or v.environment = one.environment)
        and (one.event_types = '{}' or v.type = any (one.event_types) or split_part(v.type, '.',
            1) || '.*' = any (one.event_types))
      order by v.sequence
      on conflict do nothing;
    read := read + (last - one.position);
    update webhook_endpoints set position = last where id = one.id;
  end loop;
  return read;
end
$$;

create or replace function lower_next_due_at() returns trigger language plpgsql as $$
begin
  update webhook_endpoints e set next_due_at = d.due_at
    from (select endpoint_id,
        min(next_attempt_at) as due_at from changed where status = 'pending' group by endpoint_id) d
    where e.id = d.endpoint_id and (e.next_due_at is null or e.next_due_at > d.due_at);
  return null;
end
$$;

create or replace trigger lower_next_due_at_of_new after insert on webhook_deliveries
  referencing new table as changed for each statement execute function lower_next_due_at();

create or replace trigger lower_next_due_at after update on webhook_deliveries
  referencing new table as changed for each statement execute function lower_next_due_at();

create or replace function mark_behind() returns trigger language plpgsql as $$
begin
  new.is_behind := true;
  return new;
end
$$;

create or replace trigger mark_behind before update of head on event_heads for each row
  when (new.has_endpoints and not new.is_behind) execute function mark_behind();

-- Takes the head's lock even if nothing changes: a worker that clears has_endpoints at the same moment waits, or
-- skips it.
create or replace function note_active_endpoint() returns trigger language plpgsql as $$
begin
  update event_heads set has_endpoints = true, is_behind = true where organisation_id = new.organisation_id;
  return null;
end
$$;

create or replace trigger note_new_endpoint after insert on webhook_endpoints for each row
  when (new.status = 'active') execute function note_active_endpoint();

create or replace trigger note_active_endpoint after update of status on webhook_endpoints for each row
  when (new.status = 'active' and old.status <> 'active') execute function note_active_endpoint();

-- Removes the mark of organisations whose endpoints have caught up. Never waits for a writer, and blocks one only
-- until this statement commits: run it in a separate transaction.
create or replace function unmark_caught_up() returns integer language sql as $$
  with caught_up as (
    select h.organisation_id, exists (
      select from webhook_endpoints e where e.organisation_id = h.organisation_id
          and e.status = 'active') as has_endpoints
    from event_heads h
    where h.is_behind and not exists (
      select from webhook_endpoints e where e.organisation_id = h.organisation_id and e.status = 'active'
          and e.position < h.head)
    limit 100 for update of h skip locked
  ), unmarked as (
    update event_heads h set is_behind = false, has_endpoints = c.has_endpoints from caught_up c
    where h.organisation_id = c.organisation_id returning 1
  )
  select count(*)::integer from unmarked
$$;

-- Looking for webhook work costs what is due, not what exists.

-- Deliveries: each endpoint keeps the time of its next delivery, so that an index finds the endpoints that are due.
alter table webhook_endpoints add column next_due_at timestamptz;
comment on column webhook_endpoints.next_due_at is 'No pending delivery is due before this; null if none is pending. Lowered by a trigger on deliveries, raised by the worker that has the endpoint locked.';
-- squawk-ignore require-concurrent-index-creation
create index webhook_endpoints_due on webhook_endpoints (next_due_at) where status = 'active' and next_due_at is not null;
grant update (next_due_at) on webhook_endpoints to dialplane_organisation, dialplane_system;

create function lower_next_due_at() returns trigger language plpgsql as $$
begin
  update webhook_endpoints e set next_due_at = d.due_at
    from (select endpoint_id, min(next_attempt_at) as due_at from changed where status = 'pending' group by endpoint_id) d
    where e.id = d.endpoint_id and (e.next_due_at is null or e.next_due_at > d.due_at);
  return null;
end
$$;
create trigger lower_next_due_at_of_new after insert on webhook_deliveries
  referencing new table as changed for each statement execute function lower_next_due_at();
create trigger lower_next_due_at after update on webhook_deliveries
  referencing new table as changed for each statement execute function lower_next_due_at();

-- Events: the first event after a quiet time marks the organisation as behind. Later ones find the mark and leave it, which
-- keeps updates of the head free of index work. A worker removes the mark once all endpoints have caught up.
alter table event_heads add column has_endpoints boolean not null default false, add column is_behind boolean not null default false;
comment on column event_heads.has_endpoints is 'Whether events can mean deliveries. Set by a trigger when an endpoint becomes active, cleared by a worker that finds none.';
comment on column event_heads.is_behind is 'Whether an active webhook endpoint may have events without deliveries.';
-- squawk-ignore require-concurrent-index-creation
create index event_heads_behind on event_heads (organisation_id) where is_behind;
grant update (has_endpoints, is_behind) on event_heads to dialplane_organisation, dialplane_system;

create function mark_behind() returns trigger language plpgsql as $$
begin
  new.is_behind := true;
  return new;
end
$$;
create trigger mark_behind before update of head on event_heads for each row
  when (new.has_endpoints and not new.is_behind) execute function mark_behind();

-- Takes the head's lock even if nothing changes: a worker that clears has_endpoints at the same moment waits, or skips it.
create function note_active_endpoint() returns trigger language plpgsql as $$
begin
  update event_heads set has_endpoints = true, is_behind = true where organisation_id = new.organisation_id;
  return null;
end
$$;
create trigger note_new_endpoint after insert on webhook_endpoints for each row
  when (new.status = 'active') execute function note_active_endpoint();
create trigger note_active_endpoint after update of status on webhook_endpoints for each row
  when (new.status = 'active' and old.status <> 'active') execute function note_active_endpoint();

create policy migration on webhook_endpoints to current_user using (true);
create policy migration on webhook_deliveries to current_user using (true);
create policy migration on event_heads to current_user using (true);
update webhook_endpoints e set next_due_at =
  (select min(next_attempt_at) from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending');
update event_heads h set has_endpoints = true, is_behind = true
  where exists (select from webhook_endpoints e where e.organisation_id = h.organisation_id and e.status = 'active');
drop policy migration on webhook_endpoints;
drop policy migration on webhook_deliveries;
drop policy migration on event_heads;

-- Creates deliveries for events that endpoints have not seen. Returns how many events it read: at most `most`, in equal shares,
-- so that no call takes long and no organisation's backlog delays the others. Skips endpoints that another worker has locked.
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
      select sequence from events where organisation_id = one.organisation_id and sequence > one.position order by sequence limit share) v;
    continue when last is null;
    insert into webhook_deliveries (id, organisation_id, environment, endpoint_id, sequence, event_id, event_type, next_attempt_at, created_at)
      select gen_random_uuid(), one.organisation_id, one.environment, one.id, v.sequence, v.id, v.type, at, at
      from events v
      where v.organisation_id = one.organisation_id and v.sequence > one.position and v.sequence <= last
        and (v.environment is null or v.environment = one.environment)
        and (one.event_types = '{}' or v.type = any (one.event_types) or split_part(v.type, '.', 1) || '.*' = any (one.event_types))
      order by v.sequence
      on conflict do nothing;
    read := read + (last - one.position);
    update webhook_endpoints set position = last where id = one.id;
  end loop;
  return read;
end
$$;

-- Removes the mark of organisations whose endpoints have caught up. Never waits for a writer, and blocks one only until this
-- statement commits: run it in a transaction of its own.
create function unmark_caught_up() returns integer language sql as $$
  with caught_up as (
    select h.organisation_id, exists (
      select from webhook_endpoints e where e.organisation_id = h.organisation_id and e.status = 'active') as has_endpoints
    from event_heads h
    where h.is_behind and not exists (
      select from webhook_endpoints e where e.organisation_id = h.organisation_id and e.status = 'active' and e.position < h.head)
    limit 100 for update of h skip locked
  ), unmarked as (
    update event_heads h set is_behind = false, has_endpoints = c.has_endpoints from caught_up c
    where h.organisation_id = c.organisation_id returning 1
  )
  select count(*)::integer from unmarked
$$;

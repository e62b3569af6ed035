-- An endpoint can ask for all events of a noun: order.* stands for every type that begins with order.
create or replace function make_out_deliveries(most integer, at timestamptz) returns integer language plpgsql as $$
declare
  behind uuid[];
  share integer;
  one record;
  last bigint;
  read integer := 0;
begin
  select array_agg(c.id) into behind from (
    select e.id from webhook_endpoints e join event_heads h on h.organisation_id = e.organisation_id
    where e.status = 'active' and e.position < h.head
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

comment on column webhook_endpoints.event_types is 'Types, or all types of a noun such as order.*; empty for all events.';

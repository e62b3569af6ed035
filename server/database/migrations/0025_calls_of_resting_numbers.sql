-- A call that comes while a number rests between two holders is nobody's but the operator's. The route itself says so,
-- as it names the holding of all other calls; no clock has to.
create or replace function effective_route(r routings, status text) returns jsonb language plpgsql immutable as $$
begin
  return case status
    when 'active' then routing_shape(r)
    when 'quarantined' then '{"mode": "unrouted", "is_resting": true}'
    else '{"mode": "unrouted"}'
  end || jsonb_build_object('e164', r.e164);
end
$$;

create or replace function shown_reading(value jsonb, generation bigint, observed_at timestamptz) returns jsonb language sql stable
  return case when value is not null then
    (value - 'e164' - 'is_resting') || jsonb_build_object('generation', generation, 'observed_at', wire_time(observed_at)) end;

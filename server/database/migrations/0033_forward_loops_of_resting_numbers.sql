-- A number that rests keeps its routing and may be taken back with it. A forward to it was set as if it led no further, and
-- the number, once back, closed the circle.

-- Whether calls to a number of ours, forwarded to another, would come back to it; also through one that rests and can be taken
-- back. That it can is asked without a clock: one whose time is over may be on its way back already.
create or replace function makes_forward_loop(of_e164 text, to_e164 text) returns boolean language sql stable
  return exists (
    with recursive hops as (
      select to_e164 as e164, 1 as hop
      union all
      select r.forward_to, hops.hop + 1
      from hops cross join lateral (
        -- Two looks, each into an index of its own.
        select h.id from holdings h where h.organisation_id = current_organisation_id() and h.environment = current_environment()
          and h.is_held and h.e164 = hops.e164
        union all
        select h.id from holdings h where h.organisation_id = current_organisation_id() and h.environment = current_environment()
          and h.status = 'quarantined' and h.e164 = hops.e164 and h.restore_until is not null
      ) h
      join routings r on r.holding_id = h.id
      where r.mode = 'forward' and hops.hop < 20 and hops.e164 <> of_e164
    )
    select from hops where hops.e164 = of_e164 or hop >= 20);

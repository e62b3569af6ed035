-- Live numbers that are, or are becoming or ceasing to be, ours from a carrier.
create or replace function numbers_from(of_carrier text) returns table (e164 text, holding_id uuid,
    is_in_flux boolean) language sql stable
  begin atomic
    select h.e164, h.id, h.status = 'releasing' from holdings h
      where h.environment = 'live' and h.carrier = of_carrier and h.is_held
    union all
    select i.e164, null::uuid, true from order_items i
      join orders o on o.organisation_id = i.organisation_id and o.environment = i.environment and o.id = i.order_id
      where i.environment = 'live' and o.carrier = of_carrier and i.step in ('submitted', 'unknown', 'bought',
          'returning')
    union all
    select r.e164, null::uuid, true from releases r
      where r.environment = 'live' and r.carrier = of_carrier and r.step in ('telling', 'restoring');
end;

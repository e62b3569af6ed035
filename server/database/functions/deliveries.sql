-- Brings the desired trunks of a carrier's numbers in line with its switch groups, for all numbers or some. A number
-- whose delivery was never read begins with `first_status`.
create or replace function sync_deliveries(of_carrier text, of_numbers uuid[], first_status text, at timestamptz)
returns void language sql
  begin atomic
    insert into deliveries (holding_id, organisation_id, environment, desired, status, reason, updated_at)
      select h.id, h.organisation_id, h.environment, t.trunk,
        case when t.trunk is null then 'unsupported' else first_status end,
        case when t.trunk is null then 'no_trunk' end, at
      from holdings h
      join routings r on r.holding_id = h.id
      left join carriers c on c.name = of_carrier
      left join carrier_trunks t on t.carrier_id = c.id and t.group_id = r.group_id
      where h.environment = 'live' and h.carrier = of_carrier and h.is_held
        and (of_numbers is null or h.id = any (of_numbers))
    on conflict (holding_id) do update set desired = excluded.desired, reason = excluded.reason, error = null,
      updated_at = excluded.updated_at,
      status = case
        when excluded.desired is null then 'unsupported'
        when deliveries.status = 'pending' then 'pending'
        when deliveries.observed_at is null then excluded.status
        when deliveries.applied = excluded.desired then 'in_sync'
        else 'drifting' end
      where deliveries.desired is distinct from excluded.desired;
  end;

-- Records what the carrier reported about numbers, or an error. A number that was to be delivered stays `pending`
-- until it is delivered as desired.
create or replace function record_deliveries(observed jsonb, at timestamptz) returns void language sql
  begin atomic
    update deliveries d set updated_at = at,
      applied = case when o.is_read then o.trunk else d.applied end,
      observed_at = case when o.is_read then at else d.observed_at end,
      error = case when d.desired is not null then left(o.error, 500) end,
      status = case
        when d.desired is null then 'unsupported'
        when o.error is not null then 'failed'
        when not o.is_read then d.status
        when o.trunk = d.desired then 'in_sync'
        when o.is_pending then 'pending'
        else 'drifting' end
    from jsonb_to_recordset(observed) o(holding_id uuid, trunk text, is_read boolean, is_pending boolean, error text)
    where d.holding_id = o.holding_id;
  end;

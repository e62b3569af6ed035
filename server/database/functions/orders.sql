create or replace function refuse_order_move() returns trigger language plpgsql as $$
begin
  raise exception 'What has ended stays as it is.' using errcode = 'integrity_constraint_violation';
end
$$;

create or replace trigger orders_stay_ended before update on orders
  for each row when (old.finished_at is not null and (new.status, new.finished_at) is distinct from (old.status,
      old.finished_at))
  execute function refuse_order_move();

create or replace trigger order_items_stay_ended before update on order_items
  for each row when (old.step in ('active', 'refused', 'returned', 'stranded')
    and (new.step, new.e164, new.number_id) is distinct from (old.step, old.e164, old.number_id))
  execute function refuse_order_move();

-- Claims the chosen numbers of an order for one purchase and returns the positions of those it got. It claims one by
-- one, because another order or holding may have a number. It claims in order of the numbers, so that concurrent
-- orders cannot deadlock.
create or replace function submit_order_items(of_organisation uuid, of_environment text, of_order uuid,
    as_reference uuid)
returns setof smallint language plpgsql as $$
declare
  one record;
begin
  for one in
    select i.position, i.e164 from order_items i
    where i.organisation_id = of_organisation and i.environment = of_environment and i.order_id = of_order
        and i.step = 'chosen'
    order by i.e164
  loop
    begin
      update order_items i set step = 'submitted', reference = as_reference
        where i.organisation_id = of_organisation and i.environment = of_environment and i.order_id = of_order
          and i.position = one.position
          and not exists (
            select from numbers n join holdings h on h.number_id = n.id and h.environment = n.environment
                and h.e164 = n.e164
            where n.environment = of_environment and n.e164 = one.e164 and h.status <> 'released'
              and (of_environment = 'live' or h.organisation_id = of_organisation));
      if found then
        return next one.position;
      end if;
    exception when unique_violation then
      null;
    end;
  end loop;
end
$$;

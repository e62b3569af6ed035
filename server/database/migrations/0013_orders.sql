create table orders (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  job_id           uuid not null,
  status           text not null default 'pending'
    check (status in ('pending', 'processing', 'completed', 'partially_completed', 'failed')),
  carrier          text not null check (length(carrier) between 1 and 40),
  idempotency_key  text not null check (length(idempotency_key) between 1 and 255),
  criteria         jsonb,
  reservation_id   uuid,
  quantity         smallint not null check (quantity between 1 and 100),
  all_or_nothing   boolean not null,
  routing          jsonb,
  routing_reason   text check (length(routing_reason) between 1 and 500),
  label            text check (length(label) between 1 and 200),
  tags             text[] not null check (cardinality(tags) <= 20),
  external_ref     text check (length(external_ref) between 1 and 200),
  created_by_kind  text not null,
  created_by_id    uuid,
  created_by_name  text,
  created_at       timestamptz not null,
  finished_at      timestamptz,
  unique (organisation_id, environment, id),
  foreign key (organisation_id, environment, reservation_id) references reservations (organisation_id, environment, id),
  check (criteria is null or reservation_id is null),
  check (routing is not null or routing_reason is null),
  check ((status in ('completed', 'partially_completed', 'failed')) = (finished_at is not null))
);
comment on table orders is 'Numbers that somebody wants. Kept for ever, and the key with it: a key that is long forgotten elsewhere buys nothing a second time.';
comment on column orders.carrier is 'Whom the numbers are ordered from; another carrier connected later is not asked about them.';
comment on column orders.job_id is 'Jobs are removed one day, orders are not: no foreign key.';
-- The second wall behind the idempotency keys, which are forgotten after a while.
create unique index orders_one_per_key on orders (organisation_id, environment, idempotency_key);
create index orders_by_reservation on orders (organisation_id, environment, reservation_id) where reservation_id is not null;

create table order_items (
  organisation_id   uuid not null,
  environment       text not null,
  order_id          uuid not null,
  position          smallint not null check (position between 1 and 100),
  e164              text check (e164 ~ '^\+[1-9][0-9]{6,14}$'),
  step              text not null check (step in
    ('wanted', 'chosen', 'submitted', 'unknown', 'bought', 'active', 'refused', 'returning', 'returned', 'stranded')),
  round             smallint not null default 0 check (round >= 0),
  reference         uuid,
  return_reference  uuid,
  refusals          smallint not null default 0 check (refusals >= 0),
  number_id         uuid,
  is_routed         boolean not null default false,
  error_code        text check (length(error_code) <= 64),
  error_detail      text check (length(error_detail) <= 1000),
  primary key (organisation_id, environment, order_id, position),
  unique (organisation_id, environment, order_id, e164),
  foreign key (organisation_id, environment, order_id) references orders (organisation_id, environment, id),
  foreign key (organisation_id, environment, number_id) references holdings (organisation_id, environment, id),
  check (step <> 'wanted' or e164 is null),
  check (step in ('wanted', 'refused') or e164 is not null),
  check (step not in ('submitted', 'unknown', 'bought', 'active', 'returning', 'returned', 'stranded') or reference is not null),
  check ((step in ('returning', 'returned', 'stranded')) = (return_reference is not null)),
  check ((step = 'active') = (number_id is not null)),
  check (step not in ('refused', 'returning', 'returned', 'stranded') or error_code is not null),
  check (error_code is null or step in ('active', 'refused', 'returning', 'returned', 'stranded')),
  check (not is_routed or step = 'active'),
  check ((error_code is null) = (error_detail is null))
) with (fillfactor = 70);
comment on table order_items is 'One number of an order and how far it has come. What the carrier is asked to do stands here before it is asked.';
comment on column order_items.e164 is 'Null until one is chosen, where the order says only what kind of number is wanted.';
comment on column order_items.round is 'How often a number has been chosen: one that was sold meanwhile gives way to another.';
comment on column order_items.reference is 'Of the purchase it was last sent to the carrier with.';
comment on column order_items.return_reference is 'By which the number is given back: bought, and then not wanted.';
comment on column order_items.refusals is 'How often the carrier refused to take the number back.';
comment on column order_items.error_code is 'Why there is no number; of an active one, why it could not be routed as ordered.';
-- Whoever is second finds the number not available, whichever organisation, worker or carrier it is.
create unique index order_items_one_purchase_live on order_items (e164)
  where environment = 'live' and step in ('submitted', 'unknown', 'bought', 'returning');
create unique index order_items_one_purchase_test on order_items (organisation_id, e164)
  where environment = 'test' and step in ('submitted', 'unknown', 'bought', 'returning');
create index order_items_by_number on order_items (organisation_id, environment, number_id) where number_id is not null;

create function refuse_order_move() returns trigger language plpgsql as $$
begin
  raise exception 'What has ended stays as it is.' using errcode = 'integrity_constraint_violation';
end
$$;
create trigger orders_stay_ended before update on orders
  for each row when (old.finished_at is not null and (new.status, new.finished_at) is distinct from (old.status, old.finished_at))
  execute function refuse_order_move();
create trigger order_items_stay_ended before update on order_items
  for each row when (old.step in ('active', 'refused', 'returned', 'stranded')
    and (new.step, new.e164, new.number_id) is distinct from (old.step, old.e164, old.number_id))
  execute function refuse_order_move();

-- Claims the chosen numbers of an order for one purchase; answers the places of those it could have. One by one, for
-- each may turn out to be somebody else's, and in the order of the numbers, so that two who want the same never wait for
-- each other.
create function submit_order_items(of_organisation uuid, of_environment text, of_order uuid, as_reference uuid)
returns setof smallint language plpgsql as $$
declare
  one record;
begin
  for one in
    select i.position, i.e164 from order_items i
    where i.organisation_id = of_organisation and i.environment = of_environment and i.order_id = of_order and i.step = 'chosen'
    order by i.e164
  loop
    begin
      update order_items i set step = 'submitted', reference = as_reference
        where i.organisation_id = of_organisation and i.environment = of_environment and i.order_id = of_order
          and i.position = one.position
          and not exists (
            select from numbers n join holdings h on h.number_id = n.id and h.environment = n.environment and h.e164 = n.e164
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

alter table orders enable row level security;
alter table orders force row level security;
alter table order_items enable row level security;
alter table order_items force row level security;

grant select, insert on orders, order_items to dialplane_organisation;
create policy organisation on orders to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on order_items to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

-- The worker sees them through: holdings are made of the operator's stock, which no organisation's door can reach.
grant select, update (status, finished_at) on orders to dialplane_system;
grant select, update (e164, step, round, reference, return_reference, refusals, number_id, is_routed, error_code, error_detail)
  on order_items to dialplane_system;
create policy system on orders to dialplane_system using ((select current_task()) is not null);
create policy system on order_items to dialplane_system using ((select current_task()) is not null);

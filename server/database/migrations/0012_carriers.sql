create table pool_purchases (
  reference    uuid not null,
  e164         text not null collate "C",
  number_id    uuid references numbers,
  sold_to      uuid not null references organisations,
  asked_at     timestamptz not null,
  returned_at  timestamptz,
  returned_by  uuid,
  primary key (reference, e164),
  check (number_id is not null or returned_by is null),
  check (returned_at is null or returned_by is not null)
);
comment on table pool_purchases is 'What was asked of the pool of live numbers under each reference, and what became of it. A number that is sold keeps its row in stock_reservations, for ever, until it is returned: so nobody else can reserve or buy it.';
comment on column pool_purchases.number_id is 'Null where the number was not to be had.';
comment on column pool_purchases.returned_by is 'Reference of the release. It stays where the number was taken back afterwards, and returned_at does not.';
create unique index pool_purchases_open on pool_purchases (e164) where number_id is not null and returned_at is null;
create index pool_purchases_by_release on pool_purchases (returned_by) where returned_by is not null;
create index pool_purchases_by_number on pool_purchases (number_id);
create index pool_purchases_by_buyer on pool_purchases (sold_to);

create table sandbox_purchases (
  reference     uuid not null,
  e164          text not null collate "C",
  test_side_of  uuid not null references organisations,
  asked_at      timestamptz not null,
  bought_at     timestamptz,
  returned_at   timestamptz,
  returned_by   uuid,
  primary key (reference, e164),
  check (bought_at is not null or returned_by is null),
  check (returned_at is null or returned_by is not null)
);
comment on table sandbox_purchases is 'The books of the company that test sides order from. They are in the database so that it remembers what it sold when we do not.';
comment on column sandbox_purchases.bought_at is 'Null where the number was refused; in the future while the order is pending.';
comment on column sandbox_purchases.returned_at is 'In the future while the release is pending.';
create unique index sandbox_purchases_open on sandbox_purchases (test_side_of, e164) where bought_at is not null and returned_at is null;
create index sandbox_purchases_by_e164 on sandbox_purchases (e164, reference) where bought_at is not null;
create index sandbox_purchases_by_release on sandbox_purchases (returned_by) where returned_by is not null;
create index sandbox_purchases_by_test_side on sandbox_purchases (test_side_of);

create table sandbox_reservations (
  test_side_of    uuid not null references organisations,
  e164            text not null collate "C",
  reference       uuid not null,
  reserved_until  timestamptz not null,
  primary key (test_side_of, e164)
);
comment on table sandbox_reservations is 'Which fictional numbers of a test side are put aside, or sold: those for ever.';
create index sandbox_reservations_by_reference on sandbox_reservations (reference);

create table sandbox_calls (
  reference     uuid primary key,
  test_side_of  uuid not null references organisations,
  first_at      timestamptz not null
);
comment on table sandbox_calls is 'When something was first tried whose number is scripted to get lost, or not to be reachable for a while.';
create index sandbox_calls_by_test_side on sandbox_calls (test_side_of);

alter table pool_purchases enable row level security;
alter table pool_purchases force row level security;
alter table sandbox_purchases enable row level security;
alter table sandbox_purchases force row level security;
alter table sandbox_reservations enable row level security;
alter table sandbox_reservations force row level security;
alter table sandbox_calls enable row level security;
alter table sandbox_calls force row level security;

-- A carrier's books are not the customer's: organisations see their orders and numbers.
grant select, insert, update (returned_at, returned_by) on pool_purchases to dialplane_system;
grant select, insert, update (returned_at, returned_by) on sandbox_purchases to dialplane_system;
grant select, insert, update (reference, reserved_until), delete on sandbox_reservations to dialplane_system;
grant select, insert on sandbox_calls to dialplane_system;
create policy system on pool_purchases to dialplane_system using ((select current_task()) is not null);
create policy system on sandbox_purchases to dialplane_system using ((select current_task()) is not null);
create policy system on sandbox_reservations to dialplane_system using ((select current_task()) is not null);
create policy system on sandbox_calls to dialplane_system using ((select current_task()) is not null);

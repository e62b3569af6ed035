create table reservations (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  status           text not null check (status in ('active', 'ordered', 'cancelled')),
  carrier          text not null check (length(carrier) between 1 and 40),
  numbers          text[] not null check (cardinality(numbers) between 1 and 100),
  created_by       uuid not null references users,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  unique (organisation_id, environment, id)
);
comment on table reservations is 'Numbers an organisation has put aside for a while. That each is put aside once only is the carrier''s word; for our own stock see stock_reservations.';
comment on column reservations.status is 'Expired is no state of ours: it follows from expires_at.';
comment on column reservations.carrier is 'Whose numbers they are: another one connected later knows nothing of them.';
create index reservations_by_creator on reservations (created_by);

create table stock_reservations (
  number_id       uuid not null references numbers,
  test_side_of    uuid references organisations,
  reference       uuid not null,
  reserved_until  timestamptz not null,
  unique nulls not distinct (number_id, test_side_of)
);
comment on table stock_reservations is 'Which numbers of the stock are put aside: one reference each, by the unique constraint. Where the time is over, the next one takes the row.';
comment on column stock_reservations.test_side_of is 'Every test side has the fictional numbers to itself: whose it is. Null for a live number, of which there is one.';
create index stock_reservations_by_reference on stock_reservations (reference);
create index stock_reservations_by_test_side on stock_reservations (test_side_of) where test_side_of is not null;

alter table reservations enable row level security;
alter table reservations force row level security;
alter table stock_reservations enable row level security;
alter table stock_reservations force row level security;

grant select, insert, update (status) on reservations to dialplane_organisation;
create policy organisation on reservations to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

-- A company that takes no reservation back goes on naming it: which of them still stand is asked for all organisations.
grant select (id, status) on reservations to dialplane_system;
create policy system on reservations for select to dialplane_system using ((select current_task()) is not null);

-- The stock is the operator's: organisations see what the inventory tells them, and never whose a reservation is.
grant select, insert, update (reference, reserved_until), delete on stock_reservations to dialplane_system;
create policy system on stock_reservations to dialplane_system using ((select current_task()) is not null);

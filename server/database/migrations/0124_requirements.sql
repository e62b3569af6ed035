-- Evidence that regulators want before a number is sold: addresses and documents, and the requirements of orders.

create table evidence_totals (
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  addresses        integer not null default 0
    constraint evidence_totals_addresses check (addresses between 0 and 500),
  documents        integer not null default 0
    constraint evidence_totals_documents check (documents between 0 and 200),
  document_bytes   bigint not null default 0
    constraint evidence_totals_bytes check (document_bytes between 0 and 104857600),
  primary key (organisation_id, environment)
);
comment on table evidence_totals is
  'Counts of addresses and documents, kept by triggers. Its constraints are the limits, also for concurrent requests.';

create table addresses (
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  id               uuid not null,
  name             text not null check (length(name) between 1 and 200),
  street           text not null check (length(street) between 1 and 200),
  city             text not null check (length(city) between 1 and 100),
  postal_code      text not null check (length(postal_code) between 1 and 20),
  region           text check (length(region) between 1 and 100),
  country          text not null check (country ~ '^[A-Z]{2}$'),
  created_at       timestamptz not null,
  primary key (organisation_id, environment, id)
);
comment on table addresses is 'Addresses that an organisation submits to carriers. Never changed, only deleted.';

create table documents (
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  id               uuid not null unique,
  kind             text not null check (kind ~ '^[a-z][a-z_]{0,39}$'),
  file_name        text not null check (length(file_name) between 1 and 200),
  media_type       text not null check (media_type in ('application/pdf', 'image/png', 'image/jpeg')),
  size             integer not null check (size between 1 and 5242880),
  sealed_content   bytea not null,
  sealed_key       bytea not null check (length(sealed_key) between 29 and 200),
  root_id          integer not null references root_keys,
  created_at       timestamptz not null,
  primary key (organisation_id, environment, id),
  check (octet_length(sealed_content) = size + 28)
);
comment on table documents is 'Files that an organisation submits to carriers. Never changed, only deleted.';
comment on column documents.sealed_content is
  'AES-256-GCM under a key of this document alone, bound to the id. A new root key seals that key again, not the file.';
comment on column documents.sealed_key is 'Key of the content, sealed by a root key and bound to the id.';

create index documents_by_root on documents (root_id);

create table order_requirements (
  organisation_id  uuid not null,
  environment      text not null,
  order_id         uuid not null,
  position         smallint not null,
  requirement_id   text not null check (length(requirement_id) between 1 and 100),
  type             text not null check (type in ('address', 'document', 'end_user')),
  description      text not null check (length(description) between 1 and 500),
  country          text check (country ~ '^[A-Z]{2}$'),
  document_kinds   text[] not null check (cardinality(document_kinds) <= 20),
  status           text not null check (status in ('missing', 'submitting', 'pending', 'accepted', 'rejected')),
  reference        uuid unique,
  address_id       uuid,
  document_id      uuid,
  end_user         jsonb check (jsonb_typeof(end_user) = 'object'),
  rejected_reason  text check (length(rejected_reason) between 1 and 500),
  updated_at       timestamptz not null,
  primary key (organisation_id, environment, order_id, position, requirement_id),
  foreign key (organisation_id, environment, order_id, position)
    references order_items (organisation_id, environment, order_id, position),
  foreign key (organisation_id, environment, address_id) references addresses (organisation_id, environment, id),
  foreign key (organisation_id, environment, document_id) references documents (organisation_id, environment, id),
  check (status <> 'submitting' or reference is not null),
  check ((status = 'rejected') = (rejected_reason is not null)),
  check (address_id is null or type = 'address'),
  check (document_id is null or type = 'document'),
  check (end_user is null or type = 'end_user')
);
comment on table order_requirements is
  'Evidence that the carrier wants for an item of an order, as the carrier names it, and its last submission.';
comment on column order_requirements.status is
  'submitting: stored here and not confirmed by the carrier yet. The API shows it as pending.';
comment on column order_requirements.reference is
  'Reference of the last submission, stored before the request to the carrier. Null before the first.';
comment on column order_requirements.address_id is
  'Refers to the address while the order is open. Deletion of the address clears it in orders that have ended.';

comment on column order_requirements.end_user is 'Person who uses the number. Deleted when the order ends.';

create index order_requirements_by_address on order_requirements (organisation_id, environment, address_id)
  where address_id is not null;
create index order_requirements_by_document on order_requirements (organisation_id, environment, document_id)
  where document_id is not null;
create index order_requirements_open on order_requirements (organisation_id, environment, order_id)
  where status in ('missing', 'rejected');

create table sandbox_submissions (
  reference        uuid primary key,
  test_side_of     uuid not null references organisations,
  order_reference  uuid not null,
  e164             text not null,
  requirement_id   text not null,
  submitted_at     timestamptz not null,
  rejected_reason  text
);
comment on table sandbox_submissions is
  'Evidence that the simulated carrier of test environments received, without its contents.';

create index sandbox_submissions_by_order on sandbox_submissions (order_reference);
create index sandbox_submissions_by_test_side on sandbox_submissions (test_side_of);

alter table evidence_totals enable row level security;
alter table evidence_totals force row level security;
alter table addresses enable row level security;
alter table addresses force row level security;
alter table documents enable row level security;
alter table documents force row level security;
alter table order_requirements enable row level security;
alter table order_requirements force row level security;
alter table sandbox_submissions enable row level security;
alter table sandbox_submissions force row level security;

create policy organisation on evidence_totals to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on addresses to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on documents to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on order_requirements to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on evidence_totals to dialplane_system using ((select current_task()) is not null);
create policy system on addresses to dialplane_system using ((select current_task()) is not null);
create policy system on documents to dialplane_system using ((select current_task()) is not null);
create policy system on order_requirements to dialplane_system using ((select current_task()) is not null);
create policy system on sandbox_submissions to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (addresses, documents, document_bytes) on evidence_totals to dialplane_organisation;
grant select on evidence_totals to dialplane_system;

grant select, insert, delete on addresses to dialplane_organisation;
grant select on addresses to dialplane_system;

grant select, insert, delete on documents to dialplane_organisation;
-- Documents never change. Only their keys are sealed again when a root key is replaced.
grant select, update (sealed_key, root_id) on documents to dialplane_system;

grant select, update (status, reference, address_id, document_id, end_user, rejected_reason, updated_at)
  on order_requirements to dialplane_organisation;
grant select, insert, update (status, end_user, rejected_reason, updated_at) on order_requirements to dialplane_system;

grant select, insert on sandbox_submissions to dialplane_system;

-- The sandbox sells a number when it has accepted the evidence for it.
grant update (bought_at) on sandbox_purchases to dialplane_system;

-- A submission wakes the job of its order.
grant update (next_check_at, waits) on jobs to dialplane_organisation;

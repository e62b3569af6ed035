-- Saved views: filters of a page of the dashboard under a name, of one member or of the organisation.

create table views (
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  id               uuid not null,
  user_id          uuid,
  page             text not null check (page in ('numbers', 'calls', 'audit', 'events', 'jobs')),
  name             text not null check (length(name) between 1 and 60 and name !~ '[[:cntrl:]]'),
  query            text not null check (length(query) <= 2000 and query ~ '^[!-~]*$'),
  slot             smallint not null check (slot between 1 and 100),
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  primary key (organisation_id, environment, id),
  foreign key (organisation_id, user_id) references memberships (organisation_id, user_id) on delete cascade
);
comment on column views.user_id is
  'Member who owns the view. Null for a view of the organisation, which all members see.';
comment on column views.query is 'Query string of the page, without the question mark.';
comment on column views.slot is 'Limits the views of an owner: two concurrent inserts cannot take the same slot.';

create unique index views_by_slot on views (organisation_id, environment, user_id, slot) nulls not distinct;
create unique index views_by_name on views (organisation_id, environment, user_id, page, lower(name))
  nulls not distinct;

alter table views enable row level security;
alter table views force row level security;

create policy organisation on views to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

grant select, insert, update (user_id, slot, name, query, updated_at), delete on views to dialplane_organisation;

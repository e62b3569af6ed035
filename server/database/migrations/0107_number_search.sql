-- Search by destination, metadata on numbers, orders and connections, and the country of an organisation.

alter table organisations add column default_country text check (default_country ~ '^[A-Z]{2}$');
comment on column organisations.default_country is
  'Country in which people write numbers without a country code; null if a search guesses.';
grant update (default_country) on organisations to dialplane_organisation;

create table routing_destinations (
  holding_id       uuid primary key,
  organisation_id  uuid not null,
  environment      text not null,
  destination      text not null,
  foreign key (organisation_id, environment, holding_id) references routings (organisation_id, environment, holding_id)
    on delete cascade
);
comment on table routing_destinations is
  'Destinations of routings as a search reads them, kept by a trigger. A separate table, because an index on '
  'routings would make every change of a destination rewrite all indexes of the row.';

insert into routing_destinations (holding_id, organisation_id, environment, destination)
  select holding_id, organisation_id, environment,
    lower(concat_ws(' ', sip_uri, forward_to, webhook_url, fallback_sip_uri))
  from routings where mode in ('sip_uri', 'forward', 'webhook');

create index routing_destinations_by_search on routing_destinations using gin (
    side_key(organisation_id, environment), destination gin_trgm_ops);

create index routing_destinations_by_holding on routing_destinations (organisation_id, environment, holding_id);

alter table routing_destinations enable row level security;
alter table routing_destinations force row level security;

create policy organisation on routing_destinations to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on routing_destinations to dialplane_system using ((select current_task()) is not null);
create policy search on routing_destinations for select to dialplane_search using (true);

grant select, insert, update (destination), delete on routing_destinations to dialplane_organisation, dialplane_system;
grant select on routing_destinations to dialplane_search;

create policy search on connections for select to dialplane_search
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy search on connection_targets for select to dialplane_search
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

grant select on connections, connection_targets to dialplane_search;

alter table holdings add column metadata jsonb not null default '{}';
alter table holdings add constraint holdings_metadata check (jsonb_typeof(metadata) = 'object'
  and jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()')) <= 20
  and not jsonb_path_exists(metadata, '$.* ? (@.type() != "string")')) not valid;
alter table orders add column metadata jsonb not null default '{}';
alter table orders add constraint orders_metadata check (jsonb_typeof(metadata) = 'object'
  and jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()')) <= 20
  and not jsonb_path_exists(metadata, '$.* ? (@.type() != "string")')) not valid;
alter table connections add column metadata jsonb not null default '{}';
alter table connections add constraint connections_metadata check (jsonb_typeof(metadata) = 'object'
  and jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()')) <= 20
  and not jsonb_path_exists(metadata, '$.* ? (@.type() != "string")')) not valid;

grant update (metadata) on holdings, connections to dialplane_organisation;

create table holding_metadata (
  organisation_id  uuid not null,
  environment      text not null,
  key              text not null collate "C",
  value            text not null collate "C",
  holding_id       uuid not null,
  e164             text not null collate "C",
  primary key (holding_id, key),
  foreign key (organisation_id, environment, holding_id) references holdings (organisation_id, environment, id)
);
comment on table holding_metadata is 'holdings.metadata, one row for each key, kept by a trigger for the list.';

create index holding_metadata_by_id on holding_metadata (organisation_id, environment, key, value, holding_id);
create index holding_metadata_by_e164 on holding_metadata (organisation_id, environment, key, value, e164, holding_id);
create index holding_metadata_by_holding on holding_metadata (organisation_id, environment, holding_id);

alter table holding_metadata enable row level security;
alter table holding_metadata force row level security;

create policy organisation on holding_metadata to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy search on holding_metadata for select to dialplane_search
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

grant select, insert, delete on holding_metadata to dialplane_organisation;
grant select on holding_metadata to dialplane_search;

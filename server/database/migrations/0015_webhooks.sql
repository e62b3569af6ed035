create table webhook_endpoints (
  id                     uuid primary key,
  organisation_id        uuid not null references organisations,
  environment            text not null check (environment in ('live', 'test')),
  url                    text not null check (length(url) between 1 and 2000),
  description            text check (length(description) between 1 and 200),
  event_types            text[] not null default '{}' check (cardinality(event_types) <= 50),
  status                 text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason        text check (length(disabled_reason) between 1 and 64),
  secret_version         integer not null default 1,
  previous_secrets_until timestamptz[] not null default '{}' check (cardinality(previous_secrets_until) < 10),
  position               bigint not null,
  failing_since          timestamptz,
  created_at             timestamptz not null,
  unique (organisation_id, environment, id),
  check (disabled_reason is null or status = 'disabled')
) with (fillfactor = 70);
comment on table webhook_endpoints is 'Where an organisation wants to hear of its events.';
comment on column webhook_endpoints.event_types is 'None: all of them.';
comment on column webhook_endpoints.secret_version is 'The secret follows from it and the id; it is stored nowhere.';
comment on column webhook_endpoints.previous_secrets_until is 'How long each earlier secret still signs, the last one first.';
comment on column webhook_endpoints.position is 'Up to which event of the organisation deliveries have been made out.';
create index webhook_endpoints_active on webhook_endpoints (organisation_id, position) where status = 'active';

create table webhook_deliveries (
  id               uuid primary key,
  organisation_id  uuid not null,
  environment      text not null,
  endpoint_id      uuid not null,
  sequence         bigint not null,
  event_id         uuid not null,
  event_type       text not null,
  status           text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts         integer not null default 0,
  next_attempt_at  timestamptz,
  answered         smallint,
  error            text check (length(error) <= 300),
  attempted_at     timestamptz,
  created_at       timestamptz not null,
  unique (endpoint_id, sequence),
  unique (organisation_id, environment, id),
  foreign key (organisation_id, environment, endpoint_id) references webhook_endpoints (organisation_id, environment, id) on delete cascade,
  check ((status = 'pending') = (next_attempt_at is not null))
) with (fillfactor = 70);
comment on table webhook_deliveries is 'Each event that an endpoint is to hear of, and what became of it. Delivered at least once, always with the id of the event.';
comment on column webhook_deliveries.next_attempt_at is 'From then on anybody may try; whoever tries moves it on first.';
-- By endpoint first: what has piled up for one, whether it is slow, failing or disabled, is in nobody else's way.
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at, sequence) where status = 'pending';
create index webhook_deliveries_by_endpoint on webhook_deliveries (organisation_id, environment, endpoint_id, sequence);
create index webhook_deliveries_by_status on webhook_deliveries (organisation_id, environment, endpoint_id, status, sequence);
create index webhook_deliveries_by_age on webhook_deliveries (created_at) where status <> 'pending';

-- Makes out deliveries for events that came since endpoints were last looked at. Says how many events were read: at
-- most so many, in equal shares, so that no call lasts long and nobody's log keeps the others waiting.
-- Whose endpoints a worker is at are skipped by others.
create function make_out_deliveries(most integer, at timestamptz) returns integer language plpgsql as $$
declare
  behind uuid[];
  share integer;
  one record;
  last bigint;
  read integer := 0;
begin
  select array_agg(c.id) into behind from (
    select e.id from webhook_endpoints e join event_heads h on h.organisation_id = e.organisation_id
    where e.status = 'active' and e.position < h.head
    order by random() limit least(100, most) for update of e skip locked) c;
  share := most / greatest(cardinality(behind), 1);
  for one in
    select e.id, e.organisation_id, e.environment, e.event_types, e.position from webhook_endpoints e
    where e.id = any (behind) and e.status = 'active'
  loop
    select max(v.sequence) into last from (
      select sequence from events where organisation_id = one.organisation_id and sequence > one.position order by sequence limit share) v;
    continue when last is null;
    insert into webhook_deliveries (id, organisation_id, environment, endpoint_id, sequence, event_id, event_type, next_attempt_at, created_at)
      select gen_random_uuid(), one.organisation_id, one.environment, one.id, v.sequence, v.id, v.type, at, at
      from events v
      where v.organisation_id = one.organisation_id and v.sequence > one.position and v.sequence <= last
        and (v.environment is null or v.environment = one.environment)
        and (one.event_types = '{}' or v.type = any (one.event_types))
      order by v.sequence
      on conflict do nothing;
    read := read + (last - one.position);
    update webhook_endpoints set position = last where id = one.id;
  end loop;
  return read;
end
$$;

alter table webhook_endpoints enable row level security;
alter table webhook_endpoints force row level security;
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;

grant select, insert, update (url, description, event_types, status, disabled_reason, secret_version, previous_secrets_until, failing_since), delete
  on webhook_endpoints to dialplane_organisation;
grant select, update (status, attempts, next_attempt_at) on webhook_deliveries to dialplane_organisation;
create policy organisation on webhook_endpoints to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on webhook_deliveries to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

grant select, update (status, disabled_reason, position, failing_since) on webhook_endpoints to dialplane_system;
grant select, insert, update (status, attempts, next_attempt_at, answered, error, attempted_at), delete on webhook_deliveries to dialplane_system;
create policy system on webhook_endpoints to dialplane_system using ((select current_task()) is not null);
create policy system on webhook_deliveries to dialplane_system using ((select current_task()) is not null);

create table event_heads (
  organisation_id  uuid primary key references organisations,
  head             bigint not null default 0,
  has_endpoints    boolean not null default false,
  is_behind        boolean not null default false
);
comment on table event_heads is
  'The last event number of each organisation. Its row is locked last in a transaction, so numbers follow the '
  'order of commits without gaps.';
comment on column event_heads.has_endpoints is
  'Whether events can mean deliveries. Set by a trigger when an endpoint becomes active, cleared by a worker that '
  'finds none.';
comment on column event_heads.is_behind is 'Whether an active webhook endpoint may have events without deliveries.';

create index event_heads_behind on event_heads (organisation_id) where is_behind;

-- Small tables whose rows change all the time. By default autovacuum waits until a fifth of a table is dead and then
-- sleeps between pages; after a long transaction that leaves hundreds of dead pages in front of a poll that reads
-- every 20 ms.
alter table event_heads set (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

alter table event_heads enable row level security;
alter table event_heads force row level security;

create policy organisation on event_heads to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));

create policy caller on event_heads to dialplane_caller
  using (exists (select from memberships m where m.organisation_id = event_heads.organisation_id));

create policy system on event_heads to dialplane_system using ((select current_task()) is not null);

grant select, update (head) on event_heads to dialplane_caller, dialplane_switch;
grant select, update (head, has_endpoints, is_behind) on event_heads to dialplane_organisation;
grant select, insert, update (head, has_endpoints, is_behind) on event_heads to dialplane_system;

create table events (
  organisation_id  uuid not null references organisations,
  sequence         bigint not null,
  id               uuid not null unique,
  environment      text check (environment in ('live', 'test')),
  type             text not null check (type ~ '^[a-z_]+\.[a-z_]+$'),
  subject          text,
  data             jsonb not null,
  created_at       timestamptz not null,
  primary key (organisation_id, sequence)
);
comment on table events is 'Events of an organisation, inserted in the transaction of the change.';
comment on column events.environment is 'Null if the change concerns both environments, such as a change of members.';

alter table events enable row level security;
alter table events force row level security;

create policy organisation on events to dialplane_organisation
  using (organisation_id = (select current_organisation_id())
      and (environment is null or environment = (select current_environment())));

create policy caller on events to dialplane_caller
  using (exists (select from memberships m where m.organisation_id = events.organisation_id));

create policy system on events to dialplane_system using ((select current_task()) is not null);

grant select, insert on events to dialplane_caller, dialplane_organisation, dialplane_system;
grant select (sequence), insert on events to dialplane_switch;

create table audit_entries (
  id               uuid primary key,
  organisation_id  uuid references organisations,
  environment      text check (environment in ('live', 'test')),
  action           text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  outcome          text not null check (outcome in ('done', 'refused')),
  subject          text,
  actor_kind       text not null check (actor_kind in ('session', 'api_key', 'operator', 'system', 'nobody')),
  actor_id         uuid,
  actor_name       text,
  detail           jsonb not null,
  request_id       text,
  address          inet,
  at               timestamptz not null
);
comment on table audit_entries is
  'Actor, action, result and origin of changes and rejected requests. Append-only: no role may change or remove a row.';
comment on column audit_entries.organisation_id is
  'Null for what concerns an account or the installation, such as signing in.';

create index audit_entries_by_organisation on audit_entries (organisation_id, id);
create index audit_entries_by_actor on audit_entries (actor_id, id);

alter table audit_entries enable row level security;
alter table audit_entries force row level security;

create policy organisation on audit_entries to dialplane_organisation
  using (organisation_id = (select current_organisation_id())
      and (environment is null or environment = (select current_environment())));

create policy caller on audit_entries to dialplane_caller
  using (organisation_id is null
      or exists (select from memberships m where m.organisation_id = audit_entries.organisation_id));

create policy system on audit_entries to dialplane_system using ((select current_task()) is not null);

grant insert on audit_entries to dialplane_caller, dialplane_switch;
grant select, insert on audit_entries to dialplane_organisation, dialplane_system;

create table mails (
  id             uuid primary key,
  kind           text not null,
  recipient      text not null check (length(recipient) between 3 and 254),
  reference      uuid,
  created_at     timestamptz not null,
  claimed_until  timestamptz,
  sent_at        timestamptz,
  constraint mails_kind check (kind ~ '^[a-z_]+$')
);
comment on table mails is 'Mail to be sent, committed with what it is about. The queue only says when to look.';
comment on column mails.reference is 'The invitation or link it is about; never the secret of the link.';
comment on column mails.claimed_until is 'End of a worker''s lease; after that, another worker may claim the mail.';

create index mails_unsent on mails (created_at) where sent_at is null;

alter table mails enable row level security;
alter table mails force row level security;

create policy organisation on mails for insert to dialplane_organisation with check (true);
create policy caller on mails for insert to dialplane_caller with check (true);
create policy system on mails to dialplane_system using ((select current_task()) is not null);

grant insert on mails to dialplane_caller, dialplane_organisation;
grant select, insert, update (reference, claimed_until, sent_at), delete on mails to dialplane_system;

create table webhook_endpoints (
  id                      uuid primary key,
  organisation_id         uuid not null references organisations,
  environment             text not null check (environment in ('live', 'test')),
  url                     text not null check (length(url) between 1 and 2000),
  description             text check (length(description) between 1 and 200),
  event_types             text[] not null default '{}' check (cardinality(event_types) <= 50),
  status                  text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason         text check (length(disabled_reason) between 1 and 64),
  secret_version          integer not null default 1,
  previous_secrets_until  timestamptz[] not null default '{}' check (cardinality(previous_secrets_until) < 10),
  position                bigint not null,
  failing_since           timestamptz,
  created_at              timestamptz not null,
  next_due_at             timestamptz,
  secret_roots            integer[] not null default '{1}' check (cardinality(secret_roots) between 1 and 10),
  unique (organisation_id, environment, id),
  check (disabled_reason is null or status = 'disabled')
) with (fillfactor = 70);
comment on table webhook_endpoints is 'Webhook endpoints that receive the events of an organisation.';
comment on column webhook_endpoints.secret_version is 'The secret follows from it and the id; it is stored nowhere.';
comment on column webhook_endpoints.previous_secrets_until is
  'How long each earlier secret still signs, the last one first.';
comment on column webhook_endpoints.position is 'Sequence of the last event for which deliveries were created.';
comment on column webhook_endpoints.event_types is
  'Types, or all types of a noun such as order.*; empty for all events.';
comment on column webhook_endpoints.next_due_at is
  'No pending delivery is due before this; null if none is pending. Lowered by a trigger on deliveries, raised by '
  'the worker that has the endpoint locked.';
comment on column webhook_endpoints.secret_roots is 'Root keys of the secrets that sign now, newest first.';

create index webhook_endpoints_active on webhook_endpoints (organisation_id, position) where status = 'active';

create index webhook_endpoints_due on webhook_endpoints (next_due_at) where status = 'active'
    and next_due_at is not null;

alter table webhook_endpoints set (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

alter table webhook_endpoints enable row level security;
alter table webhook_endpoints force row level security;

create policy organisation on webhook_endpoints to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on webhook_endpoints to dialplane_system using ((select current_task()) is not null);

grant
  select,
  insert,
  update (url, description, event_types, status, disabled_reason, secret_version, previous_secrets_until,
      failing_since, next_due_at, secret_roots),
  delete
  on webhook_endpoints to dialplane_organisation;

grant select, update (status, disabled_reason, position, failing_since, next_due_at)
  on webhook_endpoints to dialplane_system;

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
  foreign key (organisation_id, environment, endpoint_id) references webhook_endpoints (organisation_id, environment,
      id) on delete cascade,
  check ((status = 'pending') = (next_attempt_at is not null))
) with (fillfactor = 70);
comment on table webhook_deliveries is
  'Events to deliver to an endpoint, with their status. Delivery is at least once, and always carries the ID of the '
  'event.';
comment on column webhook_deliveries.next_attempt_at is
  'Time from which any worker may attempt the delivery. A worker moves it forward before the attempt.';

-- Endpoint comes first, so that the backlog of a slow, failing or disabled endpoint does not delay others.
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at,
    sequence) where status = 'pending';

create index webhook_deliveries_by_endpoint on webhook_deliveries (organisation_id, environment, endpoint_id, sequence);

create index webhook_deliveries_by_status on webhook_deliveries (organisation_id, environment, endpoint_id, status,
    sequence);

create index webhook_deliveries_by_age on webhook_deliveries (created_at) where status <> 'pending';

alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;

create policy organisation on webhook_deliveries to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on webhook_deliveries to dialplane_system using ((select current_task()) is not null);

grant select, update (status, attempts, next_attempt_at) on webhook_deliveries to dialplane_organisation;

grant select, insert, update (status, attempts, next_attempt_at, answered, error, attempted_at), delete
  on webhook_deliveries to dialplane_system;

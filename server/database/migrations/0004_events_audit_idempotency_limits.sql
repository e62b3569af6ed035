create table event_heads (
  organisation_id  uuid primary key references organisations,
  head             bigint not null default 0
);
comment on table event_heads is 'The last event number of each organisation. Its row is locked last in a transaction, so numbers follow the order of commits without gaps.';

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
comment on table events is 'What happened in an organisation, written in the transaction that did it.';
comment on column events.environment is 'Null where the change concerns both sides, such as members.';

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
comment on table audit_entries is 'Who did what, or was refused, from where. Append-only: no role may change or remove a row.';
comment on column audit_entries.organisation_id is 'Null for what concerns an account or the installation, such as signing in.';
create index audit_entries_by_organisation on audit_entries (organisation_id, id);
create index audit_entries_by_actor on audit_entries (actor_id, id);

create table idempotency_keys (
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  key              text not null check (length(key) between 1 and 255),
  fingerprint      bytea not null,
  status           smallint not null,
  content_type     text not null,
  body             text not null,
  location         text,
  etag             text,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  primary key (organisation_id, environment, key)
);
comment on table idempotency_keys is 'The answer to each keyed request, committed together with its effect and replayed byte for byte.';
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);

-- What an earlier request with this key was answered. Claiming it takes a lock that lasts as long as the
-- transaction, and a crash frees it; the look-up is a statement of its own, so it sees what the lock's
-- last holder committed.
create function claim_idempotency_key(wanted_key text, at timestamptz)
returns table (is_running boolean, fingerprint bytea, status smallint, content_type text, body text, location text, etag text)
language plpgsql as $$
#variable_conflict use_column
begin
  if not pg_try_advisory_xact_lock(hashtextextended(
    current_organisation_id() || '/' || current_environment() || '/' || wanted_key, 0)) then
    return query select true, null::bytea, null::smallint, null::text, null::text, null::text, null::text;
    return;
  end if;
  return query
    select false, k.fingerprint, k.status, k.content_type, k.body, k.location, k.etag
    from idempotency_keys k
    where k.organisation_id = current_organisation_id() and k.environment = current_environment()
      and k.key = wanted_key and k.expires_at > at;
end
$$;

create unlogged table limit_counters (
  name          text not null,
  subject       text not null,
  window_start  timestamptz not null,
  used          integer not null,
  primary key (name, subject)
);
comment on table limit_counters is 'Limits that must be exact over all replicas. Unlogged: a crash forgives what was used.';

alter table event_heads enable row level security;
alter table event_heads force row level security;
alter table events enable row level security;
alter table events force row level security;
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
alter table limit_counters enable row level security;
alter table limit_counters force row level security;

grant select, update (head) on event_heads to dialplane_organisation, dialplane_caller;
grant select, insert on events to dialplane_organisation, dialplane_caller;
grant select, insert on audit_entries to dialplane_organisation;
grant insert on audit_entries to dialplane_caller;
grant select, insert, delete on idempotency_keys to dialplane_organisation;
create policy organisation on event_heads to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));
create policy organisation on events to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and (environment is null or environment = (select current_environment())));
create policy organisation on audit_entries to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and (environment is null or environment = (select current_environment())));
create policy organisation on idempotency_keys to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy caller on event_heads to dialplane_caller
  using (exists (select from memberships m where m.organisation_id = event_heads.organisation_id));
create policy caller on events to dialplane_caller
  using (exists (select from memberships m where m.organisation_id = events.organisation_id));
create policy caller on audit_entries to dialplane_caller
  using (organisation_id is null or exists (select from memberships m where m.organisation_id = audit_entries.organisation_id));

grant select, insert, update (head) on event_heads to dialplane_system;
grant select, insert on events, audit_entries to dialplane_system;
grant select, delete on idempotency_keys to dialplane_system;
grant select, insert, update, delete on limit_counters to dialplane_system;
create policy system on event_heads to dialplane_system using ((select current_task()) is not null);
create policy system on events to dialplane_system using ((select current_task()) is not null);
create policy system on audit_entries to dialplane_system using ((select current_task()) is not null);
create policy system on idempotency_keys to dialplane_system using ((select current_task()) is not null);
create policy system on limit_counters to dialplane_system using ((select current_task()) is not null);

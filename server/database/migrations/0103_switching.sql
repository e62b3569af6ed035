-- Detects a database that was rolled back (restored from a backup, a snapshot or a dump, or replaced by a standby
-- that lost commits). A version number does not prove which history it belongs to: after a rollback the same number
-- is assigned again. So each version of a shard carries a random token, and an agent presents the token with the
-- version. The same idea is called log matching in Raft and leader epoch in Kafka.

-- 53 bits fit a JSON number. The clock is part of it because a virtual machine restored with its memory can repeat
-- random numbers.
create function new_token() returns bigint language sql volatile
  return hashtextextended(gen_random_uuid()::text,
      (extract(epoch from clock_timestamp()) * 1000000)::bigint) & 9007199254740991;

create function is_holder_of_calls(of_holding uuid, of_organisation uuid, of_environment text) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (
    select from routings r
    where r.holding_id = of_holding and r.organisation_id = of_organisation and r.environment = of_environment
      and r.group_id = current_switch_group_id());
end
$$;

comment on function is_holder_of_calls is
  'Whether a number of the switch''s group is held so: what a switch says of its calls may be written.';

revoke execute on function is_holder_of_calls from public;

grant execute on function is_holder_of_calls to dialplane_switch;

-- No role reads this schema directly. Queries reach rows through the parent tables, under their policies.
create schema call_partitions;

create table switch_groups (
  id           uuid primary key,
  name         text not null unique check (length(name) between 1 and 100),
  environment  text not null check (environment in ('live', 'test')),
  is_default   boolean not null default false,
  created_at   timestamptz not null,
  unique (id, environment)
);
comment on table switch_groups is
  'Switches that hold the same numbers. A number belongs to one group, and a group to one environment, so a test '
  'number never reaches a real switch.';

create unique index switch_groups_one_default on switch_groups (environment) where is_default;

create policy organisation on switch_groups for select to dialplane_organisation using (true);
create policy switch on switch_groups for select to dialplane_switch using (id = (select current_switch_group_id()));
create policy system on switch_groups to dialplane_system using ((select current_task()) is not null);
create policy search on switch_groups for select to dialplane_search using (true);

-- All organisations may see the progress of switches. Only the owner sees the routes they hold.
grant select (id, name, environment) on switch_groups to dialplane_organisation, dialplane_switch;

grant select, insert on switch_groups to dialplane_system;
grant select (id, environment) on switch_groups to dialplane_search;

create table switches (
  id                         uuid primary key,
  group_id                   uuid not null references switch_groups,
  name                       text not null check (length(name) between 1 and 100),
  state                      text not null default 'active' check (state in ('active', 'draining', 'retired')),
  credential_mac             bytea unique,
  unreachable_after_seconds  integer not null default 30 check (unreachable_after_seconds between 1 and 86400),
  synced_epoch               text,
  boot                       text check (length(boot) <= 100),
  agent_version              text check (length(agent_version) <= 100),
  last_seen_at               timestamptz,
  created_at                 timestamptz not null,
  targets_read_at            timestamptz,
  is_returning               boolean not null default false,
  proved_in                  bigint,
  sockets                    text[] not null default '{}',
  root_id                    integer not null default 2 references root_keys,
  credential_version         integer not null default 1,
  unique (group_id, name)
);
comment on column switches.state is
  'Set by the operator. Unreachable is not stored: it follows from `last_seen_at`, or from `created_at` before the '
  'first report.';
comment on column switches.credential_mac is
  'HMAC-SHA256 of the credential; null for the simulated switch, which never signs in.';
comment on column switches.synced_epoch is
  'The epoch under which it has read back every shard once. Until then it counts as holding nothing.';
comment on column switches.targets_read_at is
  'Time of the last report on targets of connections. All rows of `target_health` of the switch are as old as this, '
  'changed or not.';
comment on column switches.is_returning is 'It was retired and has not read back everything since: it rejects calls.';
comment on column switches.proved_in is
  'The database instance to which the switch has reported every shard. Until it matches, its numbers are pending.';
comment on column switches.sockets is 'Addresses and ports on which it takes calls, as its agent reports them.';
comment on column switches.credential_version is
  'Counts credentials. A MAC with another root key is of the same credential.';

alter table switches set (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

alter table switches enable row level security;
alter table switches force row level security;

create policy organisation on switches for select to dialplane_organisation using (true);

create policy switch_sees on switches for select to dialplane_switch
    using (group_id = (select current_switch_group_id()));

create policy switch_reports on switches for update to dialplane_switch using (id = (select current_switch_id()));
create policy system on switches to dialplane_system using ((select current_task()) is not null);
create policy caller on switches for select to dialplane_caller using (credential_mac is not null);
create policy search on switches for select to dialplane_search using (true);

-- Authentication finds a switch by credential in one round trip. It rejects retired switches.
grant select (id, group_id, name, state, credential_mac, credential_version) on switches to dialplane_caller;

grant
  select (id, group_id, name, state, unreachable_after_seconds, synced_epoch, last_seen_at, created_at,
      targets_read_at, proved_in)
  on switches to dialplane_organisation;

grant
  select (id, group_id, name, state, synced_epoch, boot, agent_version, last_seen_at, targets_read_at, is_returning,
      proved_in, sockets),
  update (synced_epoch, boot, agent_version, last_seen_at, targets_read_at, is_returning, proved_in, sockets)
  on switches to dialplane_switch;

grant select, insert, update on switches to dialplane_system;

grant select (id, group_id, name, state, unreachable_after_seconds, synced_epoch, last_seen_at, created_at, proved_in)
  on switches to dialplane_search;

create table feed_epoch (
  is_only   boolean primary key default true check (is_only),
  epoch     text not null,
  began_at  timestamptz not null,
  is_held   boolean not null default false
);
comment on table feed_epoch is 'The current epoch, one row, for reads on the hot path.';

alter table feed_epoch set (fillfactor = 50);

create policy organisation on feed_epoch for select to dialplane_organisation using (true);
create policy switch on feed_epoch for select to dialplane_switch using (true);
create policy system on feed_epoch to dialplane_system using ((select current_task()) is not null);
create policy search on feed_epoch for select to dialplane_search using (true);

grant select on feed_epoch to dialplane_organisation, dialplane_switch, dialplane_search;
grant select, insert, update on feed_epoch to dialplane_system;

create table feed_epochs (
  epoch          text primary key,
  began_at       timestamptz not null,
  cause          text not null check (cause in ('first', 'rollback', 'operator')),
  newest_row_at  timestamptz,
  evidence       jsonb not null default '{}',
  is_held        boolean not null default false,
  resolved_at    timestamptz,
  resolved_by    text,
  check (not is_held or resolved_at is null)
);
comment on table feed_epochs is 'Every epoch of the feed. A new one makes every agent load all shards again.';
comment on column feed_epochs.newest_row_at is
  'For a rollback: the newest row that the database had before anything was written after it.';
comment on column feed_epochs.evidence is
  'For a rollback: the version and token that do not fit the history of this database, and who presented them.';
comment on column feed_epochs.is_held is
  'Agents are not served and no switch changes until an operator resolves the rollback.';

create policy system on feed_epochs to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (is_held, resolved_at, resolved_by) on feed_epochs to dialplane_system;

create table feed_shards (
  id           integer primary key,
  group_id     uuid not null references switch_groups,
  head         bigint not null default 0,
  floor        bigint not null default 0,
  token        bigint not null default 0,
  floor_token  bigint not null default 0
) with (fillfactor = 50);
comment on column feed_shards.head is
  'Last version given out. Its row is locked last in a transaction, so versions follow the order of commits '
  'without gaps.';
comment on column feed_shards.floor is
  'Up to here removals have been forgotten; a reader that stopped below starts over.';
comment on column feed_shards.token is 'Token of the head. Every statement that writes the head writes it.';
comment on column feed_shards.floor_token is 'Token of the floor, whose item is deleted.';

create index feed_shards_by_group on feed_shards (group_id, id);

alter table feed_shards set (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

create policy organisation on feed_shards to dialplane_organisation using (true);

create policy switch on feed_shards for select to dialplane_switch
    using (group_id = (select current_switch_group_id()));

create policy system on feed_shards to dialplane_system using ((select current_task()) is not null);
create policy search on feed_shards for select to dialplane_search using (true);

-- A switch's door: its group's items; reports in its own name.
grant select, update (head, token) on feed_shards to dialplane_organisation;

grant select on feed_shards to dialplane_switch, dialplane_search;
grant select, insert, update on feed_shards to dialplane_system;

-- Apart from the heads: reports must not wait for writers, nor writers for reports.
create table feed_confirmations (
  shard    integer primary key references feed_shards,
  version  bigint not null default 0
) with (fillfactor = 50);

comment on table feed_confirmations is 'Version of each shard that every switch of the group has read back.';

alter table feed_confirmations set (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

create policy organisation on feed_confirmations for select to dialplane_organisation using (true);
create policy switch on feed_confirmations to dialplane_switch using (shard in (select id from feed_shards));
create policy system on feed_confirmations to dialplane_system using ((select current_task()) is not null);
create policy search on feed_confirmations for select to dialplane_search using (true);

grant select on feed_confirmations to dialplane_organisation, dialplane_search;
grant select, update (version) on feed_confirmations to dialplane_switch;
grant select, insert, update on feed_confirmations to dialplane_system;

-- The first rows, before row-level security is turned on: it applies to the owner of these tables too.
insert into switch_groups (id, name, environment, is_default, created_at) values
  (gen_random_uuid(), 'default', 'live', true, now()),
  (gen_random_uuid(), 'simulated', 'test', true, now());
insert into feed_shards (id, group_id)
  select n, (select id from switch_groups where name = case when n < 256 then 'default' else 'simulated' end)
  from generate_series(0, 319) n;
insert into feed_confirmations (shard) select id from feed_shards;
insert into feed_epoch (epoch, began_at) values (gen_random_uuid(), now());
insert into feed_epochs (epoch, began_at, cause) select epoch, began_at, 'first' from feed_epoch;

alter table switch_groups enable row level security;
alter table switch_groups force row level security;
alter table feed_epoch enable row level security;
alter table feed_epoch force row level security;
alter table feed_epochs enable row level security;
alter table feed_epochs force row level security;
alter table feed_shards enable row level security;
alter table feed_shards force row level security;
alter table feed_confirmations enable row level security;
alter table feed_confirmations force row level security;

create table feed_items (
  shard            integer not null references feed_shards,
  version          bigint not null,
  kind             text not null check (kind in ('route', 'connection')),
  item_id          uuid not null,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  generation       bigint not null,
  value            jsonb,
  created_at       timestamptz not null,
  confirmed_at     timestamptz,
  token            bigint not null default new_token(),
  primary key (shard, version)
) with (fillfactor = 90);
comment on table feed_items is
  'Configuration feed of the switches. The newest version of an item is its desired value. Older versions are kept '
  'until no switch holds them. A null value means that the item was deleted.';
comment on column feed_items.token is 'Random, so that equal versions of two histories differ.';

create index feed_items_by_item on feed_items (item_id, shard, version);
create index feed_items_gone on feed_items (shard, confirmed_at) where value is null;

-- Finds an organisation's items that switches have not read back yet.
create index feed_items_by_owner on feed_items (organisation_id, environment, shard, version);

alter table feed_items enable row level security;
alter table feed_items force row level security;

-- Written so that no index serves them: what belongs to an item is looked up by the item, not among all of its
-- organisation's, which seems as good wherever most organisations are small.
create policy organisation on feed_items to dialplane_organisation
  using (organisation_id is not distinct from (select current_organisation_id())
    and environment is not distinct from (select current_environment()));

create policy switch on feed_items to dialplane_switch using (shard in (select id from feed_shards));
create policy system on feed_items to dialplane_system using ((select current_task()) is not null);

create policy search on feed_items for select to dialplane_search
  using (organisation_id is not distinct from (select current_organisation_id())
    and environment is not distinct from (select current_environment()));

grant select, insert on feed_items to dialplane_organisation;
grant select, update (confirmed_at), delete on feed_items to dialplane_switch;
grant select, insert, update (confirmed_at), delete on feed_items to dialplane_system;
grant select on feed_items to dialplane_search;

create table applied_watermarks (
  switch_id    uuid not null references switches,
  shard        integer not null references feed_shards,
  epoch        text not null,
  version      bigint not null,
  observed_at  timestamptz not null,
  instance     bigint,
  primary key (switch_id, shard)
) with (fillfactor = 50);
comment on table applied_watermarks is
  'Version of a shard that a switch has read back, and time of the last read-back.';
comment on column applied_watermarks.instance is 'The database instance that took the report.';

create index applied_watermarks_by_shard on applied_watermarks (shard);

alter table applied_watermarks set (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);

alter table applied_watermarks enable row level security;
alter table applied_watermarks force row level security;

create policy organisation on applied_watermarks for select to dialplane_organisation using (true);

create policy switch_sees on applied_watermarks for select to dialplane_switch
    using (shard in (select id from feed_shards));

create policy switch_reports on applied_watermarks to dialplane_switch
  using (switch_id = (select current_switch_id()) and shard in (select id from feed_shards));

create policy system on applied_watermarks to dialplane_system using ((select current_task()) is not null);

grant select on applied_watermarks to dialplane_organisation;
grant select, insert, update, delete on applied_watermarks to dialplane_switch;
grant select, insert, delete on applied_watermarks to dialplane_system;

create table applied_exceptions (
  switch_id           uuid not null references switches,
  item_id             uuid not null,
  shard               integer not null references feed_shards,
  kind                text not null check (kind in ('route', 'connection')),
  organisation_id     uuid not null references organisations,
  environment         text not null check (environment in ('live', 'test')),
  version             bigint not null,
  state               text not null check (state in ('pending', 'failed', 'drifted')),
  applied_generation  bigint,
  applied             jsonb,
  error               text not null check (length(error) <= 500),
  since               timestamptz not null,
  observed_at         timestamptz not null,
  primary key (switch_id, item_id)
);
comment on table applied_exceptions is
  'Items of which a switch holds another value than the watermark implies: in progress, rejected, or drifted. '
  '`applied` is the value it read back.';

create index applied_exceptions_by_organisation on applied_exceptions (organisation_id, environment, state);
create index applied_exceptions_by_shard on applied_exceptions (switch_id, shard);
create index applied_exceptions_by_item on applied_exceptions (item_id);

alter table applied_exceptions enable row level security;
alter table applied_exceptions force row level security;

create policy organisation on applied_exceptions for select to dialplane_organisation
  using (organisation_id is not distinct from (select current_organisation_id())
    and environment is not distinct from (select current_environment()));

create policy switch on applied_exceptions to dialplane_switch
  using (switch_id = (select current_switch_id()) and shard in (select id from feed_shards))
  -- The owner comes from the feed item, not from the switch, because events go to that organisation.
  with check (switch_id = (select current_switch_id()) and (organisation_id, environment) = (
    select i.organisation_id, i.environment from feed_items i
    where i.item_id = applied_exceptions.item_id and i.shard = applied_exceptions.shard limit 1));

create policy system on applied_exceptions to dialplane_system using ((select current_task()) is not null);

create policy search on applied_exceptions for select to dialplane_search
  using (organisation_id is not distinct from (select current_organisation_id())
    and environment is not distinct from (select current_environment()));

grant select on applied_exceptions to dialplane_organisation, dialplane_search;
grant select, insert, update, delete on applied_exceptions to dialplane_switch;
grant select, insert, delete on applied_exceptions to dialplane_system;

create table call_records (
  id                       uuid not null,
  switch_id                uuid not null,
  started_at               timestamptz not null,
  organisation_id          uuid,
  environment              text not null check (environment in ('live', 'test')),
  holding_id               uuid,
  claimed_holding_id       uuid,
  answered_at              timestamptz,
  ended_at                 timestamptz,
  ending                   text not null check (ending in ('refused', 'hung_up', 'unknown')),
  result                   text not null check (result in ('answered', 'busy', 'no_answer', 'cancelled', 'rejected',
      'failed', 'not_served')),
  mode                     text check (mode in ('sip_uri', 'connection', 'unrouted', 'forward', 'webhook')),
  generation               bigint,
  trunk                    text check (length(trunk) <= 100),
  code                     smallint,
  why                      text check (length(why) <= 64),
  received_at              timestamptz not null,
  is_forwarded_by_webhook  boolean not null default false,
  ended_by                 text check (ended_by in ('caller', 'callee', 'switch')),
  setup_ms                 integer check (setup_ms >= 0),
  ring_ms                  integer check (ring_ms >= 0),
  q850                     smallint check (q850 between 0 and 127),
  gateway                  text check (length(gateway) <= 100),
  primary key (switch_id, id, started_at),
  check ((holding_id is null) = (organisation_id is null)),
  check (holding_id is null or claimed_holding_id is null)
) partition by range (started_at);
comment on table call_records is
  'One row per call, as its switch recorded it, without the numbers of caller and callee. Without an organisation it '
  'belongs to the operator: no number matched, or a number outside the switch''s group.';
comment on column call_records.id is
  'Made by the switch from what identifies the INVITE, so a record that is sent again is the same one.';
comment on column call_records.holding_id is
  'The holding that the route named when the call came in: never guessed from clocks.';
comment on column call_records.claimed_holding_id is
  'Holding in an operator''s record that the switch''s group does not have.';
comment on column call_records.ending is 'unknown: no BYE came within the longest call and an hour.';
comment on column call_records.result is
  'not_served: the service could not accept the call. Calls and usage of the organisation omit it.';
comment on column call_records.is_forwarded_by_webhook is
  'Mode webhook: the customer''s program said to forward the call. In mode forward all are, and this is false.';
comment on column call_records.ended_by is 'Null: unknown.';
comment on column call_records.setup_ms is
  'Milliseconds from the INVITE to the first ringing, or to the 200 OK if the call never rang.';
comment on column call_records.ring_ms is 'Milliseconds from the first ringing to the 200 OK or to the end.';
comment on column call_records.q850 is 'Cause by ITU-T Q.850, if the other party sent one.';
comment on column call_records.gateway is 'The trunk that took a forwarded call.';

create index call_records_by_holding on call_records (organisation_id, environment, holding_id, started_at);

alter table call_records enable row level security;
alter table call_records force row level security;

create policy organisation on call_records for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy switch on call_records for insert to dialplane_switch
  with check (switch_id = (select current_switch_id()) and case
  when holding_id is null
      then environment = (select g.environment from switch_groups g where g.id = current_switch_group_id())
  else is_holder_of_calls(holding_id, organisation_id, environment) end);

create policy system on call_records for select to dialplane_system using ((select current_task()) is not null);

grant select on call_records to dialplane_organisation, dialplane_system;
grant insert on call_records to dialplane_switch;

create table call_parties (
  id               uuid not null,
  switch_id        uuid not null,
  started_at       timestamptz not null,
  organisation_id  uuid,
  environment      text not null check (environment in ('live', 'test')),
  holding_id       uuid,
  caller           text check (length(caller) <= 255),
  called           text check (length(called) <= 255),
  target           text check (length(target) <= 500),
  sip_call_id      text check (length(sip_call_id) <= 255),
  caller_raw       text check (length(caller_raw) <= 255),
  asserted_caller  text check (length(asserted_caller) <= 255),
  attempts         jsonb check (jsonb_typeof(attempts) = 'array'),
  primary key (switch_id, id, started_at),
  check ((holding_id is null) = (organisation_id is null))
) partition by range (started_at);
comment on table call_parties is
  'Numbers of caller and callee, in a separate table because their retention is shorter.';
comment on column call_parties.caller is
  'In E.164 by the number format of the trunk; as it was sent in records of agents that are not yet upgraded.';
comment on column call_parties.caller_raw is 'As the trunk sent it.';
comment on column call_parties.asserted_caller is
  'From P-Asserted-Identity of a trusted trunk, also where the caller withholds the number: for operators alone.';
comment on column call_parties.attempts is 'Every target that the switch tried, in order.';

alter table call_parties enable row level security;
alter table call_parties force row level security;

create policy organisation on call_parties for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy switch on call_parties for insert to dialplane_switch
  with check (switch_id = (select current_switch_id()) and case
  when holding_id is null
      then environment = (select g.environment from switch_groups g where g.id = current_switch_group_id())
  else is_holder_of_calls(holding_id, organisation_id, environment) end);

create policy system on call_parties for select to dialplane_system using ((select current_task()) is not null);

grant
  select (id, switch_id, started_at, organisation_id, environment, holding_id, caller, called, target, sip_call_id,
      caller_raw, attempts)
  on call_parties to dialplane_organisation;

grant insert on call_parties to dialplane_switch;
grant select on call_parties to dialplane_system;

create table rejected_records (
  switch_id    uuid not null references switches,
  digest       bytea not null,
  code         text not null check (length(code) <= 64),
  detail       text not null check (length(detail) <= 500),
  record       text not null check (length(record) <= 20000),
  received_at  timestamptz not null,
  primary key (switch_id, digest)
);
comment on table rejected_records is
  'Records of a switch that are invalid: kept for the operator as long as call_parties, and never requested again.';
comment on column rejected_records.digest is 'SHA-256 of the text: sent again, it is the same row.';

create index rejected_records_by_time on rejected_records (received_at);

alter table rejected_records enable row level security;
alter table rejected_records force row level security;

create policy switch on rejected_records for insert to dialplane_switch with
    check (switch_id = (select current_switch_id()));

create policy system on rejected_records to dialplane_system using ((select current_task()) is not null);

-- A switch writes calls in its own name, of its group's numbers as whose they are, or as the operator's; it reads
-- none.
grant insert on rejected_records to dialplane_switch;

grant select, delete on rejected_records to dialplane_system;

create table live_calls (
  switch_id          uuid not null references switches,
  holding_id         uuid not null,
  organisation_id    uuid not null references organisations,
  environment        text not null check (environment in ('live', 'test')),
  active_calls       integer not null,
  observed_at        timestamptz not null,
  calls_last_minute  integer not null default 0,
  last_call_at       timestamptz,
  primary key (switch_id, holding_id),
  constraint live_calls_some_calls check (active_calls >= 0 and calls_last_minute >= 0
      and active_calls + calls_last_minute > 0)
) with (fillfactor = 50);
comment on table live_calls is
  'Numbers that have calls now, or had some within the last minute, by switch; a number without any has no row.';
comment on column live_calls.last_call_at is
  'When the newest of these calls began; null from an agent that does not say.';

-- One number of an organisation at a time is what is requested; all calls of an organisation never are. The table
-- holds the numbers that have calls now, which is an instant's work to lock and index.
create index live_calls_by_number on live_calls (organisation_id, environment, holding_id);

alter table live_calls set (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);

alter table live_calls enable row level security;
alter table live_calls force row level security;

create policy organisation on live_calls for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy switch on live_calls to dialplane_switch
  using (switch_id = (select current_switch_id()))
  with check (switch_id = (select current_switch_id()) and is_holder_of_calls(holding_id, organisation_id,
      environment));

create policy system on live_calls for select to dialplane_system using ((select current_task()) is not null);

grant select on live_calls to dialplane_organisation, dialplane_system;
grant select, insert, update, delete on live_calls to dialplane_switch;

create table live_reports (
  switch_id    uuid primary key references switches,
  session      uuid not null,
  sequence     bigint not null,
  observed_at  timestamptz not null
) with (fillfactor = 50);
comment on table live_reports is
  'Progress of the live reports of each switch. A change counts only if it directly follows the last one. A snapshot '
  'always counts, unless it is an older one of the same session.';

alter table live_reports set (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

alter table live_reports enable row level security;
alter table live_reports force row level security;

create policy switch on live_reports to dialplane_switch using (switch_id = (select current_switch_id()));
create policy system on live_reports for select to dialplane_system using ((select current_task()) is not null);
create policy organisation on live_reports for select to dialplane_organisation using (true);

-- All organisations may see the age of live data, like other progress of switches.
grant select (switch_id, observed_at) on live_reports to dialplane_organisation;

grant select, insert, update on live_reports to dialplane_switch;
grant select on live_reports to dialplane_system;

-- A trigger counts usage when records are inserted: each new record once, in the same transaction. Only the role that
-- owns the tables of calls writes here.
create table usage_hours (
  organisation_id    uuid not null,
  environment        text not null check (environment in ('live', 'test')),
  holding_id         uuid not null,
  hour               timestamptz not null,
  calls              integer not null,
  answered           integer not null,
  busy               integer not null,
  no_answer          integer not null,
  cancelled          integer not null,
  rejected           integer not null,
  failed             integer not null,
  talk_seconds       bigint not null,
  forwarded_seconds  bigint not null,
  primary key (holding_id, hour),
  check (calls = answered + busy + no_answer + cancelled + rejected + failed)
) partition by range (hour);

comment on table usage_hours is 'Calls of a number by the hour they began in, UTC. Kept when the records are gone.';

alter table usage_hours enable row level security;
alter table usage_hours force row level security;

create policy organisation on usage_hours for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on usage_hours for select to dialplane_system using ((select current_task()) is not null);
create policy calls on usage_hours to dialplane_calls using (true);

grant select on usage_hours to dialplane_organisation, dialplane_system;

create table usage_days (
  organisation_id    uuid not null,
  environment        text not null check (environment in ('live', 'test')),
  holding_id         uuid not null,
  day                date not null,
  calls              integer not null,
  answered           integer not null,
  busy               integer not null,
  no_answer          integer not null,
  cancelled          integer not null,
  rejected           integer not null,
  failed             integer not null,
  talk_seconds       bigint not null,
  forwarded_seconds  bigint not null,
  primary key (holding_id, day),
  check (calls = answered + busy + no_answer + cancelled + rejected + failed)
) partition by range (day);
comment on table usage_days is 'The same by day, UTC: a year is 366 rows and not 8,784.';

create index usage_days_by_organisation on usage_days (organisation_id, environment, day);

alter table usage_days enable row level security;
alter table usage_days force row level security;

create policy organisation on usage_days for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on usage_days for select to dialplane_system using ((select current_task()) is not null);
create policy calls on usage_days to dialplane_calls using (true);

grant select on usage_days to dialplane_organisation, dialplane_system;

create table organisation_usage_hours (
  organisation_id    uuid not null references organisations,
  environment        text not null check (environment in ('live', 'test')),
  hour               timestamptz not null,
  switch_id          uuid not null,
  calls              bigint not null,
  answered           bigint not null,
  busy               bigint not null,
  no_answer          bigint not null,
  cancelled          bigint not null,
  rejected           bigint not null,
  failed             bigint not null,
  talk_seconds       bigint not null,
  forwarded_seconds  bigint not null,
  primary key (organisation_id, environment, hour, switch_id),
  check (calls = answered + busy + no_answer + cancelled + rejected + failed)
) with (fillfactor = 70);
comment on table organisation_usage_hours is
  'Calls of all numbers of an organisation, by switch: two switches that report at once wait for each other only '
  'where they took calls of one number.';

alter table organisation_usage_hours enable row level security;
alter table organisation_usage_hours force row level security;

create policy organisation on organisation_usage_hours for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on organisation_usage_hours for select to dialplane_system
    using ((select current_task()) is not null);

create policy calls on organisation_usage_hours to dialplane_calls using (true);

grant select on organisation_usage_hours to dialplane_organisation, dialplane_system;
grant select, insert, update on organisation_usage_hours to dialplane_calls;

create table call_standings (
  switch_id         uuid primary key references switches,
  settled_through   timestamptz not null,
  max_call_seconds  integer not null check (max_call_seconds between 1 and 604800),
  clock_offset_ms   integer,
  reported_at       timestamptz not null,
  is_disk_full      boolean not null default false
) with (fillfactor = 50);
comment on table call_standings is
  'Completeness of the records of each switch: all calls that began before settled_through are counted here, except '
  'those in open_calls.';
comment on column call_standings.clock_offset_ms is
  'Milliseconds by which the switch reports its clock to be ahead of the server''s.';
comment on column call_standings.is_disk_full is
  'The switch has no room left for records: it rejects calls, or takes them unrecorded.';

alter table call_standings set (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

alter table call_standings enable row level security;
alter table call_standings force row level security;

create policy organisation on call_standings for select to dialplane_organisation using (true);
create policy switch on call_standings to dialplane_switch using (switch_id = (select current_switch_id()));
create policy system on call_standings for select to dialplane_system using ((select current_task()) is not null);

grant select (switch_id, settled_through, max_call_seconds) on call_standings to dialplane_organisation;
grant select, insert, update on call_standings to dialplane_switch;
grant select on call_standings to dialplane_system;

create table open_calls (
  switch_id        uuid not null references switches,
  holding_id       uuid not null,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  oldest_began_at  timestamptz not null,
  primary key (switch_id, holding_id)
) with (fillfactor = 70);
comment on table open_calls is
  'Numbers with an active call that began before settled_through of their switch, and its start.';

create index open_calls_by_holding on open_calls (holding_id);
create index open_calls_by_organisation on open_calls (organisation_id);

alter table open_calls set (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);

alter table open_calls enable row level security;
alter table open_calls force row level security;

create policy organisation on open_calls for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy switch on open_calls to dialplane_switch
  using (switch_id = (select current_switch_id()))
  with check (switch_id = (select current_switch_id()) and is_holder_of_calls(holding_id, organisation_id,
      environment));

create policy system on open_calls for select to dialplane_system using ((select current_task()) is not null);

grant select on open_calls to dialplane_organisation, dialplane_system;
grant select, insert, update, delete on open_calls to dialplane_switch;

create table target_health (
  switch_id        uuid not null references switches,
  connection_id    uuid not null,
  host             text not null check (length(host) <= 253),
  port             integer not null,
  transport        text not null check (transport in ('udp', 'tcp', 'tls')),
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  state            text not null check (state in ('up', 'down', 'unknown')),
  last_known       text check (last_known in ('up', 'down')),
  addresses        jsonb not null,
  since            timestamptz not null,
  primary key (switch_id, connection_id, host, port, transport)
) with (fillfactor = 70);
comment on table target_health is
  'How a switch finds the targets of a connection, by its pings. It counts only while switches.targets_read_at is '
  'young.';
comment on column target_health.last_known is
  'Last state other than unknown, so that a restarted switch that probes again creates no event.';

create index target_health_by_connection on target_health (organisation_id, environment, connection_id);

alter table target_health enable row level security;
alter table target_health force row level security;

create policy organisation_sees on target_health for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy organisation_deletes on target_health for delete to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy switch on target_health to dialplane_switch
  using (switch_id = (select current_switch_id()))
  -- The owner comes from the feed item, not from the switch, because events go to that organisation.
  with check (switch_id = (select current_switch_id()) and (organisation_id, environment) = (
    select i.organisation_id, i.environment from feed_items i
    where i.item_id = target_health.connection_id and i.kind = 'connection' limit 1));

create policy system on target_health to dialplane_system using ((select current_task()) is not null);

grant select, delete on target_health to dialplane_organisation, dialplane_system;
grant select, insert, update, delete on target_health to dialplane_switch;

create table database_instances (
  instance       bigint primary key,
  first_seen_at  timestamptz not null,
  newest_row_at  timestamptz
);
comment on table database_instances is 'One row per instance that a server has connected to.';
comment on column database_instances.newest_row_at is
  'Time of the newest audit entry or event when a server first connected. After a restore, this is the time the '
  'database was restored to.';

alter table database_instances enable row level security;
alter table database_instances force row level security;

create policy system on database_instances to dialplane_system using ((select current_task()) is not null);

grant select, insert on database_instances to dialplane_system;

-- Drift leaves evidence: what a switch held instead of what it should hold stays on record after the repair. Repeated
-- drift of a number between the same two values is one episode, not an event each time.
create table drift_episodes (
  id                   uuid primary key,
  switch_id            uuid not null references switches,
  item_id              uuid not null,
  shard                integer not null references feed_shards,
  kind                 text not null check (kind in ('route', 'connection')),
  organisation_id      uuid not null references organisations,
  environment          text not null check (environment in ('live', 'test')),
  found                jsonb,
  found_generation     bigint,
  expected             jsonb,
  expected_generation  bigint,
  error                text not null check (length(error) <= 500),
  is_various           boolean not null default false,
  first_at             timestamptz not null,
  last_at              timestamptz not null,
  count                integer not null default 1 check (count > 0),
  wrong_ms             bigint not null default 0 check (wrong_ms >= 0),
  wrong_since          timestamptz,
  closed_at            timestamptz,
  check (last_at >= first_at),
  check (closed_at is null or wrong_since is null)
);

comment on table drift_episodes is
  'Deviations: a switch held another value than the expected one, from the first report to 10 minutes after the last.';
comment on column drift_episodes.found is 'The value that the switch held; null if it held nothing.';
comment on column drift_episodes.is_various is
  'The switch held a new value each time: found and expected are those of the last time.';
comment on column drift_episodes.wrong_ms is
  'How long the switch held it, from each finding to the report of its repair.';

create unique index drift_episodes_one_open on drift_episodes (switch_id, item_id, md5(found::text),
    md5(expected::text), found_generation, expected_generation)
  where closed_at is null and not is_various;

create unique index drift_episodes_one_various on drift_episodes (switch_id,
    item_id) where closed_at is null and is_various;

create index drift_episodes_open_by_item on drift_episodes (item_id) where closed_at is null;
create index drift_episodes_open_by_age on drift_episodes (last_at) where closed_at is null;
create index drift_episodes_by_switch_and_item on drift_episodes (switch_id, item_id, last_at);
create index drift_episodes_by_owner on drift_episodes (organisation_id, environment, item_id, first_at);

alter table drift_episodes enable row level security;
alter table drift_episodes force row level security;

-- Written so that no index serves it: an item's episodes are found by the item.
create policy organisation on drift_episodes for select to dialplane_organisation
  using (organisation_id is not distinct from (select current_organisation_id())
    and environment is not distinct from (select current_environment()));

create policy switch on drift_episodes to dialplane_switch using (switch_id = (select current_switch_id()))
  with check (switch_id = (select current_switch_id()) and (organisation_id, environment) = (
    select i.organisation_id, i.environment from feed_items i
    where i.item_id = drift_episodes.item_id and i.shard = drift_episodes.shard limit 1));

create policy system on drift_episodes to dialplane_system using ((select current_task()) is not null);

grant select on drift_episodes to dialplane_organisation;

grant
  select,
  insert,
  update (found, found_generation, expected, expected_generation, error, last_at, count, wrong_ms, wrong_since)
  on drift_episodes to dialplane_switch;

grant select, update (wrong_ms, wrong_since, closed_at), delete on drift_episodes to dialplane_system;

-- State that agents held before they adopted a new epoch: evidence of what a rollback lost. An agent announces its
-- saved states, an operator requests one, and the agent uploads it.
create table saved_states (
  id            uuid primary key,
  switch_id     uuid not null references switches on delete cascade,
  epoch         text not null check (length(epoch) between 1 and 200),
  saved_at      timestamptz not null,
  items         integer not null check (items >= 0),
  requested_at  timestamptz,
  uploaded_at   timestamptz,
  unique (switch_id, epoch),
  check (uploaded_at is null or requested_at is not null)
);

comment on table saved_states is 'The complete state that an agent kept when an epoch ended.';
comment on column saved_states.epoch is 'The epoch that ended.';
comment on column saved_states.items is 'How many routes and connections it has.';
comment on column saved_states.requested_at is
  'When an operator first asked for the upload; null while the state is only on the switch.';

alter table saved_states enable row level security;
alter table saved_states force row level security;

create policy switch on saved_states to dialplane_switch using (switch_id = (select current_switch_id()));
create policy system on saved_states to dialplane_system using ((select current_task()) is not null);

grant select, insert, update (saved_at, items, uploaded_at), delete on saved_states to dialplane_switch;
grant select, update (requested_at) on saved_states to dialplane_system;

create table saved_state_items (
  state_id    uuid not null references saved_states on delete cascade,
  item_id     uuid not null,
  kind        text not null check (kind in ('route', 'connection')),
  shard       integer not null,
  version     bigint not null,
  generation  bigint not null,
  value       jsonb not null,
  e164        text generated always as (value ->> 'e164') stored,
  primary key (state_id, item_id)
);
comment on table saved_state_items is 'The routes and connections of an uploaded state.';
comment on column saved_state_items.e164 is 'The number of a route; null for a connection.';

create index saved_state_items_by_number on saved_state_items (state_id, e164);

alter table saved_state_items enable row level security;
alter table saved_state_items force row level security;

create policy switch on saved_state_items to dialplane_switch
  using (exists (select from saved_states s where s.id = state_id));

create policy system on saved_state_items to dialplane_system using ((select current_task()) is not null);

grant select, insert, delete on saved_state_items to dialplane_switch;
grant select on saved_state_items to dialplane_system;

-- Streams of live numbers read what changed since the last look, not every watched number.
create table live_changes (
  switch_id   uuid not null references switches,
  sequence    bigint not null,
  holding_id  uuid not null,
  primary key (switch_id, sequence, holding_id)
);

comment on table live_changes is
  'Numbers that the latest live reports of a switch changed in live_calls. Older reports are removed: a reader '
  'that has missed some reads everything again.';
comment on column live_changes.sequence is 'Number of the report within its session, as in live_reports.';

alter table live_changes set (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);

alter table live_changes enable row level security;
alter table live_changes force row level security;

create policy switch on live_changes to dialplane_switch using (switch_id = (select current_switch_id()));
create policy system on live_changes to dialplane_system using ((select current_task()) is not null);

grant select, insert, delete on live_changes to dialplane_switch;
grant select on live_changes to dialplane_system;

-- Time of the last call of each number. A separate table, because an update of holdings would touch a wide row that
-- many indexes cover.
create table last_calls (
  holding_id       uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  started_at       timestamptz not null
) with (fillfactor = 70);

comment on table last_calls is
  'Start of the newest call of each number, by its records. Rows move on by a minute at least, so a busy number '
  'costs one write a minute.';

alter table last_calls enable row level security;
alter table last_calls force row level security;

create policy organisation on last_calls for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on last_calls for select to dialplane_system using ((select current_task()) is not null);
create policy calls on last_calls to dialplane_calls using (true);

grant select on last_calls to dialplane_organisation, dialplane_system;
grant select, insert, update on last_calls to dialplane_calls;

-- Giving tables to another role takes membership in it and its right to create.
grant dialplane_calls to current_user;

grant create on schema public to dialplane_calls;

alter table call_records owner to dialplane_calls;
alter table call_parties owner to dialplane_calls;
alter table usage_hours owner to dialplane_calls;
alter table usage_days owner to dialplane_calls;

alter function is_holder_of_calls owner to dialplane_calls;

alter schema call_partitions owner to dialplane_calls;

revoke create on schema public from dialplane_calls;

-- An owner has all privileges on its tables by default. This one only needs to read their columns, attach and drop.
revoke insert, update, delete, truncate, references, trigger on call_records, call_parties from dialplane_calls;

revoke delete, truncate, references, trigger on usage_hours, usage_days from dialplane_calls;
revoke dialplane_calls from current_user;

-- Next to its exceptions, a switch reports health of connections, which creates events of their organisations.
create policy switch on event_heads to dialplane_switch
  using (exists (select from applied_exceptions x where x.organisation_id = event_heads.organisation_id)
    or exists (select from target_health h where h.organisation_id = event_heads.organisation_id));

-- A subquery extracts the ID from the subject. A function that is not leakproof must not be part of an index
-- condition behind a policy: each event then read all exceptions of its switch, and a report of 2,000 deviations
-- exceeded the statement timeout.
create policy switch on events to dialplane_switch
  using ((organisation_id, environment) = (
  select x.organisation_id, x.environment from applied_exceptions x
  where x.switch_id = (select current_switch_id()) and x.item_id = (select id_of(events.subject)))
  or (organisation_id, environment) = (
  select h.organisation_id, h.environment from target_health h
  where h.switch_id = (select current_switch_id()) and h.connection_id = (select id_of(events.subject)) limit 1));

create policy switch on audit_entries for insert to dialplane_switch
  with check ((organisation_id, environment) = (
  select x.organisation_id, x.environment from applied_exceptions x
  where x.switch_id = (select current_switch_id()) and x.item_id = (select id_of(audit_entries.subject)))
  or (organisation_id, environment) = (
  select h.organisation_id, h.environment from target_health h
  where h.switch_id = (select current_switch_id())
      and h.connection_id = (select id_of(audit_entries.subject)) limit 1));

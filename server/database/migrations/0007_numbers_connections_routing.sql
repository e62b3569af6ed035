create table numbers (
  id            uuid primary key,
  environment   text not null check (environment in ('live', 'test')),
  e164          text not null check (e164 ~ '^\+[1-9][0-9]{6,14}$'),
  country       text check (country ~ '^[A-Z]{2}$'),
  type          text not null check (length(type) between 1 and 40),
  capabilities  text[] not null default '{voice}',
  group_id      uuid not null,
  shard         integer not null references feed_shards,
  is_stock      boolean not null default true,
  is_free       boolean not null default true check (is_stock or not is_free),
  created_at    timestamptz not null,
  unique (environment, e164),
  unique (id, environment, e164),
  foreign key (group_id, environment) references switch_groups (id, environment)
);
comment on table numbers is 'Telephone numbers the operator has, held by somebody or not, and those that ever came from a carrier.';
comment on column numbers.is_stock is 'The operator''s own. Others came with an order, and went back to the carrier with a release: nobody can have them from here.';
comment on column numbers.country is 'Null where a number belongs to no country, such as +800.';
comment on column numbers.is_free is 'Live numbers only: whether nobody has it, kept by a trigger, so that looking for a free one passes no other. Each test side has all test numbers to itself.';
create index numbers_by_group on numbers (group_id);
create index numbers_free on numbers (environment, e164) where is_free;
create index numbers_free_by_country on numbers (environment, country, e164) where is_free;
create index numbers_free_by_type on numbers (environment, type, e164) where is_free;
create index numbers_free_by_country_type on numbers (environment, country, type, e164) where is_free;

create table holdings (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  number_id        uuid not null,
  e164             text not null collate "C",
  country          text,
  type             text not null,
  capabilities     text[] not null,
  status           text not null check (status in ('active', 'suspended', 'releasing', 'quarantined', 'released')),
  is_held          boolean not null generated always as (status in ('active', 'suspended', 'releasing')) stored,
  label            text check (length(label) between 1 and 200),
  tags             text[] not null default '{}' check (cardinality(tags) <= 20),
  release_lock     boolean not null default false,
  source           text not null check (source in ('order', 'import')),
  order_id         uuid,
  carrier          text check (length(carrier) between 1 and 40),
  status_reason    text check (length(status_reason) between 1 and 64),
  acquired_at      timestamptz not null,
  released_at      timestamptz,
  restore_until    timestamptz,
  last_call_at     timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  foreign key (number_id, environment, e164) references numbers (id, environment, e164),
  check ((status = 'released') = (released_at is not null))
);
comment on table holdings is 'An organisation has a number from one moment to another. What the API calls a number is one of these; they are kept for ever.';
comment on column holdings.carrier is 'Who is told when the number is given up; null for one that the operator brought along.';
comment on column holdings.status_reason is 'Why it is suspended, where the operator or the carrier gave a reason.';
comment on column holdings.e164 is 'As in the stock, held to it by the foreign key; here too because lists are sorted by it.';
create unique index holdings_one_open_live on holdings (number_id) where environment = 'live' and status <> 'released';
create unique index holdings_one_open_test on holdings (organisation_id, number_id) where environment = 'test' and status <> 'released';
create index holdings_by_number on holdings (number_id, environment, e164);
-- One index for each filter and order of the list: no page reads more rows than it shows.
create index holdings_held_by_id on holdings (organisation_id, environment, id) where is_held;
create index holdings_held_by_e164 on holdings (organisation_id, environment, e164, id) where is_held;
create index holdings_held_by_country_id on holdings (organisation_id, environment, country, id) where is_held;
create index holdings_held_by_country_e164 on holdings (organisation_id, environment, country, e164, id) where is_held;
create index holdings_held_by_type_id on holdings (organisation_id, environment, type, id) where is_held;
create index holdings_held_by_type_e164 on holdings (organisation_id, environment, type, e164, id) where is_held;
create index holdings_by_status_id on holdings (organisation_id, environment, status, id);
create index holdings_by_status_e164 on holdings (organisation_id, environment, status, e164, id);
-- Last: between indexes that seem equally good, as on a table without statistics, the planner takes the newest, and
-- foreign keys must not be checked through one that holds the whole organisation.
alter table holdings add unique (organisation_id, environment, id);

create function keep_number_free() returns trigger language plpgsql as $$
begin
  update numbers set is_free = (new.status = 'released')
    where id = new.number_id and is_stock and is_free <> (new.status = 'released');
  return null;
end
$$;
create trigger holdings_take_number after insert on holdings
  for each row when (new.environment = 'live') execute function keep_number_free();
create trigger holdings_free_number after update of status on holdings
  for each row when (new.environment = 'live' and (old.status = 'released') <> (new.status = 'released')) execute function keep_number_free();

create table holding_tags (
  organisation_id  uuid not null,
  environment      text not null,
  tag              text not null collate "C" check (length(tag) between 1 and 50),
  holding_id       uuid not null,
  e164             text not null collate "C",
  primary key (organisation_id, environment, tag, holding_id),
  foreign key (organisation_id, environment, holding_id) references holdings (organisation_id, environment, id)
);
comment on table holding_tags is 'holdings.tags, one row each, kept by a trigger: the operators that search an array would read every row under row-level security.';
create index holding_tags_by_e164 on holding_tags (organisation_id, environment, tag, e164, holding_id);
create index holding_tags_by_holding on holding_tags (organisation_id, environment, holding_id);

create function keep_holding_tags() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from holding_tags t where t.organisation_id = new.organisation_id and t.environment = new.environment
      and t.holding_id = new.id and t.tag <> all (new.tags);
  end if;
  insert into holding_tags (organisation_id, environment, tag, holding_id, e164)
    select distinct new.organisation_id, new.environment, tag, new.id, new.e164 from unnest(new.tags) tag
    on conflict do nothing;
  return null;
end
$$;
create trigger holdings_keep_new_tags after insert on holdings
  for each row when (new.tags <> '{}') execute function keep_holding_tags();
create trigger holdings_keep_tags after update of tags on holdings
  for each row when (old.tags is distinct from new.tags) execute function keep_holding_tags();

create table connections (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  name             text not null check (length(name) between 1 and 100),
  max_calls        integer check (max_calls between 1 and 100000),
  ring_seconds     integer check (ring_seconds between 5 and 300),
  generation       bigint not null default 1,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  unique (organisation_id, environment, id),
  unique (organisation_id, environment, name)
);
comment on table connections is 'Named trunks of a customer. Numbers point at one by id, so changing it touches no number.';

create table connection_targets (
  organisation_id  uuid not null,
  environment      text not null,
  connection_id    uuid not null,
  position         smallint not null,
  host             text not null check (length(host) between 1 and 253),
  port             integer not null check (port between 1 and 65535),
  transport        text not null check (transport in ('udp', 'tcp', 'tls')),
  priority         smallint not null check (priority between 1 and 100),
  weight           smallint not null check (weight between 1 and 100),
  primary key (connection_id, position),
  foreign key (organisation_id, environment, connection_id) references connections (organisation_id, environment, id) on delete cascade
);
create index connection_targets_by_connection on connection_targets (organisation_id, environment, connection_id);

create table connection_placements (
  organisation_id  uuid not null,
  environment      text not null,
  connection_id    uuid not null,
  group_id         uuid not null references switch_groups,
  shard            integer not null references feed_shards,
  version          bigint not null,
  primary key (connection_id, group_id),
  foreign key (organisation_id, environment, connection_id) references connections (organisation_id, environment, id) on delete cascade
);
comment on table connection_placements is 'Which groups of switches know a connection, and by which version: those with a number that uses it.';
create index connection_placements_by_connection on connection_placements (organisation_id, environment, connection_id);

create table routings (
  holding_id              uuid primary key,
  organisation_id         uuid not null,
  environment             text not null,
  e164                    text not null collate "C",
  mode                    text not null check (mode in ('sip_uri', 'connection', 'unrouted', 'forward', 'webhook')),
  sip_uri                 text check (length(sip_uri) <= 255),
  connection_id           uuid,
  forward_to              text check (forward_to ~ '^\+[1-9][0-9]{6,14}$'),
  webhook_url             text check (length(webhook_url) <= 2000),
  fallback_mode           text check (fallback_mode in ('sip_uri', 'connection', 'unrouted')),
  fallback_sip_uri        text check (length(fallback_sip_uri) <= 255),
  fallback_connection_id  uuid,
  generation              bigint not null default 1,
  set_at                  timestamptz not null,
  set_by_kind             text not null,
  set_by_id               uuid,
  set_by_name             text,
  reason                  text check (length(reason) between 1 and 500),
  group_id                uuid not null references switch_groups,
  shard                   integer not null references feed_shards,
  version                 bigint not null,
  foreign key (organisation_id, environment, holding_id) references holdings (organisation_id, environment, id),
  foreign key (organisation_id, environment, connection_id) references connections (organisation_id, environment, id),
  foreign key (organisation_id, environment, fallback_connection_id) references connections (organisation_id, environment, id),
  check ((mode = 'sip_uri') = (sip_uri is not null)),
  check ((mode = 'connection') = (connection_id is not null)),
  check ((mode = 'forward') = (forward_to is not null)),
  check ((mode = 'webhook') = (webhook_url is not null)),
  check ((mode = 'webhook') = (fallback_mode is not null)),
  check ((fallback_mode is not distinct from 'sip_uri') = (fallback_sip_uri is not null)),
  check ((fallback_mode is not distinct from 'connection') = (fallback_connection_id is not null))
) with (fillfactor = 80);
comment on table routings is 'Where a number''s calls should go, and by which version the switches were last told.';
create index routings_by_mode_id on routings (organisation_id, environment, mode, holding_id);
create index routings_by_mode_e164 on routings (organisation_id, environment, mode, e164, holding_id);
create index routings_by_group_id on routings (organisation_id, environment, group_id, holding_id);
create index routings_by_group_e164 on routings (organisation_id, environment, group_id, e164, holding_id);
create index routings_by_connection on routings (organisation_id, environment, connection_id, holding_id) where connection_id is not null;
create index routings_by_fallback on routings (organisation_id, environment, fallback_connection_id, holding_id) where fallback_connection_id is not null;
-- Last, as for holdings: without statistics a single routing would be looked up by walking all the organisation's.
alter table routings add unique (organisation_id, environment, holding_id);

create table routing_revisions (
  organisation_id  uuid not null,
  environment      text not null,
  holding_id       uuid not null,
  generation       bigint not null,
  desired          jsonb not null,
  reason           text,
  set_at           timestamptz not null,
  set_by_kind      text not null,
  set_by_id        uuid,
  set_by_name      text,
  primary key (holding_id, generation),
  foreign key (organisation_id, environment, holding_id) references holdings (organisation_id, environment, id)
);
comment on table routing_revisions is 'Everything that was ever set, by whom and why. Append-only.';

-- The shape of PUT routing, from the columns. In plpgsql, which costs a tenth of an SQL function that cannot be inlined.
create function routing_shape(r routings) returns jsonb language plpgsql immutable as $$
begin
  return case r.mode
    when 'sip_uri' then jsonb_build_object('mode', r.mode, 'sip_uri', r.sip_uri)
    when 'connection' then jsonb_build_object('mode', r.mode, 'connection_id', r.connection_id)
    when 'forward' then jsonb_build_object('mode', r.mode, 'forward_to', r.forward_to)
    when 'webhook' then jsonb_build_object('mode', r.mode, 'webhook_url', r.webhook_url, 'fallback', jsonb_strip_nulls(jsonb_build_object(
      'mode', r.fallback_mode, 'sip_uri', r.fallback_sip_uri, 'connection_id', r.fallback_connection_id)))
    else jsonb_build_object('mode', r.mode)
  end;
end
$$;

create function wire_time(at timestamptz) returns text language sql stable
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- What a switch is told of a connection.
create function connection_value(of_connection uuid) returns jsonb language sql stable
  return (
    select jsonb_strip_nulls(jsonb_build_object('max_calls', c.max_calls, 'ring_seconds', c.ring_seconds, 'targets', (
      select jsonb_agg(jsonb_build_object('host', t.host, 'port', t.port, 'transport', t.transport,
        'priority', t.priority, 'weight', t.weight) order by t.position)
      from connection_targets t
      where t.organisation_id = c.organisation_id and t.environment = c.environment and t.connection_id = c.id)))
    from connections c
    where c.organisation_id = current_organisation_id() and c.environment = current_environment() and c.id = of_connection);

-- Tells a group's switches of a connection one of their numbers is about to use. The caller holds the shard locks.
create function place_connection(of_connection uuid, in_group uuid, at timestamptz) returns void language plpgsql as $$
declare
  found_generation bigint;
  in_shard integer := shard_of(in_group, of_connection::text);
begin
  select generation into strict found_generation from connections
    where organisation_id = current_organisation_id() and environment = current_environment() and id = of_connection;
  insert into connection_placements (organisation_id, environment, connection_id, group_id, shard, version)
    values (current_organisation_id(), current_environment(), of_connection, in_group, in_shard,
      publish_item(in_shard, 'connection', of_connection, current_organisation_id(), current_environment(),
        found_generation, connection_value(of_connection), at))
    on conflict (connection_id, group_id) do update set version = excluded.version;
end
$$;

-- A connection has changed: every group that knows it is told, in ascending order of shards.
create function publish_connection(of_connection uuid, at timestamptz) returns void language plpgsql as $$
declare
  one record;
begin
  for one in
    select p.group_id from connection_placements p
    where p.organisation_id = current_organisation_id() and p.environment = current_environment() and p.connection_id = of_connection
    order by p.shard
  loop
    perform place_connection(of_connection, one.group_id, at);
  end loop;
end
$$;

-- A connection is gone, and with it what the switches know of it.
create function withdraw_connection(of_connection uuid, at timestamptz) returns void language plpgsql as $$
declare
  one record;
begin
  for one in
    select p.shard, c.generation from connection_placements p join connections c on c.id = p.connection_id
    where p.organisation_id = current_organisation_id() and p.environment = current_environment() and p.connection_id = of_connection
    order by p.shard
  loop
    perform publish_item(one.shard, 'connection', of_connection, current_organisation_id(), current_environment(),
      one.generation + 1, null, at);
  end loop;
end
$$;

-- Where calls really go: as desired, but nowhere while the number is not active.
create function effective_route(r routings, status text) returns jsonb language plpgsql immutable as $$
begin
  return case when status = 'active' then routing_shape(r) else '{"mode": "unrouted"}' end || jsonb_build_object('e164', r.e164);
end
$$;

-- Tells the switches of a number's effective route; takes the shard's lock, so it comes last.
create function publish_route(of_number uuid, at timestamptz) returns bigint language plpgsql as $$
declare
  told bigint;
  r routings;
  found_status text;
begin
  select * into strict r from routings where holding_id = of_number;
  select status into strict found_status from holdings
    where organisation_id = r.organisation_id and environment = r.environment and id = of_number;
  told := publish_item(r.shard, 'route', of_number, r.organisation_id, r.environment, r.generation,
    case when found_status <> 'released' then effective_route(r, found_status) end, at);
  update routings set version = told where holding_id = of_number;
  return told;
end
$$;

-- A new holding begins unrouted, and the switches hear of it.
create function begin_routing(of_number uuid, author jsonb, at timestamptz) returns void language plpgsql as $$
begin
  insert into routings (holding_id, organisation_id, environment, e164, mode, set_at, set_by_kind, set_by_id, set_by_name, group_id, shard, version)
    select h.id, h.organisation_id, h.environment, h.e164, 'unrouted', at, author ->> 'kind', (author ->> 'id')::uuid, author ->> 'name',
      n.group_id, n.shard, 0
    from holdings h join numbers n on n.id = h.number_id where h.id = of_number;
  insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, set_at, set_by_kind, set_by_id, set_by_name)
    select organisation_id, environment, holding_id, generation, routing_shape(r), set_at, set_by_kind, set_by_id, set_by_name
    from routings r where holding_id = of_number;
  perform publish_route(of_number, at);
end
$$;

-- What holds for every number of a group. A group without switches is not here.
create view switch_group_states with (security_invoker = true) as
select s.group_id,
  bool_or(coalesce(s.last_seen_at, s.created_at) < now() - make_interval(secs => s.unreachable_after_seconds)) as is_unreachable,
  bool_or(s.synced_epoch is distinct from (select epoch from feed_epoch)) as is_joining
from switches s where s.state <> 'retired' group by s.group_id;

-- Whether the switches do what they should, number by number. One definition for lists and for single records.
-- An exception to a version that is past says only that the switch is still on its way to the one that counts.
create view routing_states with (security_invoker = true) as
select r.holding_id, r.organisation_id, r.environment, r.mode, r.generation, r.e164,
  case
    when x.is_failed then 'failed'
    when x.is_drifted then 'drifted'
    when g.is_unreachable then 'unknown'
    when x.is_pending or g.is_joining is distinct from false or r.version > c.version
      or (coalesce(r.connection_id, r.fallback_connection_id) is not null and exists (
        select from connection_placements p join feed_confirmations pc on pc.shard = p.shard
        where p.connection_id in (r.connection_id, r.fallback_connection_id) and p.group_id = r.group_id and p.version > pc.version))
    then 'pending'
    else 'in_sync'
  end as status
from routings r
join feed_confirmations c on c.shard = r.shard
cross join lateral (
  select bool_or(e.state = 'failed' and not e.is_past) as is_failed, bool_or(e.state = 'drifted' and not e.is_past) as is_drifted,
    bool_or(e.state = 'pending' or e.is_past) as is_pending
  from (
    select e.state, e.version < r.version as is_past from applied_exceptions e where e.item_id = r.holding_id
    union all
    select e.state, e.version < p.version from connection_placements p
    cross join lateral (select * from applied_exceptions x where x.item_id = p.connection_id and x.shard = p.shard offset 0) e
    where p.connection_id in (r.connection_id, r.fallback_connection_id) and p.group_id = r.group_id
  ) e
) x
left join lateral (select * from switch_group_states s where s.group_id = r.group_id offset 0) g on true;

-- What each switch answered when it was last asked about a number.
create function switch_readings(r routings)
returns table (switch text, version bigint, value jsonb, generation bigint, observed_at timestamptz, state text, since timestamptz, error text, silent_since timestamptz)
language sql stable
  begin atomic
    select s.name, case when x.item_id is null then w.version else least(w.version, x.version - 1) end,
      case when x.item_id is null then i.value else x.applied end,
      case when x.item_id is null then i.generation else x.applied_generation end,
      coalesce(x.observed_at, w.observed_at), worst.state, worst.since, nullif(worst.error, ''),
      case when coalesce(s.last_seen_at, s.created_at) < now() - make_interval(secs => s.unreachable_after_seconds)
        then coalesce(s.last_seen_at, s.created_at) end
    from switches s
    cross join feed_epoch e
    left join applied_watermarks w on w.switch_id = s.id and w.shard = r.shard and w.epoch = e.epoch
    left join applied_exceptions x on x.switch_id = s.id and x.item_id = r.holding_id
    left join lateral (
      select f.value, f.generation from feed_items f
      where f.item_id = r.holding_id and f.shard = r.shard and f.version <= w.version order by f.version desc limit 1
    ) i on true
    left join lateral (
      select o.state, o.since, o.error from (
        select x.state, x.since, x.error where x.version >= r.version
        union all
        select c.state, c.since, c.error from connection_placements p join applied_exceptions c on c.item_id = p.connection_id and c.shard = p.shard
        where p.connection_id in (r.connection_id, r.fallback_connection_id) and p.group_id = r.group_id
          and c.switch_id = s.id and c.version >= p.version
      ) o order by array_position('{failed,drifted,pending}', o.state), o.since limit 1
    ) worst on true
    where s.group_id = r.group_id and s.state <> 'retired'
    order by s.name;
  end;

create function shown_reading(value jsonb, generation bigint, observed_at timestamptz) returns jsonb language sql stable
  return case when value is not null then
    (value - 'e164') || jsonb_build_object('generation', generation, 'observed_at', wire_time(observed_at)) end;

-- The routing record of the API, as text: read and answered in one round trip.
-- In plpgsql, because a session then plans it once and not at every call.
create function routing_record(of_number uuid) returns text language plpgsql stable as $$
begin
  return (
    select json_build_object(
      'number_id', r.holding_id,
      'desired', routing_shape(r) || jsonb_build_object('generation', r.generation, 'set_at', wire_time(r.set_at),
        'set_by', jsonb_build_object('kind', r.set_by_kind, 'id', r.set_by_id, 'name', r.set_by_name), 'reason', r.reason),
      'applied', a.furthest_behind,
      'status', s.status,
      'since', wire_time(case s.status
        when 'in_sync' then t.confirmed_at
        when 'pending' then coalesce(t.behind_since, a.pending_since, t.told_at)
        when 'unknown' then a.silent_since
        else a.deviating_since end),
      'effective_reason', case when h.status <> 'active' then 'number_' || h.status end,
      'switches', a.switches,
      'last_error', a.last_error
    )::text
    from routings r
    join holdings h on h.organisation_id = r.organisation_id and h.environment = r.environment and h.id = r.holding_id
    join routing_states s on s.holding_id = r.holding_id
    cross join lateral (
      select max(i.confirmed_at) as confirmed_at, max(i.created_at) as told_at, min(i.created_at) filter (where i.version > c.version) as behind_since
      from (
        select r.shard, r.version
        union all
        select p.shard, p.version from connection_placements p
        where p.connection_id in (r.connection_id, r.fallback_connection_id) and p.group_id = r.group_id
      ) told
      cross join lateral (select version from feed_confirmations where shard = told.shard limit 1) c
      cross join lateral (select * from feed_items where shard = told.shard and version = told.version limit 1) i
    ) t
    cross join lateral (
      select
        coalesce(json_agg(json_build_object('switch', k.switch, 'applied', shown_reading(k.value, k.generation, k.observed_at),
          'observed_at', wire_time(k.observed_at), 'error', k.error)), '[]') as switches,
        (array_agg(shown_reading(k.value, k.generation, k.observed_at) order by k.version nulls first))[1] as furthest_behind,
        min(k.silent_since) as silent_since,
        min(k.since) filter (where k.state = s.status) as deviating_since,
        min(k.since) filter (where k.state = 'pending') as pending_since,
        (array_agg(k.error order by k.observed_at desc) filter (where k.error is not null))[1] as last_error
      from switch_readings(r) k
    ) a
    where r.organisation_id = current_organisation_id() and r.environment = current_environment() and r.holding_id = of_number);
end
$$;

-- Whether calls to a number of ours, forwarded to another, would come back to it.
create function makes_forward_loop(of_e164 text, to_e164 text) returns boolean language sql stable
  return exists (
    with recursive hops as (
      select to_e164 as e164, 1 as hop
      union all
      select r.forward_to, hops.hop + 1
      from hops join holdings h on h.organisation_id = current_organisation_id() and h.environment = current_environment()
        and h.is_held and h.e164 = hops.e164
      join routings r on r.holding_id = h.id
      where r.mode = 'forward' and hops.hop < 20 and hops.e164 <> of_e164
    )
    select from hops where hops.e164 = of_e164 or hop >= 20);

-- Sets the desired routing: the row, its revision, audit entry and event, and last the version the switches see.
-- Nothing is written unless the outcome is set (or unchanged, which tells the switches again when they were told, and are not as they should be).
-- Whether the destination is one that calls may go to is decided outside; here it only takes its place in the order of checks.
create function set_routing(
  of_number uuid, wanted jsonb, is_forbidden boolean, expected bigint[], author jsonb, event_id uuid, audit_id uuid, at timestamptz
) returns table (outcome text, generation bigint) language plpgsql as $$
#variable_conflict use_column
declare
  r routings;
  found_status text;
  used uuid;
  unplaced uuid[] := '{}';
  next_sequence bigint;
  detail jsonb;
begin
  select * into r from routings
    where organisation_id = current_organisation_id() and environment = current_environment() and holding_id = of_number for update;
  if not found then
    return query select 'number_not_found', null::bigint;
    return;
  end if;
  if r.generation <> all (expected) then
    return query select 'generation_mismatch', r.generation;
    return;
  end if;
  select status into strict found_status from holdings
    where organisation_id = r.organisation_id and environment = r.environment and id = of_number;
  if found_status <> 'active' then
    return query select 'number_not_active', r.generation;
    return;
  end if;
  if is_forbidden then
    return query select 'destination_not_allowed', r.generation;
    return;
  end if;

  foreach used in array array_remove(array[(wanted ->> 'connection_id')::uuid, (wanted -> 'fallback' ->> 'connection_id')::uuid], null) loop
    perform from connection_placements where connection_id = used and group_id = r.group_id;
    if not found then
      -- Held against a change at the same moment, which would not find the placement that is about to be made.
      perform from connections where organisation_id = r.organisation_id and environment = r.environment and id = used for share;
      if not found then
        return query select 'connection_not_found', r.generation;
        return;
      end if;
      unplaced := unplaced || used;
    end if;
  end loop;

  if routing_shape(r) = wanted then
    if r.version <= (select version from feed_confirmations where shard = r.shard)
      and (select status from routing_states where holding_id = of_number) <> 'in_sync' then
      perform publish_route(of_number, at);
    end if;
    return query select 'unchanged', r.generation;
    return;
  end if;

  if wanted ->> 'mode' = 'forward' then
    -- From here on changes of this organisation queue, so that two forwards cannot close a circle together.
    perform from event_heads where organisation_id = r.organisation_id for update;
    if makes_forward_loop(r.e164, wanted ->> 'forward_to') then
      return query select 'forward_loop', r.generation;
      return;
    end if;
  end if;

  if used is not null and cardinality(unplaced) = 0 then
    -- A connection goes behind the same counter: what is still there now stays.
    perform from event_heads where organisation_id = r.organisation_id for update;
    perform from connections where organisation_id = r.organisation_id and environment = r.environment and id = used;
    if not found then
      return query select 'connection_not_found', r.generation;
      return;
    end if;
  end if;

  update event_heads set head = head + 1 where organisation_id = r.organisation_id returning head into strict next_sequence;
  r.generation := r.generation + 1;
  detail := jsonb_build_object('mode', wanted ->> 'mode', 'generation', r.generation);
  insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, reason, set_at, set_by_kind, set_by_id, set_by_name)
    values (r.organisation_id, r.environment, of_number, r.generation, wanted, author ->> 'reason', at,
      author ->> 'kind', (author ->> 'id')::uuid, author ->> 'name');
  insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, actor_id, actor_name, detail, request_id, address, at)
    values (audit_id, r.organisation_id, r.environment, 'routing.changed', 'done', of_number::text, author ->> 'kind', (author ->> 'id')::uuid,
      author ->> 'name', detail, author ->> 'request_id', (author ->> 'address')::inet, at);
  insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
    values (r.organisation_id, next_sequence, event_id, r.environment, 'routing.changed', of_number::text, detail, at);
  r.mode := wanted ->> 'mode';
  r.sip_uri := wanted ->> 'sip_uri';
  r.connection_id := (wanted ->> 'connection_id')::uuid;
  r.forward_to := wanted ->> 'forward_to';
  r.webhook_url := wanted ->> 'webhook_url';
  r.fallback_mode := wanted -> 'fallback' ->> 'mode';
  r.fallback_sip_uri := wanted -> 'fallback' ->> 'sip_uri';
  r.fallback_connection_id := (wanted -> 'fallback' ->> 'connection_id')::uuid;

  if cardinality(unplaced) > 0 then
    perform from feed_shards where id = r.shard or id in (select shard_of(r.group_id, c::text) from unnest(unplaced) c) order by id for no key update;
    perform place_connection(c, r.group_id, at) from (select distinct c from unnest(unplaced) c) as once;
  end if;
  r.version := publish_item(r.shard, 'route', of_number, r.organisation_id, r.environment, r.generation, effective_route(r, 'active'), at);
  update routings set mode = r.mode, sip_uri = r.sip_uri, connection_id = r.connection_id, forward_to = r.forward_to, webhook_url = r.webhook_url,
    fallback_mode = r.fallback_mode, fallback_sip_uri = r.fallback_sip_uri, fallback_connection_id = r.fallback_connection_id,
    generation = r.generation, set_at = at, set_by_kind = author ->> 'kind', set_by_id = (author ->> 'id')::uuid, set_by_name = author ->> 'name',
    reason = author ->> 'reason', version = r.version
    where holding_id = of_number;
  return query select 'set', r.generation;
end
$$;

-- A keyed PUT in one round trip: what was answered before, or the effect and its answer, remembered together.
-- Refusals write nothing; the caller words them and, where they are remembered, comes back to do so.
create function set_routing_once(
  key text, fingerprint bytea, expires_at timestamptz,
  of_number uuid, wanted jsonb, is_forbidden boolean, expected bigint[], author jsonb, event_id uuid, audit_id uuid, at timestamptz
) returns table (outcome text, generation bigint, earlier_fingerprint bytea, status smallint, content_type text, body text, location text, etag text)
language plpgsql as $$
#variable_conflict use_column
declare
  earlier record;
  done record;
begin
  -- What is not there is told first, whatever became of the key.
  perform from routings where organisation_id = current_organisation_id() and environment = current_environment() and holding_id = of_number;
  if not found then
    outcome := 'number_not_found';
    return next;
    return;
  end if;
  select * into earlier from claim_idempotency_key(set_routing_once.key, at);
  if found then
    return query select case when earlier.is_running then 'running' else 'earlier' end, null::bigint, earlier.fingerprint, earlier.status,
      earlier.content_type, earlier.body, earlier.location, earlier.etag;
    return;
  end if;
  select * into strict done from set_routing(of_number, wanted, is_forbidden, expected, author, event_id, audit_id, at);
  outcome := done.outcome;
  generation := done.generation;
  if outcome in ('set', 'unchanged') then
    status := 200;
    content_type := 'application/json; charset=utf-8';
    body := routing_record(of_number);
    etag := '"' || generation || '"';
    delete from idempotency_keys k where k.organisation_id = current_organisation_id() and k.environment = current_environment()
      and k.key = set_routing_once.key;
    insert into idempotency_keys (organisation_id, environment, key, fingerprint, status, content_type, body, etag, created_at, expires_at)
      values (current_organisation_id(), current_environment(), set_routing_once.key, set_routing_once.fingerprint, status, content_type,
        body, etag, at, set_routing_once.expires_at);
  end if;
  return next;
end
$$;

alter table numbers enable row level security;
alter table numbers force row level security;
alter table holdings enable row level security;
alter table holdings force row level security;
alter table holding_tags enable row level security;
alter table holding_tags force row level security;
alter table connections enable row level security;
alter table connections force row level security;
alter table connection_targets enable row level security;
alter table connection_targets force row level security;
alter table connection_placements enable row level security;
alter table connection_placements force row level security;
alter table routings enable row level security;
alter table routings force row level security;
alter table routing_revisions enable row level security;
alter table routing_revisions force row level security;

grant select, update (label, tags, release_lock, updated_at) on holdings to dialplane_organisation;
grant select, insert, delete on holding_tags to dialplane_organisation;
grant select, insert, update (name, max_calls, ring_seconds, generation, updated_at), delete on connections to dialplane_organisation;
grant select, insert, delete on connection_targets to dialplane_organisation;
grant select, insert, update (version), delete on connection_placements to dialplane_organisation;
grant select, update (mode, sip_uri, connection_id, forward_to, webhook_url, fallback_mode, fallback_sip_uri, fallback_connection_id,
  generation, set_at, set_by_kind, set_by_id, set_by_name, reason, version) on routings to dialplane_organisation;
grant select, insert on routing_revisions to dialplane_organisation;
grant select on routing_states, switch_group_states to dialplane_organisation;
create policy organisation on holdings to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on holding_tags to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on connections to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on connection_targets to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on connection_placements to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on routings to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
create policy organisation on routing_revisions to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

grant select, insert, update (is_stock, is_free) on numbers to dialplane_system;
grant select, insert, update (status, status_reason, released_at, restore_until, updated_at) on holdings to dialplane_system;
grant select, insert, delete on holding_tags to dialplane_system;
grant select, insert, update (version) on routings to dialplane_system;
grant select, insert on routing_revisions to dialplane_system;
grant select on connections, connection_targets, connection_placements, routing_states, switch_group_states to dialplane_system;
create policy system on numbers to dialplane_system using ((select current_task()) is not null);
create policy system on holdings to dialplane_system using ((select current_task()) is not null);
create policy system on holding_tags to dialplane_system using ((select current_task()) is not null);
create policy system on connections to dialplane_system using ((select current_task()) is not null);
create policy system on connection_targets to dialplane_system using ((select current_task()) is not null);
create policy system on connection_placements to dialplane_system using ((select current_task()) is not null);
create policy system on routings to dialplane_system using ((select current_task()) is not null);
create policy system on routing_revisions to dialplane_system using ((select current_task()) is not null);

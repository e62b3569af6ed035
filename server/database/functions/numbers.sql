create or replace function keep_number_free() returns trigger language plpgsql as $$
begin
  update numbers set is_free = (new.status = 'released')
    where id = new.number_id and is_stock and is_free <> (new.status = 'released');
  return null;
end
$$;

create or replace trigger holdings_take_number after insert on holdings
  for each row when (new.environment = 'live') execute function keep_number_free();

create or replace trigger holdings_free_number after update of status on holdings
  for each row when (new.environment = 'live'
      and (old.status = 'released') <> (new.status = 'released')) execute function keep_number_free();

create or replace function keep_holding_tags() returns trigger language plpgsql as $$
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

create or replace trigger holdings_keep_new_tags after insert on holdings
  for each row when (new.tags <> '{}') execute function keep_holding_tags();

create or replace trigger holdings_keep_tags after update of tags on holdings
  for each row when (old.tags is distinct from new.tags) execute function keep_holding_tags();

create or replace function keep_holding_metadata() returns trigger language plpgsql as $$
begin
  delete from holding_metadata m where m.organisation_id = new.organisation_id and m.environment = new.environment
    and m.holding_id = new.id;
  insert into holding_metadata (organisation_id, environment, key, value, holding_id, e164)
    select new.organisation_id, new.environment, pair.key, pair.value, new.id, new.e164
    from jsonb_each_text(new.metadata) pair;
  return null;
end
$$;

create or replace trigger holdings_keep_metadata after update of metadata on holdings
  for each row when (old.metadata is distinct from new.metadata) execute function keep_holding_metadata();

-- Adds many numbers to an organisation at once: missing stock, holdings, and for each an unrouted routing, an event
-- and an audit entry. A number that the same order has already added counts as added: a restore of the database may
-- have brought it back before its order continued. Rows that cannot be added get another outcome and change nothing.
-- Rows are looked up one by one (lateral, limit 1): the planner keeps plans from a time of small tables, and joins
-- would read them whole. Each row brings its ids: {"e164", "country", "type", "label", "tags", "number_id", "id",
-- "event_id", "audit_id"}.
create or replace function add_holdings(
  of_organisation uuid, of_environment text, of_group text, of_source text, of_order uuid, of_carrier text,
      author jsonb, wanted jsonb, at timestamptz
) returns table (holding_id uuid, number text, outcome text) language plpgsql
  set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  found_group uuid;
  shards integer[];
  added uuid[];
  last_sequence bigint;
begin
  select g.id into strict found_group from switch_groups g
    where g.environment = of_environment and case when of_group is null then g.is_default else g.name = of_group end;
  shards := array(select s.id from feed_shards s where s.group_id = found_group order by s.id);

  -- In the order of the numbers, so that two who add the same ones never wait for each other.
  insert into numbers (id, environment, e164, country, type, group_id, shard, is_stock, is_free, created_at)
    select w.number_id, of_environment, w.e164, w.country, w.type, found_group, place_among(shards, w.e164),
      of_environment = 'test' or coalesce(of_carrier, 'pool') = 'pool', of_environment = 'test', at
    from jsonb_to_recordset(wanted) w(number_id uuid, e164 text, country text, type text)
    order by w.e164
    on conflict do nothing;
  with inserted as (
    insert into holdings (id, organisation_id, environment, number_id, e164, country, type, capabilities, status,
        label, tags,
        source, order_id, carrier, acquired_at, created_at, updated_at)
      select w.id, of_organisation, of_environment, n.id, n.e164, n.country, n.type, n.capabilities, 'active', w.label,
        coalesce(w.tags, '{}'), of_source, of_order, of_carrier, at, at, at
      from jsonb_to_recordset(wanted) w(id uuid, e164 text, label text, tags text[])
      cross join lateral (select * from numbers where environment = of_environment and e164 = w.e164 limit 1) n
      order by w.e164
      on conflict do nothing
      returning id
  ) select array_agg(id) into added from inserted;

  if added is not null then
    insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, actor_id,
        actor_name, detail, request_id, address, at)
      select w.audit_id, of_organisation, of_environment, 'number.added', 'done', w.id::text, author ->> 'kind',
          (author ->> 'id')::uuid,
        author ->> 'name', jsonb_build_object('e164', w.e164, 'source', of_source), author ->> 'request_id',
            (author ->> 'address')::inet, at
      from jsonb_to_recordset(wanted) w(id uuid, audit_id uuid, e164 text)
      cross join lateral (select from holdings h where h.id = w.id limit 1) h;
    update event_heads set head = head + cardinality(added) where organisation_id = of_organisation
        returning head into strict last_sequence;
    insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
      select of_organisation, last_sequence - cardinality(added) + row_number() over (order by w.id), w.event_id,
          of_environment,
        'number.added', w.id::text, jsonb_build_object('e164', w.e164, 'source', of_source), at
      from jsonb_to_recordset(wanted) w(id uuid, event_id uuid, e164 text)
      cross join lateral (select from holdings h where h.id = w.id limit 1) h;
    perform begin_routings(added, author, at);
  end if;

  return query
    select w.id, w.e164, 'added' from jsonb_to_recordset(wanted) w(id uuid, e164 text) where w.id = any (added)
    union all
    select h.id, w.e164, case when h.order_id = of_order then 'added' when h.id is not null then 'already_held'
      else 'not_available' end
    from jsonb_to_recordset(wanted) w(id uuid, e164 text)
    left join lateral (
      select id, order_id from holdings where organisation_id = of_organisation and environment = of_environment
          and is_held and e164 = w.e164 collate "C" limit 1
    ) h on true
    where w.id = any (added) is not true;
end
$$;

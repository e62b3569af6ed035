-- Opens a restore under an epoch that holds the switches: they keep their state and get only changes after the current
-- heads. Sign-ins end, because those that ended after the backup are valid again in it. Workers lose their leases.
create or replace function open_restore(of_id uuid, of_epoch text, of_cause text, restored_to timestamptz, by text,
    at timestamptz) returns void language plpgsql as $$
begin
  insert into restores (id, epoch, restored_to, cause, began_at, began_by)
    values (of_id, of_epoch, restored_to, of_cause, at, by);
  update feed_epoch set is_restore = true;
  update feed_shards set held_version = head, held_token = token;
  -- Clients and webhook endpoints have seen numbers that the database lost.
  update event_heads set head = head + 1000000, skipped = skipped + 1000000;
  update jobs set attempts = attempts + 1, next_check_at = at where is_open and status = 'running';
  delete from one_time_links;
  delete from challenges;
  delete from device_sign_ins;
  delete from authorisation_codes;
  delete from sessions;
end
$$;

-- Records the differences between a shard and the state that a switch had when the restore began. Items that were
-- changed here since then are left out: the change decides.
create or replace function compare_shard(of_restore uuid, of_state uuid, of_shard integer) returns void language plpgsql
as $$
begin
  insert into restore_findings (id, restore_id, kind, item_kind, item_id, e164, holder_id, environment, here,
      there, generation_here, generation_there, switches)
    with ours as (
      select distinct on (item_id) * from feed_items where shard = of_shard order by item_id, version desc
    ), theirs as (
      select * from saved_state_items where state_id = of_state and shard = of_shard
    )
    select gen_random_uuid(), of_restore,
      case when o.item_id is null then 'only_on_switch' when t.item_id is null then 'only_here'
        else 'newer_on_switch' end,
      coalesce(o.kind, t.kind), item_id, coalesce(t.e164, o.value ->> 'e164'),
      coalesce(o.organisation_id, t.holder_id), g.environment, o.value, t.value, o.generation, t.generation,
      array[w.name]
    from ours o full join theirs t using (item_id)
    join feed_shards s on s.id = of_shard
    join switch_groups g on g.id = s.group_id
    join switches w on w.id = (select switch_id from saved_states where id = of_state)
    where (o.item_id is null or (o.value is not null and o.version <= s.held_version))
      and (t.item_id is null or o.item_id is null or t.generation > o.generation
        or (t.generation = o.generation and t.value <> o.value))
  on conflict (restore_id, kind, item_id, e164, coalesce(generation_there, 0), md5(coalesce(there::text, '')))
    do update set switches = array(
      select distinct name from unnest(restore_findings.switches || excluded.switches) name order by name);
end
$$;

-- Whether a switch was sent another value of the item since the restore began.
create or replace function changed_since_restore(of_item uuid) returns boolean language sql stable
  return exists (select from feed_items i join feed_shards s on s.id = i.shard
    where i.item_id = of_item and i.version > s.held_version);

-- Sets a routing that was in effect before the restore, or confirms the current one, under a generation that no
-- switch has seen. It was allowed then, so it is not checked again.
create or replace function restore_routing(
  of_number uuid, wanted jsonb, seen_generation bigint, author jsonb, event_id uuid, audit_id uuid, at timestamptz
) returns bigint language plpgsql as $$
declare
  r routings;
  found_status text;
  next_sequence bigint;
  detail jsonb;
  one_used uuid;
begin
  select * into strict r from routings where holding_id = of_number for update;
  select status into strict found_status from holdings
    where organisation_id = r.organisation_id and environment = r.environment and id = of_number;
  -- Connections are placed with the settings of the organisation.
  perform set_config('app.organisation_id', r.organisation_id::text, true),
    set_config('app.environment', r.environment, true);
  update event_heads set head = head + 1 where organisation_id = r.organisation_id
    returning head into strict next_sequence;
  r := with_destination(r, coalesce(wanted, routing_shape(r)));
  r.generation := greatest(r.generation, seen_generation) + 1;
  detail := jsonb_build_object('mode', r.mode, 'generation', r.generation);
  insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, reason, set_at,
      set_by_kind, set_by_id, set_by_name)
    values (r.organisation_id, r.environment, of_number, r.generation, routing_shape(r), author ->> 'reason', at,
      author ->> 'kind', (author ->> 'id')::uuid, author ->> 'name');
  insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, actor_id,
      actor_name, detail, request_id, address, at)
    values (audit_id, r.organisation_id, r.environment, 'routing.changed', 'done', of_number::text,
      author ->> 'kind', (author ->> 'id')::uuid, author ->> 'name', detail, author ->> 'request_id',
      (author ->> 'address')::inet, at);
  insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
    values (r.organisation_id, next_sequence, event_id, r.environment, 'routing.changed', of_number::text, detail, at);
  for one_used in select distinct c from unnest(connections_in(routing_shape(r))) c order by c loop
    if not exists (select from connection_placements where connection_id = one_used and group_id = r.group_id) then
      perform place_connection(one_used, r.group_id, at);
    end if;
  end loop;
  update routings set mode = r.mode, sip_uri = r.sip_uri, connection_id = r.connection_id, forward_to = r.forward_to,
      webhook_url = r.webhook_url, fallback_mode = r.fallback_mode, fallback_sip_uri = r.fallback_sip_uri,
      fallback_connection_id = r.fallback_connection_id, steps = r.steps, last_connection_id = r.last_connection_id,
      generation = r.generation, set_at = at, set_by_kind = author ->> 'kind', set_by_id = (author ->> 'id')::uuid,
      set_by_name = author ->> 'name', reason = author ->> 'reason', version = publish_item(r.shard, 'route',
        of_number, r.organisation_id, r.environment, r.generation, effective_route(r, found_status), at)
    where holding_id = of_number;
  return r.generation;
end
$$;

-- Repeats a revocation that the database lost. The entry is a line of the audit export. Returns the outcome:
-- `known` (the database has the entry), `other` (no revocation), `replayed`, `no_effect`, or `review` (a person has to
-- decide).
create or replace function replay_revocation(entry jsonb, of_organisation uuid, at timestamptz) returns text
language plpgsql as $$
declare
  entry_id uuid := entry ->> 'id';
  action text := entry ->> 'action';
  of_subject uuid := id_of(entry ->> 'subject');
  settled record;
  changed integer;
begin
  if exists (select from audit_entries where id = entry_id) then
    return 'known';
  end if;
  if action in ('member.removed', 'member.role_changed') and of_organisation is not null then
    -- Keys that it ended have separate entries.
    for settled in select (k ->> 'id')::uuid as id, k ->> 'outcome' as outcome
        from jsonb_array_elements(entry #> '{detail,keys}') k loop
      delete from api_key_organisations where settled.outcome = 'detached' and api_key_id = settled.id
        and organisation_id = of_organisation;
      update api_keys set expires_at = least(expires_at, at) where settled.outcome = 'expires' and id = settled.id;
    end loop;
  end if;
  if action in ('password.changed', 'password.reset') then
    update users set password_hash = null where id = of_subject and password_hash is not null;
  elsif action = 'user.disabled' then
    update users set disabled_at = at where id = of_subject and disabled_at is null;
  elsif action = 'operator.revoked' then
    update users set is_operator = false where id = of_subject and is_operator;
  elsif action = 'passkey.removed' then
    delete from passkeys where id = of_subject;
  elsif action = 'api_key.revoked' then
    update api_keys set revoked_at = at where id = of_subject and revoked_at is null;
  elsif action = 'api_key.detached' and of_organisation is not null then
    delete from api_key_organisations where api_key_id = of_subject and organisation_id = of_organisation;
  elsif action = 'member.removed' and of_organisation is not null then
    delete from memberships where user_id = of_subject and organisation_id = of_organisation;
  elsif action = 'switch.credential_rotated' then
    update switches set credential_mac = sha256(gen_random_uuid()::text::bytea),
      credential_version = credential_version + 1 where id = of_subject;
  elsif action in ('api_key.rotated', 'api_key.detached', 'member.removed', 'member.role_changed', 'switch.retired',
      'organisation.suspended', 'authenticator.removed', 'email_address.changed', 'recovery_codes.renewed',
      'user.authenticator_removed') then
    return 'review';
  else
    return 'other';
  end if;
  get diagnostics changed = row_count;
  return case when changed > 0 then 'replayed' else 'no_effect' end;
end
$$;

-- Keys from before the restore that would work wait for an owner.
create or replace function suspend_api_keys(of_restore uuid, at timestamptz) returns integer language plpgsql as $$
declare
  suspended integer;
begin
  update api_keys set suspended_at = at
    where suspended_at is null and revoked_at is null and (expires_at is null or expires_at > at)
      and created_at < (select began_at from restores where id = of_restore);
  get diagnostics suspended = row_count;
  return suspended;
end
$$;

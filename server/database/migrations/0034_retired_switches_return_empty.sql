-- While a switch is retired, numbers get other holders without it: what it holds then leads calls to the wrong people. Brought
-- back, it is told to refuse calls until it has read back everything; and as long as it is retired it is told so.

alter table switches add column is_returning boolean not null default false;
comment on column switches.is_returning is 'It was retired and has not read back everything since: it refuses calls.';
grant select (is_returning), update (is_returning) on switches to dialplane_switch;

-- Beside authenticate_switch, which lets nobody retired in.
create function is_retired_switch(presented_mac bytea) returns boolean language sql stable
  return exists (select from switches s where s.credential_mac = presented_mac and s.state = 'retired');

create or replace function record_report(reported_epoch text, reported_boot text, of_version text, is_complete boolean, shard_reports jsonb, at timestamp with time zone) RETURNS TABLE(outcome text, deviations jsonb)
    LANGUAGE plpgsql
    AS $_$
declare
  this_switch uuid := current_switch_id();
  shards integer[] := array(select (r ->> 'shard')::integer from jsonb_array_elements(shard_reports) r order by 1);
  known record;
  is_forgetting boolean;
  is_joining boolean;
begin
  -- Between a promotion and the beginning of its epoch the one written down is the old one.
  perform from feed_epoch where epoch = reported_epoch and epoch = found_epoch();
  if not found then
    return query select 'epoch_ended', null::jsonb;
    return;
  end if;
  if (select count(*) from feed_shards where id = any (shards) and group_id = current_switch_group_id()) <> cardinality(shards) then
    return query select 'shard_not_found', null::jsonb;
    return;
  end if;
  select boot, synced_epoch into known from switches where id = this_switch;
  -- It restarted and has not read back everything since: what it said before counts for nothing.
  is_forgetting := coalesce(known.boot <> reported_boot, false) and not is_complete;
  is_joining := is_complete and known.synced_epoch is distinct from reported_epoch;
  -- First the locks, then the look: two switches reporting at once must see each other. Whether a switch counts
  -- concerns every shard of its group.
  perform from feed_confirmations
    where shard = any (case when is_forgetting or is_joining
      then array(select id from feed_shards where group_id = current_switch_group_id()) else shards end)
    order by shard for update;
  select state, boot into known from switches where id = this_switch and state <> 'retired';
  if not found then
    return query select 'switch_retired', null::jsonb;
    return;
  end if;

  if is_forgetting and known.boot <> reported_boot then
    update switches set synced_epoch = null, boot = reported_boot where id = this_switch;
    delete from applied_watermarks where switch_id = this_switch;
    delete from applied_exceptions where switch_id = this_switch;
  end if;

  insert into applied_watermarks (switch_id, shard, epoch, version, observed_at)
    select this_switch, s.id, reported_epoch, least((r ->> 'version')::bigint, s.head), least((r ->> 'observed_at')::timestamptz, at)
    from jsonb_array_elements(shard_reports) r join feed_shards s on s.id = (r ->> 'shard')::integer
    on conflict (switch_id, shard) do update set
      epoch = excluded.epoch,
      version = case when applied_watermarks.epoch = excluded.epoch
        then greatest(applied_watermarks.version, excluded.version) else excluded.version end,
      observed_at = greatest(applied_watermarks.observed_at, excluded.observed_at);
  -- Nearly every report has none, and PostgreSQL plans that function anew at each call.
  if shard_reports @? '$[*].exceptions[*]' or exists (select from applied_exceptions where switch_id = this_switch and shard = any (shards)) then
    deviations := record_exceptions(shard_reports, at);
  end if;

  -- Another boot that came in since the look at the first is left to the next report, which then has all the locks.
  update switches set boot = case when is_complete or boot is null then reported_boot else boot end,
      agent_version = of_version, last_seen_at = now()
    where id = this_switch and (boot is distinct from reported_boot or agent_version is distinct from of_version
      or last_seen_at is null or last_seen_at < now() - interval '1 second');
  -- It counts from the moment it holds everything that the others have confirmed.
  if is_joining then
    update switches set synced_epoch = reported_epoch, is_returning = false
      where id = this_switch and synced_epoch is distinct from reported_epoch
        and not exists (
          select from feed_shards s join feed_confirmations c on c.shard = s.id
          left join applied_watermarks w on w.switch_id = this_switch and w.shard = s.id and w.epoch = reported_epoch
          where s.group_id = current_switch_group_id() and (w.version is null or w.version < c.version));
    if found then
      shards := array(select id from feed_shards where group_id = current_switch_group_id() order by id);
    end if;
  end if;
  perform confirm_shards(shards, at);
  outcome := 'recorded';
  return next;
end
$_$;

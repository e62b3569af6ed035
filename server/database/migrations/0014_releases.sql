create table releases (
  id                 uuid primary key,
  organisation_id    uuid not null references organisations,
  environment        text not null check (environment in ('live', 'test')),
  holding_id         uuid not null,
  e164               text not null,
  job_id             uuid not null,
  restore_job_id     uuid,
  step               text not null default 'unrouting'
    check (step in ('unrouting', 'telling', 'quarantined', 'restoring', 'restored', 'released', 'failed')),
  previous_status    text not null check (previous_status in ('active', 'suspended')),
  carrier            text check (length(carrier) between 1 and 40),
  asked_by_kind      text not null,
  asked_by_id        uuid,
  asked_by_name      text,
  restored_by_kind   text,
  restored_by_id     uuid,
  restored_by_name   text,
  quarantined_until  timestamptz,
  created_at         timestamptz not null,
  ended_at           timestamptz,
  unique (organisation_id, environment, id),
  foreign key (organisation_id, environment, holding_id) references holdings (organisation_id, environment, id),
  check (step not in ('quarantined', 'restoring', 'restored', 'released') or quarantined_until is not null),
  check (step <> 'restoring' or (restore_job_id is not null and restored_by_kind is not null)),
  check ((step in ('restored', 'released', 'failed')) = (ended_at is not null))
) with (fillfactor = 80);
comment on table releases is 'A number on its way out: calls stop, the carrier is told, the number rests, then it is gone or comes back.';
comment on column releases.id is 'Also the reference under which the carrier is told.';
comment on column releases.previous_status is 'What the number becomes again should the release fail or be undone.';
create unique index releases_one_open on releases (holding_id) where ended_at is null;
create index releases_by_holding on releases (organisation_id, environment, holding_id);
create index releases_by_job on releases (job_id);
create index releases_by_restore_job on releases (restore_job_id) where restore_job_id is not null;
create index releases_resting on releases (quarantined_until) where step = 'quarantined';

create function refuse_release_move() returns trigger language plpgsql as $$
begin
  raise exception 'A release that is % cannot become %.', old.step, new.step using errcode = 'integrity_constraint_violation';
end
$$;
-- The carrier is told once, after the switches; what has ended stays so.
create trigger releases_move_forward before update of step on releases
  for each row when ((old.step, new.step) not in (('unrouting', 'telling'), ('unrouting', 'failed'), ('telling', 'quarantined'),
    ('telling', 'failed'), ('quarantined', 'restoring'), ('restoring', 'quarantined'), ('restoring', 'restored'), ('quarantined', 'released')))
  execute function refuse_release_move();

-- Whether every switch that is not retired has read back what it was last told of a number. Without any, nothing routes.
create function route_standing(of_number uuid) returns text language sql stable
  begin atomic
    select case
      when bool_and(k.is_read_back) is not false then 'settled'
      when bool_or(k.is_away and not k.is_read_back) then 'unreachable'
      else 'pending' end
    from routings r
    left join lateral (
      select
        exists (select from applied_watermarks w cross join feed_epoch e
          where w.switch_id = s.id and w.shard = r.shard and w.epoch = e.epoch and w.version >= r.version and e.epoch = found_epoch())
        and not exists (select from applied_exceptions x where x.switch_id = s.id and x.item_id = r.holding_id) as is_read_back,
        coalesce(s.last_seen_at, s.created_at) < now() - make_interval(secs => s.unreachable_after_seconds) as is_away
      from switches s where s.group_id = r.group_id and s.state <> 'retired'
    ) k on true
    where r.holding_id = of_number;
  end;

-- A number that is gone desires nothing any more, so that nothing it pointed at is kept for it; its revisions stay.
create function end_routing(of_number uuid, author jsonb, at timestamptz) returns void language plpgsql as $$
declare
  r routings;
begin
  select * into strict r from routings where holding_id = of_number for update;
  if r.mode <> 'unrouted' then
    update routings set mode = 'unrouted', sip_uri = null, connection_id = null, forward_to = null, webhook_url = null, fallback_mode = null,
      fallback_sip_uri = null, fallback_connection_id = null, generation = r.generation + 1, set_at = at, set_by_kind = author ->> 'kind',
      set_by_id = null, set_by_name = author ->> 'name', reason = null
      where holding_id = of_number;
    insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, set_at, set_by_kind, set_by_name)
      values (r.organisation_id, r.environment, of_number, r.generation + 1, '{"mode": "unrouted"}', at, author ->> 'kind', author ->> 'name');
  end if;
end
$$;

alter table releases enable row level security;
alter table releases force row level security;

grant select, insert, update (step, restore_job_id, restored_by_kind, restored_by_id, restored_by_name) on releases to dialplane_organisation;
create policy organisation on releases to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));
-- A release begins with its request.
grant update (status) on holdings to dialplane_organisation;

grant select, update (step, quarantined_until, ended_at) on releases to dialplane_system;
create policy system on releases to dialplane_system using ((select current_task()) is not null);
grant update (mode, sip_uri, connection_id, forward_to, webhook_url, fallback_mode, fallback_sip_uri, fallback_connection_id,
  generation, set_at, set_by_kind, set_by_id, set_by_name, reason) on routings to dialplane_system;

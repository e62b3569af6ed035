create table jobs (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  environment      text not null check (environment in ('live', 'test')),
  type             text not null check (type in ('number_order', 'number_release', 'number_restore')),
  status           text not null default 'queued'
    check (status in ('queued', 'running', 'waiting', 'succeeded', 'partially_succeeded', 'failed')),
  is_open          boolean not null generated always as (status in ('queued', 'running', 'waiting')) stored,
  reason           text check (length(reason) between 1 and 64),
  total            integer not null check (total > 0),
  succeeded        integer not null default 0 check (succeeded >= 0),
  failed           integer not null default 0 check (failed >= 0),
  order_id         uuid,
  number_id        uuid,
  error_code       text check (length(error_code) <= 64),
  error_detail     text check (length(error_detail) <= 1000),
  request_id       text not null,
  attempts         integer not null default 0,
  waits            integer not null default 0,
  next_check_at    timestamptz,
  queued_at        timestamptz not null,
  created_at       timestamptz not null,
  started_at       timestamptz,
  finished_at      timestamptz,
  unique (organisation_id, environment, id),
  check (is_open = (finished_at is null)),
  check (is_open = (next_check_at is not null)),
  check ((status = 'queued') = (started_at is null)),
  check (reason is null or status = 'waiting'),
  check (succeeded + failed <= total),
  check (is_open or succeeded + failed = total),
  check ((error_code is null) = (error_detail is null))
) with (fillfactor = 70);
comment on table jobs is 'Work that goes on after its request was answered, as callers see it. The queue only wakes somebody up to look at a row of these.';
comment on column jobs.attempts is 'How often somebody took it up. Whoever took it up writes only while this is still theirs: a worker that was away too long finds that it is not.';
comment on column jobs.waits is 'How often it was left waiting, which says how long it waits next. Turns that a death cut short do not count.';
comment on column jobs.next_check_at is 'From then on anybody may take it up: it is due, or whoever had it has not been heard of.';
comment on column jobs.queued_at is 'When somebody was last woken up for it: once is enough while the queue is slow.';
create index jobs_due on jobs (next_check_at) where is_open;
create index jobs_ended on jobs (finished_at) where not is_open;
create index jobs_by_organisation on jobs (organisation_id, environment, id);

create function refuse_job_move() returns trigger language plpgsql as $$
begin
  raise exception 'A job that is % cannot become %.', old.status, new.status using errcode = 'integrity_constraint_violation';
end
$$;
create trigger jobs_move_forward before update on jobs
  for each row when (old.status in ('succeeded', 'partially_succeeded', 'failed') or (new.status = 'queued' and old.status <> 'queued'))
  execute function refuse_job_move();

alter table jobs enable row level security;
alter table jobs force row level security;

grant select, insert on jobs to dialplane_organisation;
create policy organisation on jobs to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

-- One job by its id, over all organisations of whoever asks.
grant select on jobs to dialplane_caller;
create policy caller on jobs for select to dialplane_caller
  using (exists (select from memberships m where m.organisation_id = jobs.organisation_id)
    or exists (select from api_key_organisations o
      where o.organisation_id = jobs.organisation_id and o.api_key_id = (select current_api_key_id())));

grant select, update (status, reason, succeeded, failed, error_code, error_detail, attempts, waits, next_check_at, queued_at, started_at, finished_at), delete on jobs to dialplane_system;
create policy system on jobs to dialplane_system using ((select current_task()) is not null);

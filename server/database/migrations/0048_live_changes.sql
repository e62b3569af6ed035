-- Streams of live numbers read what changed since the last look, not every watched number.
create table live_changes (
  switch_id   uuid not null references switches,
  sequence    bigint not null,
  holding_id  uuid not null,
  primary key (switch_id, sequence, holding_id)
);
comment on table live_changes is 'Numbers that the latest live reports of a switch changed in live_calls. Older reports are removed: a reader that has missed some reads everything again.';
comment on column live_changes.sequence is 'Number of the report within its session, as in live_reports.';
alter table live_changes enable row level security;
alter table live_changes force row level security;
grant select, insert, delete on live_changes to dialplane_switch;
create policy switch on live_changes to dialplane_switch using (switch_id = (select current_switch_id()));
grant select on live_changes to dialplane_system;
create policy system on live_changes to dialplane_system using ((select current_task()) is not null);

-- What agents held before they obeyed a new epoch: evidence of what a rollback lost. An agent announces its saved states,
-- an operator asks for one, and the agent uploads it.
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
comment on column saved_states.requested_at is 'When an operator first asked for the upload; null while the state is only on the switch.';

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

alter table saved_states enable row level security;
alter table saved_states force row level security;
alter table saved_state_items enable row level security;
alter table saved_state_items force row level security;
grant select, insert, update (saved_at, items, uploaded_at), delete on saved_states to dialplane_switch;
grant select, insert, delete on saved_state_items to dialplane_switch;
grant select, update (requested_at) on saved_states to dialplane_system;
grant select on saved_state_items to dialplane_system;
create policy switch on saved_states to dialplane_switch using (switch_id = (select current_switch_id()));
create policy switch on saved_state_items to dialplane_switch
  using (exists (select from saved_states s where s.id = state_id));
create policy system on saved_states to dialplane_system using ((select current_task()) is not null);
create policy system on saved_state_items to dialplane_system using ((select current_task()) is not null);

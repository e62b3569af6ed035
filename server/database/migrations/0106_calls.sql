-- Lists calls over all numbers, by any of their filters.

-- Changing a table takes membership in the role that owns it.
grant dialplane_calls to current_user;

alter table call_records add column connection_id uuid;
comment on column call_records.connection_id is
  'Connection of the generation, if the switch used it. Null in records from before this column.';

-- On the parents only: partitions that are created later get these indexes with their creation. The runner builds those
-- of existing partitions concurrently, see partition-indexes.ts.

-- squawk-ignore require-concurrent-index-creation
create index call_records_by_time on only call_records (organisation_id, environment, started_at);
-- squawk-ignore require-concurrent-index-creation
create index call_records_by_result on only call_records (organisation_id, environment, result, started_at);
-- squawk-ignore require-concurrent-index-creation
create index call_records_by_code on only call_records (organisation_id, environment, code, started_at);
-- squawk-ignore require-concurrent-index-creation
create index call_records_by_switch on only call_records (organisation_id, environment, switch_id, started_at);
-- squawk-ignore require-concurrent-index-creation
create index call_records_by_connection on only call_records (organisation_id, environment, connection_id, started_at)
  where connection_id is not null;
-- By an expression that no query of an organisation uses: it would read the calls of all others.
-- squawk-ignore require-concurrent-index-creation
create index call_records_of_all on only call_records ((started_at at time zone 'UTC'));

-- squawk-ignore require-concurrent-index-creation
create index call_parties_by_caller on only call_parties (organisation_id, environment, caller collate "C", started_at);
-- squawk-ignore require-concurrent-index-creation
create index call_parties_by_called on only call_parties (organisation_id, environment, called collate "C", started_at);
-- squawk-ignore require-concurrent-index-creation
create index call_parties_by_sip_call_id on only call_parties (sip_call_id);
-- In the default collation, which no query of an organisation uses either.
-- squawk-ignore require-concurrent-index-creation
create index call_parties_of_all_by_caller on only call_parties (caller, started_at);

revoke dialplane_calls from current_user;

-- A record names the generation of its route. The connection of that generation is stored with the call.
create policy calls on routing_revisions for select to dialplane_calls
  using (exists (select from routings r
    where r.holding_id = routing_revisions.holding_id and r.group_id = (select current_switch_group_id())));

grant select (holding_id, generation, desired) on routing_revisions to dialplane_calls;

-- How a call went: who ended it, how long it rang, and every target that was tried. Records of agents that are not yet upgraded
-- have none of it.
alter table call_records
  add column ended_by  text check (ended_by in ('caller', 'callee', 'switch')),
  add column setup_ms  integer check (setup_ms >= 0),
  add column ring_ms   integer check (ring_ms >= 0),
  add column q850      smallint check (q850 between 0 and 127),
  add column gateway   text check (length(gateway) <= 100);
comment on column call_records.ended_by is 'Null: unknown.';
comment on column call_records.setup_ms is 'From the INVITE to the first ringing, or to the answer of a call that never rang.';
comment on column call_records.ring_ms is 'From the first ringing to the answer or the end.';
comment on column call_records.q850 is 'Cause by ITU-T Q.850, where the other side gave one.';
comment on column call_records.gateway is 'The trunk that took a forwarded call.';

alter table call_parties
  add column caller_raw       text check (length(caller_raw) <= 255),
  add column asserted_caller  text check (length(asserted_caller) <= 255),
  add column attempts         jsonb check (jsonb_typeof(attempts) = 'array');
comment on column call_parties.caller is 'In E.164 by the number format of the trunk; as it was sent in records of agents that are not yet upgraded.';
comment on column call_parties.caller_raw is 'As the trunk sent it.';
comment on column call_parties.asserted_caller is 'From P-Asserted-Identity of a trusted trunk, also where the caller withholds the number: for operators alone.';
comment on column call_parties.attempts is 'Every target that the switch tried, in order.';

-- Not the asserted caller.
revoke select on call_parties from dialplane_organisation;
grant select (id, switch_id, started_at, organisation_id, environment, holding_id, caller, caller_raw, called, target, sip_call_id, attempts)
  on call_parties to dialplane_organisation;

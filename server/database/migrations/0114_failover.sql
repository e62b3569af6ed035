-- Failover: up to three destinations per number. Routes without failover keep their columns, and `steps` is null.

alter table switches add column features text[] not null default '{}';
comment on column switches.features is 'Optional abilities of the switch, as its agent reports them.';
grant select (features) on switches to dialplane_organisation, dialplane_switch;
grant update (features) on switches to dialplane_switch;

alter table routings add column steps jsonb, add column last_connection_id uuid;
comment on column routings.steps is
  'The whole routing, if the other columns cannot express it: several destinations, or a time to ring.';
comment on column routings.last_connection_id is 'Connection of the third destination.';

alter table routings add constraint routings_last_connection_fkey
  foreign key (organisation_id, environment, last_connection_id) references connections (organisation_id,
      environment, id) not valid;

alter table routings drop constraint routings_fallback_mode_check;
alter table routings drop constraint routings_check4;
alter table routings add constraint routings_fallback_mode_check check (
  fallback_mode in ('sip_uri', 'connection', 'unrouted', 'forward', 'webhook')
  and (steps is not null or fallback_mode in ('sip_uri', 'connection', 'unrouted'))) not valid;
alter table routings add constraint routings_fallback_check check (case
  when mode = 'webhook' then fallback_mode is not null
  when mode = 'unrouted' then fallback_mode is null
  else fallback_mode is null or steps is not null end) not valid;
alter table routings add constraint routings_steps_check check (case when steps is null then last_connection_id is null
  else steps ->> 'mode' = mode
    and steps ->> 'sip_uri' is not distinct from sip_uri
    and steps ->> 'connection_id' is not distinct from connection_id::text
    and steps ->> 'forward_to' is not distinct from forward_to
    and steps ->> 'webhook_url' is not distinct from webhook_url
    and steps #>> '{fallback,mode}' is not distinct from fallback_mode
    and steps #>> '{fallback,sip_uri}' is not distinct from fallback_sip_uri
    and steps #>> '{fallback,connection_id}' is not distinct from fallback_connection_id::text
    and steps #>> '{fallback,fallback,connection_id}' is not distinct from last_connection_id::text
    and steps #> '{fallback,fallback,fallback}' is null end) not valid;

-- squawk-ignore require-concurrent-index-creation
create index routings_by_last_connection on routings (organisation_id, environment, last_connection_id,
    holding_id) where last_connection_id is not null;
-- squawk-ignore require-concurrent-index-creation
create index routings_by_last_connection_e164 on routings (organisation_id, environment, last_connection_id, e164,
    holding_id) where last_connection_id is not null;

grant update (steps, last_connection_id) on routings to dialplane_organisation, dialplane_system;

grant dialplane_calls to current_user;
alter table call_records add column step smallint;
comment on column call_records.step is 'Position in the routing of the last destination that the call tried.';
revoke dialplane_calls from current_user;

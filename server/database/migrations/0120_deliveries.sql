-- Delivery: the trunk at the carrier that receives the calls of a number.

alter table carriers add column repairs_delivery boolean not null default false;
comment on column carriers.repairs_delivery is
  'Whether reconciliation repairs numbers that the carrier delivers elsewhere.';

grant update (repairs_delivery) on carriers to dialplane_system;

create table carrier_trunks (
  carrier_id  uuid not null references carriers,
  group_id    uuid not null references switch_groups,
  trunk       text not null check (length(trunk) between 1 and 100),
  primary key (carrier_id, group_id)
);
comment on table carrier_trunks is 'Trunks at a carrier that lead to a switch group.';
comment on column carrier_trunks.trunk is 'ID of the trunk at the carrier.';

alter table carrier_trunks enable row level security;
alter table carrier_trunks force row level security;

create policy system on carrier_trunks to dialplane_system using ((select current_task()) is not null);

grant select, insert, delete on carrier_trunks to dialplane_system;

create table deliveries (
  holding_id       uuid primary key,
  organisation_id  uuid not null,
  environment      text not null check (environment in ('live', 'test')),
  desired          text check (length(desired) between 1 and 100),
  applied          text check (length(applied) between 1 and 100),
  status           text not null
    check (status in ('pending', 'in_sync', 'drifting', 'failed', 'unsupported', 'unknown')),
  reason           text check (reason in ('no_delivery', 'no_trunk')),
  error            text check (length(error) between 1 and 500),
  observed_at      timestamptz,
  updated_at       timestamptz not null,
  foreign key (organisation_id, environment, holding_id) references holdings (organisation_id, environment, id),
  constraint deliveries_unsupported check ((status = 'unsupported') = (desired is null)),
  constraint deliveries_reason check ((status = 'unsupported') = (reason is not null)),
  constraint deliveries_failed check ((status = 'failed') = (error is not null)),
  constraint deliveries_observed
    check (observed_at is not null or (applied is null and status not in ('in_sync', 'drifting'))),
  constraint deliveries_in_sync check (status <> 'in_sync' or applied = desired and applied is not null),
  constraint deliveries_drifting check (status <> 'drifting' or applied is distinct from desired)
);
comment on table deliveries is
  'Trunk that receives the calls of a number, as desired and as the carrier reported it. Numbers of carriers that '
  'cannot deliver have no row.';
comment on column deliveries.desired is 'Trunk of the switch group. Null if none is configured.';
comment on column deliveries.applied is 'Trunk that the carrier reported. Null if it delivers to none.';
comment on column deliveries.observed_at is 'Time at which the carrier was queried. Null until then.';

alter table deliveries enable row level security;
alter table deliveries force row level security;

create policy organisation on deliveries for select to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

create policy system on deliveries to dialplane_system using ((select current_task()) is not null);

grant select on deliveries to dialplane_organisation;

grant
  select,
  insert,
  update (desired, applied, status, reason, error, observed_at, updated_at)
  on deliveries to dialplane_system;

alter table order_items add column is_delivered boolean not null default true;
comment on column order_items.is_delivered is
  'False for an active item whose delivery the carrier has not confirmed yet: the item is not complete.';

grant update (is_delivered) on order_items to dialplane_system;

alter table reconciliation_findings
  add column found_trunk text,
  add column expected_trunk text,
  drop constraint reconciliation_findings_kind_check,
  drop constraint reconciliation_findings_check1;

alter table reconciliation_findings add constraint reconciliation_findings_kind
  check (kind in ('not_at_carrier', 'not_here', 'delivered_elsewhere')) not valid;

alter table reconciliation_findings add constraint reconciliation_findings_holding
  check ((kind = 'not_here') = (holding_id is null)) not valid;

alter table reconciliation_findings add constraint reconciliation_findings_trunk
  check (case kind when 'delivered_elsewhere' then expected_trunk is not null
      and found_trunk is distinct from expected_trunk
    else expected_trunk is null and found_trunk is null end
  and length(expected_trunk) <= 100 and length(found_trunk) <= 100) not valid;

comment on column reconciliation_findings.found_trunk is
  'Trunk that the carrier reported for a number delivered elsewhere. Null if it delivers to none.';

create table reconciliations (
  id           uuid primary key,
  carrier      text not null check (length(carrier) between 1 and 40),
  status       text not null default 'running' check (status in ('running', 'finished', 'failed')),
  held         integer,
  owned        integer,
  error        text check (length(error) <= 500),
  started_at   timestamptz not null,
  finished_at  timestamptz,
  check ((status = 'running') = (finished_at is null)),
  check ((status = 'finished') = (held is not null and owned is not null)),
  check ((status = 'failed') = (error is not null))
);
comment on table reconciliations is 'What we hold from a carrier beside what it says we have.';
create index reconciliations_by_carrier on reconciliations (carrier, id);

create table reconciliation_findings (
  id                 uuid primary key,
  reconciliation_id  uuid not null references reconciliations,
  kind               text not null check (kind in ('not_at_carrier', 'not_here')),
  e164               text not null,
  holding_id         uuid references holdings,
  bought_for         uuid,
  is_untold          boolean not null default false,
  told_at            timestamptz,
  claimed_until      timestamptz,
  repaired_at        timestamptz,
  check (not is_untold or (holding_id is not null and told_at is null)),
  check ((kind = 'not_at_carrier') = (holding_id is not null))
);
comment on column reconciliation_findings.kind is 'not_at_carrier: we hold it and the carrier does not know it, as after porting out. not_here: it is paid for and nobody holds it.';
comment on column reconciliation_findings.is_untold is 'Its holder is still to be told.';
comment on column reconciliation_findings.claimed_until is 'Until then nobody else gives the number back: what one has given back another may have sold anew.';
create index reconciliation_findings_by_reconciliation on reconciliation_findings (reconciliation_id, id);
create index reconciliation_findings_by_holding on reconciliation_findings (holding_id) where holding_id is not null;
create index reconciliation_findings_untold on reconciliation_findings (id) where is_untold;
create index reconciliation_findings_claimed on reconciliation_findings (e164) where claimed_until is not null;

-- Live numbers that are, or are becoming or ceasing to be, ours from a carrier.
create function numbers_from(of_carrier text) returns table (e164 text, holding_id uuid, is_in_flux boolean) language sql stable
  begin atomic
    select h.e164, h.id, h.status = 'releasing' from holdings h
      where h.environment = 'live' and h.carrier = of_carrier and h.is_held
    union all
    select i.e164, null::uuid, true from order_items i
      join orders o on o.organisation_id = i.organisation_id and o.environment = i.environment and o.id = i.order_id
      where i.environment = 'live' and o.carrier = of_carrier and i.step in ('submitted', 'unknown', 'bought', 'returning')
    union all
    select r.e164, null::uuid, true from releases r
      where r.environment = 'live' and r.carrier = of_carrier and r.step in ('telling', 'restoring');
  end;
-- The column came with this release, so nothing is in it yet.
-- squawk-ignore require-concurrent-index-creation
create index holdings_by_carrier on holdings (carrier) where environment = 'live' and carrier is not null and is_held;

alter table reconciliations enable row level security;
alter table reconciliations force row level security;
alter table reconciliation_findings enable row level security;
alter table reconciliation_findings force row level security;

grant select, insert, update (status, held, owned, error, finished_at) on reconciliations to dialplane_system;
grant select, insert, update (is_untold, told_at, claimed_until, repaired_at) on reconciliation_findings to dialplane_system;
create policy system on reconciliations to dialplane_system using ((select current_task()) is not null);
create policy system on reconciliation_findings to dialplane_system using ((select current_task()) is not null);

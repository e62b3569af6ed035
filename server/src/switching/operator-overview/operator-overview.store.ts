import type { Tx } from "../../platform/db/database.ts";
import type { OperatorProblemKind } from "./operator-overview.schema.ts";

export interface SwitchFactsRow {
  total: number;
  reporting: number;
  lag: string;
  exceptions: string;
  active_calls: string | null;
}

export interface OperatorProblemRow {
  kind: OperatorProblemKind;
  since: Date | null;
  type: "epoch" | "switch" | "reconciliation" | "organisation";
  id: string;
  label: string | null;
  count: string;
  error: string | null;
  total: string;
}

const IS_SILENT =
  "coalesce(w.last_seen_at, w.created_at) < now() - make_interval(secs => w.unreachable_after_seconds)";

/** The few rows per switch that its problems and sums need. Exceptions of a switch are rows, so each is read once. */
const SWITCHES = `
  switches_now as materialized (
    select w.id, w.name, coalesce(w.last_seen_at, w.created_at) as seen_at, ${IS_SILENT} as is_silent,
      abs(c.clock_offset_ms) > 1000 as is_clock_wrong, coalesce(c.is_disk_full, false) as is_disk_full,
      (select coalesce(sum(greatest(s.head - coalesce(m.version, 0), 0)), 0) from feed_shards s
        left join applied_watermarks m on m.switch_id = w.id and m.shard = s.id
          and m.epoch = (select epoch from feed_epoch)
        where s.group_id = w.group_id) as lag,
      x.count as exceptions, x.since as excepted_since
    from switches w left join call_standings c on c.switch_id = w.id
    cross join lateral (
      select count(*) as count, min(e.since) as since from applied_exceptions e where e.switch_id = w.id) x
    where w.state <> 'retired')`;

const FACTS = `with ${SWITCHES}
  select count(*)::integer as total, count(*) filter (where not is_silent)::integer as reporting,
    coalesce(sum(lag) filter (where not is_silent), 0) as lag,
    coalesce(sum(exceptions) filter (where not is_silent), 0) as exceptions,
    case when bool_and(is_silent) then null else (
      select coalesce(sum(l.active_calls), 0) from live_calls l
      where l.switch_id in (select id from switches_now where not is_silent)) end as active_calls
  from switches_now`;

const OF_SWITCH = "'switch' as type, id::text, name as label";

/** Switches that report, and have not held the trunks of their group for a minute. A report is stored every 15 seconds. */
const TRUNKS = `
  without_trunks as (
    select w.id, w.name, greatest(r.differing, 1) as differing, r.error,
      case when r.status <> 'applied' then r.since else greatest(l.created_at, s.created_at, r.observed_at) end as since
    from switches_now w join switches s on s.id = w.id
    cross join lateral (
      select t.created_at from trunk_revisions t where t.switch_group_id = s.group_id order by t.revision desc limit 1) l
    left join switch_trunk_reports r on r.switch_id = w.id
    where not w.is_silent and (r.status in ('failed', 'drifted')
      or r.status = 'pending' and r.since < now() - interval '1 minute'
      or greatest(l.created_at, s.created_at, r.observed_at) < now() - interval '75 seconds'))`;

const PROBLEMS = `with recursive ${SWITCHES}, ${TRUNKS}, compared as (
    (select carrier from reconciliations order by carrier limit 1)
    union all
    select (select r.carrier from reconciliations r where r.carrier > k.carrier order by r.carrier limit 1)
    from compared k where k.carrier is not null
  ), latest as (
    select r.*, (select count(*) from reconciliation_findings f
        where f.reconciliation_id = r.id and f.repaired_at is null) as open_findings
    from compared k cross join lateral (
      select * from reconciliations r where r.carrier = k.carrier and r.status <> 'running' order by r.id desc limit 1) r
  ), problems as (
    select 1 as rank, case when s.id is not null then 'restore_open' when e.is_held then 'rollback_held'
        else 'rollback' end as kind, e.began_at as since,
      'epoch' as type, e.epoch as id, null as label, 1::bigint as count, null as error
    from feed_epochs e left join restores s on s.epoch = e.epoch and s.ended_at is null
    where e.resolved_at is null and (e.cause = 'rollback' or s.id is not null)
    union all
    select 2, 'switch_silent', seen_at, ${OF_SWITCH}, lag::bigint, null from switches_now where is_silent
    union all
    select 3, 'switch_clock_wrong', null, ${OF_SWITCH}, 1, null from switches_now where is_clock_wrong
    union all
    select 4, 'switch_disk_full', null, ${OF_SWITCH}, 1, null from switches_now where is_disk_full
    union all
    select 5, 'switch_exceptions', excepted_since, ${OF_SWITCH}, exceptions, null from switches_now
    where exceptions > 0 and not is_silent
    union all
    select 6, 'switch_trunks', since, ${OF_SWITCH}, differing, error from without_trunks
    union all
    select 7, 'reconciliation_failed', finished_at, 'reconciliation', id::text, carrier, 1, error from latest
    where status = 'failed'
    union all
    select 8, 'carrier_mismatch', finished_at, 'reconciliation', id::text, carrier, open_findings, null from latest
    where open_findings > 0 and status <> 'failed'
    union all
    select 9, 'organisation_pending', suspended_at, 'organisation', id::text, name, 1, null from organisations
    where numbers_due)
  select kind, since, type, id, label, count, error, count(*) over () as total
  from problems order by rank, since nulls last, id limit $1`;

export async function findSwitchFacts(tx: Tx): Promise<SwitchFactsRow> {
  const [row] = await tx.query<SwitchFactsRow>(FACTS, []);
  return row!;
}

export async function listOperatorProblems(tx: Tx, limit: number): Promise<OperatorProblemRow[]> {
  return tx.query(PROBLEMS, [limit]);
}

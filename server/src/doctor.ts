import type { Config } from "./config.ts";
import { MOST_TRANSACTIONS, SNAPSHOTS } from "./platform/snapshot-check.ts";
import { listOverdueTables } from "./retention.lag.ts";
import { connect, type Database, DOORS, roleOf } from "./platform/db/database.ts";

/** One invariant of the design as a query for rows that break it. */
interface Check {
  invariant: string;
  says: string;
  sql: string;
}

const ROLES = DOORS.map((door) => `'${roleOf(door)}'`).join(", ");

export const CHECKS: readonly Check[] = [
  {
    invariant: "I5",
    says: "every table of an organisation's rows has forced row-level security",
    sql: `select c.relname as row from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id' and not a.attisdropped
          where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not (c.relrowsecurity and c.relforcerowsecurity)`,
  },
  {
    invariant: "I5",
    says: "the database roles of the service own nothing and cannot bypass row-level security",
    sql: `select rolname as row from pg_roles r where rolname in (${ROLES})
          and (rolsuper or rolbypassrls or rolcreaterole or exists (select from pg_class c where c.relowner = r.oid))`,
  },
  {
    invariant: "I5",
    says: "views run with the rights of the querying role",
    sql: `select relname as row from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
          and not coalesce('security_invoker=true' = any(reloptions), false)`,
  },
  {
    invariant: "I6",
    says: "every stored response belongs to an idempotency key used for one request",
    sql: `select organisation_id || ' ' || key as row from idempotency_keys group by organisation_id, environment, key having count(*) > 1`,
  },
  {
    invariant: "I3",
    says: "no restore of the database is open (see: dialplane-server restore status)",
    sql: "select id || ' since ' || began_at as row from restores where ended_at is null",
  },
  {
    invariant: "I8",
    says: "an organisation's events are numbered from 1, without gaps except at restores",
    sql: `select h.organisation_id::text as row from event_heads h left join events e using (organisation_id)
          left join log_floors f on f.organisation_id = h.organisation_id and f.log = 'events'
          group by h.organisation_id, h.head, h.skipped, f.position, f.deleted
          having count(e.id) + coalesce(f.deleted, 0) <> h.head - h.skipped or min(e.sequence) <= f.position
            or coalesce(max(e.sequence), f.position, 0) not in (h.head, h.head - 1000000)`,
  },
  {
    invariant: "I8",
    says: "every organisation counts its events",
    sql: `select o.id::text as row from organisations o where not exists (select from event_heads h where h.organisation_id = o.id)`,
  },
  {
    invariant: "I12",
    says: "every event has its audit entry",
    sql: `select e.id::text as row from events e where e.type not like '%.flapping' and e.type not like '%.drift\\_ended' and not exists (
            select from audit_entries a where a.organisation_id = e.organisation_id and a.action = e.type
              and a.subject is not distinct from e.subject and a.at = e.created_at)`,
  },
  {
    invariant: "I9",
    says: "no secret is stored in the clear",
    sql: `select 'mails' as row from mails where recipient ~ 'svc_(live|test|cli)_' union all
          select 'events' from events where data::text ~ 'svc_(live|test|cli|switch)_[0-9A-Za-z_-]{16}' union all
          select 'audit_entries' from audit_entries where detail::text ~ 'svc_(live|test|cli|switch)_[0-9A-Za-z_-]{16}'`,
  },
  {
    invariant: "I3",
    says: "the feed has the effective route of every number",
    sql: `select r.holding_id::text as row from routings r join holdings h on h.id = r.holding_id
          left join feed_items i on i.shard = r.shard and i.version = r.version and i.item_id = r.holding_id
          where h.status <> 'released' and (i.version is null or i.value is distinct from effective_route(r, h.status))`,
  },
  {
    invariant: "I3",
    says: "no shard has a version above its head",
    sql: `select i.shard || '/' || i.version as row from feed_items i join feed_shards s on s.id = i.shard where i.version > s.head union all
          select s.id || ' floor' from feed_shards s where s.floor > s.head union all
          select w.shard || ' at ' || w.switch_id from applied_watermarks w join feed_shards s on s.id = w.shard where w.version > s.head`,
  },
  {
    invariant: "I3",
    says: "every confirmed version was read back by all counted switches",
    sql: `select c.shard::text as row from feed_confirmations c join feed_shards s on s.id = c.shard cross join feed_epoch e
          join switches w on w.group_id = s.group_id and w.state <> 'retired' and w.synced_epoch = e.epoch
          left join applied_watermarks m on m.switch_id = w.id and m.shard = c.shard and m.epoch = e.epoch
          where c.version > coalesce(m.version, 0)`,
  },
  {
    invariant: "I3",
    says: "every shard has the token of its head",
    sql: `select s.id::text as row from feed_shards s join feed_items i on i.shard = s.id and i.version = s.head where i.token <> s.token union all
          select s.id || ' floor' from feed_shards s join feed_items i on i.shard = s.id and i.version = s.floor where i.token <> s.floor_token`,
  },
  {
    invariant: "I3",
    says: "no rollback of the database is unresolved (see: dialplane-server epochs)",
    sql: `select epoch || ' since ' || began_at as row from feed_epochs where cause = 'rollback' and resolved_at is null`,
  },
  {
    invariant: "I3",
    says: "a retired switch has no confirmed versions",
    sql: `select w.id::text as row from switches w where w.state = 'retired' and (
            exists (select from applied_exceptions x where x.switch_id = w.id)
            or exists (select from applied_watermarks m where m.switch_id = w.id))`,
  },
  {
    invariant: "I2",
    says: "numbers bought by an order are held by its organisation, and ordered numbers have an order",
    sql: `select i.order_id || '/' || i.position as row from order_items i join holdings h on h.id = i.number_id
          where h.order_id is distinct from i.order_id or h.e164 <> i.e164 union all
          select h.id::text from holdings h where h.source = 'order' and not exists (
            select from order_items i where i.organisation_id = h.organisation_id and i.environment = h.environment and i.number_id = h.id)`,
  },
  {
    invariant: "I4",
    says: "every call of the last two days is counted once, in its hour",
    sql: `with since as (select date_trunc('hour', now(), 'UTC') - interval '2 days' as at),
          raw as (select c.holding_id, date_trunc('hour', c.started_at, 'UTC') as hour, count(*) as calls, sum(talk_seconds(c.answered_at, c.ended_at)) as talk
            from call_records c where c.started_at >= (select at from since) and c.holding_id is not null and c.result <> 'not_served' group by 1, 2),
          counted as (select u.holding_id, u.hour, u.calls, u.talk_seconds from usage_hours u where u.hour >= (select at from since))
          select holding_id || ' ' || hour as row from raw full join counted using (holding_id, hour)
          where (raw.calls, raw.talk) is distinct from (counted.calls, counted.talk_seconds)`,
  },
  {
    invariant: "I4",
    says: "hours add up to days, and numbers to organisations, over the last five weeks",
    sql: `with since as (select date_trunc('day', now(), 'UTC') - interval '35 days' as at),
          hours as (select organisation_id, environment, holding_id, hour, calls, talk_seconds from usage_hours where hour >= (select at from since)),
          by_day as (select holding_id, (hour at time zone 'UTC')::date as day, sum(calls) as calls, sum(talk_seconds) as talk from hours group by 1, 2),
          by_organisation as (select organisation_id, environment, hour, sum(calls) as calls, sum(talk_seconds) as talk from hours group by 1, 2, 3),
          organisations as (select organisation_id, environment, hour, sum(calls) as calls, sum(talk_seconds) as talk
            from organisation_usage_hours where hour >= (select at from since) group by 1, 2, 3)
          select holding_id || ' ' || day as row from by_day
            full join (select holding_id, day, calls as all_calls, talk_seconds from usage_days where day >= (select (at at time zone 'UTC')::date from since)) d using (holding_id, day)
          where (calls, talk) is distinct from (all_calls::bigint, talk_seconds::numeric) union all
          select organisation_id || ' ' || hour from by_organisation b full join organisations o using (organisation_id, environment, hour)
          where (b.calls, b.talk) is distinct from (o.calls, o.talk) union all
          select organisation_id || ' ' || hour from (select organisation_id, environment, date_trunc('hour', quarter, 'UTC') as hour, sum(calls) as calls, sum(talk_seconds) as talk
            from organisation_usage_quarters where quarter >= (select greatest(s.at, q.since) from since s, usage_quarters_start q) group by 1, 2, 3) q
          full join (select o.* from organisations o where o.hour >= (select q.since from usage_quarters_start q)) o using (organisation_id, environment, hour)
          where (q.calls, q.talk) is distinct from (o.calls, o.talk)`,
  },
  {
    invariant: "I4",
    says: "the count of calls equals the stored call records in every month",
    sql: `with raw as (select date_trunc('month', started_at, 'UTC') as month, count(*) as calls, sum(talk_seconds(answered_at, ended_at)) as talk
            from call_records where holding_id is not null and result <> 'not_served' group by 1),
          counted as (select date_trunc('month', day::timestamp at time zone 'UTC', 'UTC') as month, sum(calls) as calls, sum(talk_seconds) as talk
            from usage_days group by 1)
          select raw.month::date::text as row from raw left join counted using (month)
          where (raw.calls::numeric, raw.talk::numeric) is distinct from (counted.calls::numeric, counted.talk)`,
  },
  {
    invariant: "I7",
    says: "an order ends together with its job",
    sql: `select o.id::text as row from orders o left join jobs j on j.id = o.job_id
          where case when o.finished_at is null then j.is_open is not true else j.is_open end`,
  },
  {
    invariant: "counts",
    says: "held numbers are counted once, under their switch group and route",
    sql: `with held as (select r.organisation_id, r.environment, r.group_id, number_use(r.mode, r.fallback_mode, c.ids) as use,
            c.ids as connection_ids, count(*) as numbers
            from routings r join holdings h on h.id = r.holding_id
            cross join lateral (select number_connections(r.connection_id, r.fallback_connection_id, r.last_connection_id) as ids) c where h.is_held group by 1, 2, 3, 4, 5),
          counted as (select organisation_id, environment, group_id, use, connection_ids, sum(numbers) as numbers
            from number_counts group by 1, 2, 3, 4, 5 having sum(numbers) <> 0)
          select k.organisation_id || ' ' || k.environment || ' ' || k.use as row from (
            (select * from held except select * from counted) union all (select * from counted except select * from held)) k`,
  },
  {
    invariant: "counts",
    says: "addresses and documents are counted once",
    sql: `with stored as (
            select organisation_id, environment, count(*) as addresses, 0 as documents, 0 as bytes from addresses group by 1, 2
            union all select organisation_id, environment, 0, count(*), sum(size) from documents group by 1, 2
            union all select organisation_id, environment, -addresses, -documents, -document_bytes from evidence_totals)
          select organisation_id || ' ' || environment as row from stored group by organisation_id, environment
          having sum(addresses) <> 0 or sum(documents) <> 0 or sum(bytes) <> 0`,
  },
  {
    invariant: "I11",
    says: "released numbers are removed from the switches",
    sql: `select h.id::text as row from holdings h join routings r on r.holding_id = h.id
          join feed_items i on i.shard = r.shard and i.version = r.version and i.item_id = h.id
          where h.status = 'released' and i.value is not null`,
  },
  {
    invariant: "webhooks",
    says: "no webhook delivery is due before its endpoint",
    sql: `select d.id::text as row from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
          where d.status = 'pending' and (e.next_due_at is null or e.next_due_at > d.next_attempt_at)`,
  },
  {
    invariant: "webhooks",
    says: "an organisation with events that its webhook endpoints lack is marked as behind",
    sql: `select e.id::text as row from webhook_endpoints e join event_heads h on h.organisation_id = e.organisation_id
          where e.status = 'active' and e.position < h.head and not h.is_behind`,
  },
  {
    invariant: "operations",
    says: "no transaction is old enough to block the removal of dead rows",
    sql: `select holder || ': ' || transactions || ' transactions old' as row from (${SNAPSHOTS}) s where transactions > ${MOST_TRANSACTIONS}`,
  },
  {
    invariant: "operations",
    says: "no switch has been unreachable for a day (bring it back or retire it)",
    sql: `select name || ' since ' || coalesce(last_seen_at, created_at) as row from switches
          where state <> 'retired' and coalesce(last_seen_at, created_at) < now() - interval '1 day'`,
  },
  {
    invariant: "people",
    says: "every organisation that has members has an owner",
    sql: `select m.organisation_id::text as row from memberships m group by m.organisation_id having not bool_or(m.role = 'owner')`,
  },
  {
    invariant: "keys",
    says: "the count of a key's organisations is right",
    sql: `select k.id::text as row from api_keys k
          where k.organisation_count <> (select count(*) from api_key_organisations o where o.api_key_id = k.id)`,
  },
];

const RETENTION = {
  invariant: "operations",
  says: "old rows are deleted in time (see: retention.md)",
};

export interface Finding {
  invariant: string;
  says: string;
  rows: string[];
}

/** With the settings, also whether rows are deleted in time. */
export async function examine(db: Database, config?: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of CHECKS) {
    const rows = await db.forSystem.read<{ row: string }>(
      "doctor",
      `select row from (${check.sql}) found limit 20`,
    );
    findings.push({ invariant: check.invariant, says: check.says, rows: rows.map(({ row }) => row) });
  }
  if (config) findings.push({ ...RETENTION, rows: await listOverdueTables(db, config, new Date()) });
  return findings;
}

/** With time for queries that read whole tables, which a service's own connections do not have. */
export async function examineWith(config: Config): Promise<Finding[]> {
  const db = connect({
    loginOf: config.database.directLoginOf,
    connections: config.database.connections,
    statementTimeoutMs: 600_000,
    onError: () => {},
  });
  try {
    return await examine(db, config);
  } finally {
    await db.close();
  }
}

/** Exits with 1 when something is broken, naming the rows. */
export async function runDoctor(config: Config): Promise<number> {
  const findings = await examineWith(config);
  for (const { invariant, says, rows } of findings) {
    console.log(
      `${rows.length === 0 ? "ok    " : "BROKEN"} ${invariant.padEnd(6)} ${says}${rows.length === 0 ? "" : `: ${rows.join(", ")}`}`,
    );
  }
  const broken = findings.filter(({ rows }) => rows.length > 0).length;
  console.log(
    broken === 0 ? `All ${findings.length} checks passed.` : `${broken} of ${findings.length} checks failed.`,
  );
  return broken === 0 ? 0 : 1;
}

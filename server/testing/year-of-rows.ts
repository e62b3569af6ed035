import type { Service } from "./service.ts";
import { openSuperuser } from "./superuser.ts";

export interface YearSize {
  events: number;
  auditEntries: number;
  /** Rows of numbers by the hour, over 24 months. */
  usageHours: number;
  /** Calls of one month, 15 months ago. */
  calls: number;
}

const ORGANISATIONS = 20;
const HOURS = 17_520;

/**
 * Rows as a service leaves them behind, without the triggers and references that slow their insertion down: events and
 * audit entries of the last year, usage of the last two years, revisions of the last three. The first organisation has
 * the given numbers.
 */
export async function addYear(
  { database }: Service,
  { organisationId, numberIds }: { organisationId: string; numberIds: readonly string[] },
  size: YearSize,
): Promise<void> {
  await using superuser = await openSuperuser(database.url);
  const run = (sql: string, values: unknown[] = []): Promise<object[]> => superuser.admin(sql, values);
  await run("set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB'");
  await run(
    `create temp table o (i integer, id uuid); create temp table h (i integer, id uuid, organisation_id uuid)`,
  );
  await run(
    `insert into o select 0, $1::uuid union all select i, gen_random_uuid() from generate_series(1, $2 - 1) i`,
    [organisationId, ORGANISATIONS],
  );
  await run(
    `insert into organisations (id, name, created_at) select id, 'Tenant ' || i, now() from o where i > 0;
     insert into event_heads (organisation_id) select id from o where i > 0`,
  );
  await run(
    `insert into h select k, coalesce(($1::uuid[])[k + 1], gen_random_uuid()), (select id from o where i = case when k < cardinality($1::uuid[]) then 0 else k % $3 end)
     from generate_series(0, $2 - 1) k`,
    [numberIds, Math.max(1, Math.round(size.usageHours / HOURS)), ORGANISATIONS],
  );
  await addLogs(run, size, numberIds);
  await addUsage(run);
  await addCalls(run, size.calls);
  await run("analyze");
}

type Run = (sql: string, values?: unknown[]) => Promise<object[]>;

/** IDs contain the time, as those of the service do. */
const ID = `(lpad(to_hex((extract(epoch from t) * 1000)::bigint), 12, '0') || '7000' || lpad(to_hex(32768 + o.i), 4, '0') || lpad(to_hex(n), 12, '0'))::uuid`;

async function addLogs(
  run: Run,
  { events, auditEntries }: YearSize,
  numberIds: readonly string[],
): Promise<void> {
  const subject = `case when o.i = 0 then ($2::uuid[])[n % cardinality($2::uuid[]) + 1]::text else (n % 1000)::text end`;
  const rows = `o cross join generate_series(1, $1::bigint) n cross join lateral (
    select now() - interval '365 days' * (1 - n::double precision / $1::bigint) as t) at`;
  await run("delete from events where organisation_id in (select id from o)");
  await run(
    `insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
     select o.id, n, ${ID}, 'live', case n % 4 when 0 then 'number.changed' else 'routing.changed' end, ${subject},
       '{"mode": "sip_uri", "generation": 4}', t from ${rows}`,
    [Math.ceil(events / ORGANISATIONS), numberIds],
  );
  await run("update event_heads set head = $1 where organisation_id in (select id from o)", [
    Math.ceil(events / ORGANISATIONS),
  ]);
  await run(
    `insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, detail, at, committed_in)
     select ${ID}, o.id, 'live', case n % 4 when 0 then 'number.changed' else 'routing.changed' end, 'done', ${subject}, 'system',
       '{"mode": "sip_uri", "generation": 4}', t, n * 700 / $1::bigint from ${rows}`,
    [Math.ceil(auditEntries / ORGANISATIONS), numberIds],
  );
  await run(
    "update routing_revisions set set_at = now() - interval '37 months' where holding_id = any ($1)",
    [numberIds],
  );
  await run(
    `insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, set_at, set_by_kind)
     select (select id from o where i = 0), 'live', u.id, n + 1, '{"mode": "unrouted"}', now() - interval '36 months' * (1 - n / 300.0), 'system'
     from unnest($1::uuid[]) u (id), generate_series(1, 300) n`,
    [numberIds],
  );
}

/** Three calls in every hour of every number. */
async function addUsage(run: Run): Promise<void> {
  const start = "(date_trunc('month', now(), 'UTC') - interval '24 months')";
  const end = "date_trunc('day', now(), 'UTC')";
  const hours = `generate_series(${start}, ${end} - interval '1 hour', interval '1 hour')`;
  await run(
    `select make_call_partitions(array(select (${start} + m * interval '1 month')::date from generate_series(0, 24) m))`,
  );
  await run(
    `insert into usage_hours select h.organisation_id, 'live', h.id, t, 3, 2, 1, 0, 0, 0, 0, 120, 0 from ${hours} t, h`,
  );
  await run(
    `insert into usage_days select h.organisation_id, 'live', h.id, d, 72, 48, 24, 0, 0, 0, 0, 2880, 0
     from h, generate_series((${start} at time zone 'UTC')::date, (${end} at time zone 'UTC')::date - 1, interval '1 day') d`,
  );
  const ofOrganisation = `from (select organisation_id, count(*) as n from h group by 1) k, ${hours} t`;
  for (const table of ["organisation_usage_hours", "organisation_usage_quarters"])
    await run(
      `insert into ${table} select k.organisation_id, 'live', t, '0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11', 3 * n, 2 * n, n, 0, 0, 0, 0, 120 * n, 0 ${ofOrganisation}`,
    );
}

async function addCalls(run: Run, calls: number): Promise<void> {
  const month = "date_trunc('month', now(), 'UTC') - interval '15 months'";
  await run(
    `insert into call_records (id, switch_id, started_at, answered_at, ended_at, organisation_id, environment, holding_id, ending, result, mode, generation, code, setup_ms, received_at)
     select gen_random_uuid(), '0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11', t, t + interval '2 s', t + n % 600 * interval '1 s', h.organisation_id, 'live', h.id,
       'hung_up', 'answered', 'sip_uri', n % 300 + 1, 200, n % 900, t + interval '10 minutes'
     from generate_series(1, $1::bigint) n cross join lateral (
       select ${month} + interval '27 days 23 hours' * (n::double precision / $1) as t) at
     join h on h.i = n % (select count(*) from h)`,
    [calls],
  );
}

import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { copyDatabase, type TestDatabase } from "../../../../testing/test-database.ts";
import { visitsOf } from "../../../../testing/visits.ts";
import { SCAN_BOUND } from "../../../platform/db/bounded-scan.ts";
import { type OrganisationScope, roleOf } from "../../../platform/db/database.ts";
import { PLANNED } from "../../../platform/db/door-settings.ts";
import { jobsStatement } from "../../../numbers/jobs/jobs.store.ts";
import { ordersStatement } from "../../../numbers/orders/orders.store.ts";
import {
  boundsStatement,
  type EventBounds,
  type EventSearch,
  eventsStatement,
} from "../../events/events.store.ts";
import { idsOf } from "../audit.rules.ts";
import { type AuditSearch, auditStatement, committedStatement } from "../audit.search.store.ts";

const COUNT = 20_000;
const PAGE = 50;
/** Each result is read from an index and its table, and a routing has two revisions. */
const FEW = 4 * (PAGE + 1) + 20;
const SCANNED = 2 * SCAN_BOUND + FEW;

const ACTOR = randomUUID();
const SUBJECT = randomUUID();
const HOUR_AGO = new Date(Date.now() - 3_600_000);
const WINDOW = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() - 80_000_000) };

const AUDIT: Record<string, [search: AuditSearch, most: number]> = {
  "no filter": [{}, FEW],
  "a rare actor": [{ actor_id: ACTOR }, FEW],
  "an unknown actor": [{ actor_id: randomUUID() }, FEW],
  "a rare action": [{ action: "member.removed" }, FEW],
  "a common action": [{ action: "routing.changed" }, FEW],
  "an action that no entry has": [{ action: "member.joined" }, FEW],
  "a subject": [{ subject_id: SUBJECT }, FEW],
  "an outcome": [{ outcome: "refused" }, FEW],
  "a text that no entry has": [{ q: "nowhere" }, SCANNED],
  "several filters": [{ action: "routing.changed", outcome: "refused", q: "nowhere" }, SCANNED],
};

const EVENTS: Record<string, [search: Partial<EventSearch>, most: number]> = {
  "no filter": [{}, FEW],
  "a rare type": [{ types: ["member.removed"] }, FEW],
  "several types": [{ types: ["member.removed", "member.joined", "order.created"] }, FEW],
  "a subject": [{ subject_id: SUBJECT }, FEW],
  "a subject and a type": [{ subject_id: SUBJECT, types: ["member.joined"] }, SCANNED],
};

interface Loaded extends AsyncDisposable {
  client: pg.Client;
  scope: OrganisationScope;
}

/** Every filter, by the rows that its page visits as the runtime role, with the generic plan that the service uses. */
export function describeListPlans(organisations: number): void {
  describe(`${organisations} organisations have 20,000 audit entries and events`, () => {
    let loaded: Loaded;
    beforeAll(async () => {
      loaded = await load(organisations);
    }, 120_000);
    afterAll(() => loaded[Symbol.asyncDispose]());

    testSearches(() => loaded, Math.floor(COUNT / organisations));
    testOtherLists(() => loaded);
  });
}

function testSearches(loaded: () => Loaded, own: number): void {
  test.each(Object.entries(AUDIT))("a page of entries by %s visits few rows", async (_, [search, most]) => {
    const before = `${idsOf({ to: new Date(HOUR_AGO.getTime() - 3_600_000) }).end}`;
    for (const page of [undefined, before])
      expect(
        await visits(loaded(), auditStatement(loaded().scope, search, { before: page, limit: PAGE })),
      ).toBeLessThanOrEqual(most);
  });

  test.each(Object.entries(EVENTS))("a page of events by %s visits few rows", async (_, [search, most]) => {
    for (const [order, after] of [
      ["oldest", "0"],
      ["oldest", String(Math.floor(own / 2))],
      ["newest", String(own + 1)],
    ] as const)
      expect(
        await visits(loaded(), eventsStatement(loaded().scope, { ...search, order, after, limit: PAGE })),
      ).toBeLessThanOrEqual(most);
  });

  test("a page of a window in the past visits few rows besides its hour of slack", async () => {
    const search = { ...WINDOW, ...idsOf(WINDOW) };
    // Entries of three hours: the slack of IDs, and the window itself.
    const slack = 2 * Math.ceil(own / 48) + FEW;
    expect(
      await visits(loaded(), auditStatement(loaded().scope, search, { before: undefined, limit: PAGE })),
    ).toBeLessThanOrEqual(slack);
    const events = { ...WINDOW, order: "oldest", after: "0", limit: PAGE } as const;
    const look = boundsStatement(loaded().scope, events);
    expect(await visits(loaded(), look)).toBeLessThanOrEqual(FEW);
    const { rows } = await loaded().client.query<EventBounds>(look.text, look.values);
    expect(await visits(loaded(), eventsStatement(loaded().scope, events, rows[0]))).toBeLessThanOrEqual(
      slack,
    );
  });
}

function testOtherLists(loaded: () => Loaded): void {
  test("a page in commit order visits few rows", async () => {
    const middle = { committed_in: "0", id: `${idsOf({ to: HOUR_AGO }).end}` };
    for (const after of [undefined, middle])
      expect(
        await visits(loaded(), committedStatement(loaded().scope, { after, limit: PAGE })),
      ).toBeLessThanOrEqual(FEW);
  });

  test("a page of orders or jobs by any filter visits few rows", async () => {
    const page = { before: undefined, limit: PAGE };
    for (const filters of [
      {},
      { status: "failed" as const },
      { status: "processing" as const },
      { external_ref: "PO-7" },
      { external_ref: "PO-7", status: "failed" as const },
    ])
      expect(
        await visits(loaded(), ordersStatement(loaded().scope, { ...filters, ...page })),
      ).toBeLessThanOrEqual(FEW);
    for (const status of [undefined, "failed", "waiting"] as const)
      expect(
        await visits(loaded(), jobsStatement(loaded().scope, { ...(status && { status }), ...page })),
      ).toBeLessThanOrEqual(FEW);
    expect(
      await visits(loaded(), jobsStatement(loaded().scope, { type: "number_restore", ...page })),
    ).toBeLessThanOrEqual(SCANNED);
  });
}

async function load(organisations: number): Promise<Loaded> {
  const database = await copyDatabase(inject("clusterUrl"));
  const ids = Array.from({ length: organisations }, () => randomUUID());
  const scope = { organisationId: ids[0]!, environment: "live" } as const;
  await seed(database, ids);
  const client = await signIn(database, scope);
  return {
    client,
    scope,
    async [Symbol.asyncDispose]() {
      await client.end();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function visits(
  { client }: Loaded,
  { text, values }: { text: string; values: unknown[] },
): Promise<number> {
  await client.query("begin");
  const visited = await visitsOf(
    async (sql) => (await client.query<{ counted: string }>(sql)).rows,
    () => client.query(text, values),
  );
  await client.query("commit");
  return visited;
}

/** Two days of entries, events, orders and jobs, numbered from the oldest. One in 1,000 is rare. */
async function seed({ admin }: TestDatabase, organisationIds: readonly string[]): Promise<void> {
  await admin(
    "insert into organisations (id, name, created_at) select unnest($1::uuid[]), 'Example', now()",
    [organisationIds],
  );
  await admin(`begin; set local session_replication_role = replica;
    create temporary table seeded on commit drop as
    select n, o.id as organisation_id, row_number() over (partition by o.id order by n) as sequence,
      now() - (${COUNT} - n) * interval '${172_800 / COUNT} seconds' as at,
      (lpad(to_hex((extract(epoch from now() - (${COUNT} - n) * interval '${172_800 / COUNT} seconds') * 1000)::bigint), 12, '0')
        || '7' || right(md5('id ' || n), 19))::uuid as id,
      case when n % 1000 < ${organisationIds.length} then 'member.removed' else 'routing.changed' end as action,
      case when n % 1000 < ${organisationIds.length} then '${SUBJECT}' else md5('subject ' || n % 500)::uuid::text end as subject,
      case when n % 1000 < ${organisationIds.length} then '${ACTOR}'::uuid end as actor_id
    from generate_series(0, ${COUNT - 1}) n
    join (select id, ordinality - 1 as place from unnest(array[${organisationIds.map((id) => `'${id}'`).join(",")}]::uuid[]) with ordinality as u(id, ordinality)) o
      on o.place = n % ${organisationIds.length};
    insert into audit_entries (id, organisation_id, environment, action, outcome, subject, actor_kind, actor_id, actor_name, detail, at)
    select id, organisation_id, 'live', action, case when n % 1000 < 7 then 'refused' else 'done' end, subject,
      case when actor_id is null then 'system' else 'session' end, actor_id, 'Ada', '{"generation": 2}', at from seeded;
    insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, set_at, set_by_kind)
    select distinct on (subject, generation) organisation_id, 'live', subject::uuid, generation, '{"mode": "unrouted"}', at, 'system'
      from seeded, generate_series(1, 20) generation where action = 'routing.changed';
    insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
    select organisation_id, sequence, id, 'live', action, subject,
        case action when 'member.removed' then '{"role": "member", "keys": []}' else '{"mode": "unrouted", "generation": 2}' end::jsonb, at from seeded;
    insert into orders (id, organisation_id, environment, job_id, status, carrier, idempotency_key, quantity, all_or_nothing, tags,
      external_ref, created_by_kind, created_at, finished_at)
    select id, organisation_id, 'live', id, case when actor_id is null then 'completed' else 'failed' end, 'pool', 'key ' || n, 1, false, '{}',
      'PO-' || n % 1000, 'session', at, at from seeded;
    insert into jobs (id, organisation_id, environment, type, status, total, succeeded, failed, order_id, request_id, queued_at, created_at,
      started_at, finished_at)
    select id, organisation_id, 'live', 'number_order', case when actor_id is null then 'succeeded' else 'failed' end, 1,
      case when actor_id is null then 1 else 0 end, case when actor_id is null then 0 else 1 end, id, 'request', at, at, at, at from seeded;
    commit`);
  await admin("vacuum (analyze) audit_entries, events, orders, jobs, routing_revisions");
}

async function signIn(database: TestDatabase, scope: OrganisationScope): Promise<pg.Client> {
  const url = new URL(database.url);
  url.username = roleOf("organisation");
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(
    "select set_config('app.organisation_id', $1, false), set_config('app.environment', $2, false)",
    [scope.organisationId, scope.environment],
  );
  for (const [name, value] of PLANNED) await client.query(`set ${name} = ${value}`);
  return client;
}

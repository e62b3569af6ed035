import { createHash, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { copyDatabase, type TestDatabase } from "../../../../testing/test-database.ts";
import { visitsOf } from "../../../../testing/visits.ts";
import { roleOf } from "../../../platform/db/database.ts";
import { PLANNED } from "../../../platform/db/door-settings.ts";
import type { CallPosition } from "../calls.json.store.ts";
import { SHOWN_CALL, SHOWN_OPERATOR_CALL } from "../calls.json.store.ts";
import { lookUpStatement } from "../calls.search.lookups.store.ts";
import { ALL, type CallFilters, callPageStatement, type CallScope } from "../calls.search.store.ts";
import { seedManyCalls } from "./many-calls.ts";

/** Each result is read from an index and its table, with its parties, number and switch. */
const PAGE = 50;
const FEW = 8 * PAGE;
const BOUNDS = { rows: 4_000, lookups: 1_000 };

const CASES: Record<string, { filters: CallFilters; most: number }> = {
  "no filter": { filters: {}, most: FEW },
  "a number": { filters: { number_id: uuidOf("number 7") }, most: FEW },
  "an unknown number": { filters: { number_id: randomUUID() }, most: FEW },
  "a connection": { filters: { connection_id: uuidOf("connection") }, most: FEW },
  "a rare code": { filters: { code: 503 }, most: FEW },
  "a code that no call has": { filters: { code: 404 }, most: FEW },
  "a common result": { filters: { result: "answered" }, most: FEW },
  "a rare result": { filters: { result: "failed" }, most: FEW },
  "a result that no call has": { filters: { result: "busy" }, most: FEW },
  "a Call-ID": { filters: { sip_call_id: "4001@sip.example.com" }, most: FEW },
  "a caller": { filters: { caller: "+33100000001" }, most: 4 * BOUNDS.lookups },
  "an unknown caller": { filters: { caller: "+1" }, most: FEW },
  "long calls": { filters: { min_seconds: 3_600 }, most: 3 * BOUNDS.rows },
  "the start of a number": {
    filters: { prefix: { text: "+3310", isRare: true } },
    most: 4 * BOUNDS.lookups,
  },
  "the common start of a number": { filters: { prefix: { text: "+49", isRare: false } }, most: 2 * FEW },
  "a start that no number has": {
    filters: { prefix: { text: "+999", isRare: false } },
    most: 4 * BOUNDS.lookups,
  },
  "misrouted calls": { filters: { misrouted: true }, most: 4 * BOUNDS.lookups },
  "misrouted calls of a number": {
    filters: { number_id: uuidOf("number 7"), misrouted: true },
    most: 2 * FEW,
  },
  "several filters": {
    filters: { code: 200, min_seconds: 3_600, prefix: { text: "+33", isRare: false } },
    most: 3 * BOUNDS.rows,
  },
};

/** Every filter, by the rows that its page visits as the runtime role, with the generic plan that the service uses. */
export function describeCallPlans(
  name: string,
  size: { count: number; organisations: number; days: number },
): void {
  describe(name, () => {
    let loaded: Loaded;
    beforeAll(async () => {
      loaded = await load(size);
    }, 3_600_000);
    afterAll(() => loaded[Symbol.asyncDispose]());

    test.each(Object.entries(CASES))("a page by %s visits few rows", async (_, { filters, most }) => {
      for (const after of [undefined, loaded.middle])
        expect(await visitsOfPage(loaded, filters, after)).toBeLessThanOrEqual(most);
    });

    test("a page by a switch or a window visits few rows", async () => {
      expect(await visitsOfPage(loaded, { switchIds: [loaded.switchId] }, undefined)).toBeLessThanOrEqual(
        FEW,
      );
      const to = new Date(loaded.middle.startedAt);
      const window = { to, from: new Date(to.getTime() - 3_600_000) };
      expect(await visitsOfPage(loaded, window, undefined)).toBeLessThanOrEqual(FEW);
    });
  });
}

/** Searches over all organisations, and of calls that matched no number. */
const OPERATOR_CASES: Record<string, { filters: CallFilters; most: number; organisationId?: null }> = {
  "no filter": { filters: {}, most: 2 * FEW },
  "a rare code": { filters: { code: 503 }, most: 3 * BOUNDS.rows },
  "a caller": { filters: { caller: "+33100000001" }, most: 4 * BOUNDS.lookups },
  "an unknown caller": { filters: { caller: "+1" }, most: FEW },
  "a start that no number has": {
    filters: { prefix: { text: "+999", isRare: false } },
    most: 4 * BOUNDS.lookups,
  },
  "misrouted calls": { filters: { misrouted: true }, most: 5 * BOUNDS.lookups },
  "an unknown called number": { filters: { called: { text: "+1", holdings: [] } }, most: FEW },
  "no number": { filters: {}, most: FEW, organisationId: null },
};

/** The same for the operator, and how many partitions a look-up by Call-ID reads. */
export function describeOperatorCallPlans(name: string, size: Parameters<typeof load>[0]): void {
  describe(name, () => {
    let loaded: Loaded;
    beforeAll(async () => {
      loaded = await load(size);
    }, 3_600_000);
    afterAll(() => loaded[Symbol.asyncDispose]());

    test.each(Object.entries(OPERATOR_CASES))(
      "a page of all organisations by %s visits few rows",
      async (_, { filters, most, organisationId = ALL }) => {
        const scope: CallScope = { environment: "live", organisationId };
        for (const after of [undefined, loaded.middle])
          expect(await visitsOfPage({ ...loaded, scope }, filters, after)).toBeLessThanOrEqual(most);
      },
    );

    test("a page by called number reads the newest calls of its holding", async () => {
      const holding = { id: uuidOf("number 7"), organisation_id: loaded.organisationId };
      const filters = { called: { text: "+493000000007", holdings: [holding] } };
      expect(await visitsOfPage(ofAll(loaded), filters, undefined)).toBeLessThanOrEqual(2 * FEW);
    });

    test("a Call-ID takes one look-up, and one in the partition of its day", async () => {
      // The second scan of call_ids looks for days that are older than the table.
      const scans = await scansOfCallId(loaded, `${Math.floor(size.count / 2)}@sip.example.com`);
      expect(scans).toEqual({ call_ids: 2, parties_by_sip_call_id: 1 });
      expect(await scansOfCallId(loaded, "unknown@sip.example.com")).toEqual({ call_ids: 2 });
    });
  });
}

const ofAll = (loaded: Loaded): Loaded => ({
  ...loaded,
  scope: { environment: "live", organisationId: ALL },
});

/** Index scans that were started in this transaction, by index. */
const SCANS = `select case when t.relname = 'call_ids' then t.relname else 'parties_by_sip_call_id' end as name,
    sum(pg_stat_get_xact_numscans(c.oid))::integer as count
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  where t.relname = 'call_ids' or pg_get_indexdef(c.oid) like '%(sip_call_id)'
  group by 1`;

async function scansOfCallId(loaded: Loaded, sip_call_id: string): Promise<Record<string, number>> {
  const { client } = loaded;
  const scope: CallScope = { environment: "live", organisationId: ALL };
  await client.query("begin");
  const before = await countScans(client);
  const named = lookUpStatement(scope, { filters: {}, after: undefined }, { sip_call_id });
  const { rows } = await client.query<{ days: [string, string] | null }>(named.text, named.values);
  const days = rows[0]!.days;
  if (days) {
    const filters = { sip_call_id, from: new Date(days[0]), to: new Date(Date.parse(days[1]) + 86_400_000) };
    const { text, values } = statementOf({ ...loaded, scope }, filters, undefined);
    const found = await client.query<{ data: string }>(text, values);
    expect(JSON.parse(found.rows[0]!.data)).toMatchObject([{ sip_call_id }]);
  }
  const after = await countScans(client);
  await client.query("commit");
  const added = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(added.filter(([, count]) => count > 0));
}

async function countScans(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; count: number }>(SCANS);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

interface Loaded extends AsyncDisposable {
  client: pg.Client;
  scope: CallScope;
  organisationId: string;
  switchId: string;
  middle: CallPosition;
}

interface Size {
  count: number;
  organisations: number;
  days: number;
  door?: "organisation" | "system";
}

async function load({ count, organisations, days, door = "organisation" }: Size): Promise<Loaded> {
  const database = await copyDatabase(inject("clusterUrl"));
  const organisationIds = Array.from({ length: organisations }, () => randomUUID());
  const organisationId = organisationIds[1 % organisations]!;
  await database.admin(
    "insert into organisations (id, name, created_at) select unnest($1::uuid[]), 'Example', now()",
    [organisationIds],
  );
  const switches = await database.admin<{ id: string }>(
    `insert into switches (id, group_id, name, created_at)
     select gen_random_uuid(), g.id, 'plans ' || n, now() from switch_groups g, generate_series(1, 4) n
     where g.environment = 'live' and g.is_default returning id`,
  );
  const switchIds = switches.map(({ id }) => id);
  await seedManyCalls((sql) => database.admin(sql), { organisationIds, switchIds, count, days });
  await routeAll(database);
  await database.admin("vacuum (analyze)");
  const [middle] = await database.admin<CallPosition>(
    `select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "startedAt", switch_id as "switchId", id
     from call_records where organisation_id = $1 order by started_at offset $2 limit 1`,
    [organisationId, Math.floor(count / organisations / 2)],
  );
  const client = await signIn(database, door, organisationId);
  return {
    client,
    scope: { environment: "live", organisationId },
    organisationId,
    switchId: switchIds[0]!,
    middle: middle!,
    async [Symbol.asyncDispose]() {
      await client.end();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** The routing of all calls names their target: a search of misrouted ones looks at each, and finds none. */
async function routeAll(database: TestDatabase): Promise<void> {
  await database.admin(`begin; set local session_replication_role = replica;
    insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, set_at, set_by_kind)
      select distinct on (holding_id) organisation_id, 'live', holding_id, 1,
        '{"mode": "sip_uri", "sip_uri": "sip:desk@pbx.example.com"}'::jsonb, now(), 'system'
      from call_records;
    commit`);
}

async function signIn(
  database: TestDatabase,
  door: "organisation" | "system",
  organisationId: string,
): Promise<pg.Client> {
  const url = new URL(database.url);
  url.username = roleOf(door);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(
    `select set_config('app.organisation_id', $1, false), set_config('app.environment', 'live', false),
       set_config('app.task', 'operator', false)`,
    [organisationId],
  );
  for (const [name, value] of PLANNED) await client.query(`set ${name} = ${value}`);
  return client;
}

function statementOf({ scope }: Loaded, filters: CallFilters, after: CallPosition | undefined) {
  const isOperator = scope.organisationId === null || scope.organisationId === ALL;
  const view = { json: isOperator ? SHOWN_OPERATOR_CALL : SHOWN_CALL, hasNotServed: isOperator };
  return callPageStatement({ scope, filters, after, limit: PAGE, bounds: BOUNDS, view });
}

async function visitsOfPage(
  loaded: Loaded,
  filters: CallFilters,
  after: CallPosition | undefined,
): Promise<number> {
  const { client } = loaded;
  const { text, values } = statementOf(loaded, filters, after);
  await client.query("begin");
  const visited = await visitsOf(
    async (sql) => (await client.query<{ counted: string }>(sql)).rows,
    () => client.query(text, values),
  );
  await client.query("commit");
  return visited;
}

/** As PostgreSQL casts an MD5 digest. */
function uuidOf(text: string): string {
  return createHash("md5")
    .update(text)
    .digest("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

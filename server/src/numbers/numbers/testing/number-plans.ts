import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import {
  type NumberFilters,
  type NumberPageRow,
  numberPageStatement,
  type NumberQuery,
  type NumberSort,
  type Statement,
} from "../numbers.list.store.ts";
import { roleOf } from "../../../platform/db/database.ts";
import { statementName } from "../../../platform/db/statement-name.ts";
import { seedManyNumbers } from "../../../seed-many-numbers.ts";
import { FOLLOWED, type Scene, SCENES } from "./number-scenes.ts";
import { copyDatabase, type TestDatabase } from "../../../../testing/test-database.ts";
import { isLong } from "../../../../testing/test-size.ts";
import { visitsOf } from "../../../../testing/visits.ts";

const PAGE = 50;
/**
 * In CI one direction of each order, one from the beginning and one from the middle, and pages with routing only, which
 * visit more: all of them are a minute of planning.
 */
const SORTS: readonly NumberSort[] = isLong
  ? ["acquired_at", "-acquired_at", "e164", "-e164"]
  : ["acquired_at", "-e164"];
const WITH_ROUTING = isLong ? [false, true] : [true];
/** The runtime's statements are prepared, so PostgreSQL may take either kind of plan. */
const PLANS = ["force_custom_plan", "force_generic_plan"] as const;

/** Every list, filter, combination and search, by the rows it visits as the runtime role; see number-scenes.ts for the bounds. */
export function describeNumberPlans(name: string, count: number, organisations: number): void {
  describe(name, () => {
    let loaded: LoadedNumbers;
    beforeAll(async () => {
      loaded = await loadNumbers(count, organisations);
    }, 900_000);
    afterAll(() => loaded[Symbol.asyncDispose]());

    describe.each(Object.entries(SCENES))("%s", (_, scene) => {
      beforeAll(() => arrange(loaded, scene), 120_000);

      test.each(Object.entries(scene.cases))(
        "a page by %s visits few rows, in every order and anywhere",
        async (__, { filters, most }) => {
          expect(await mostVisited(loaded, filters)).toBeLessThanOrEqual(most);
        },
      );
    });

    test.each(Object.entries(FOLLOWED))(
      "pages by %s, followed to the end, show each number once",
      async (_, { filters, condition }) => {
        const wanted = await matching(loaded, condition);
        expect(await follow(loaded, filters, "acquired_at")).toEqual(wanted);
        expect((await follow(loaded, filters, "-e164")).toSorted()).toEqual(wanted);
      },
    );
  });
}

interface Position {
  e164: string;
  id: string;
}

interface LoadedNumbers extends AsyncDisposable {
  database: TestDatabase;
  /** The organisation that looks, through its own door. */
  organisationId: string;
  client: pg.Client;
  middle: Position;
}

/** Loads `count` numbers for `organisations` organisations, all in sync. */
async function loadNumbers(count: number, organisations: number): Promise<LoadedNumbers> {
  const database = await copyDatabase(inject("clusterUrl"));
  const organisationIds = Array.from({ length: organisations }, () => randomUUID());
  const organisationId = organisationIds[1 % organisations]!;
  await database.admin(
    "insert into organisations (id, name, created_at) select unnest($1::uuid[]), 'Example', now()",
    [organisationIds],
  );
  await seedManyNumbers((sql) => database.admin(sql), { organisationIds, count });
  await settle(database);
  await database.admin("vacuum (analyze)");
  const client = await signIn(database, organisationId);
  const [middle] = await database.admin<Position>(
    "select id, e164 from holdings where organisation_id = $1 order by id offset $2 limit 1",
    [organisationId, Math.floor(count / organisations / 2)],
  );
  return {
    database,
    organisationId,
    client,
    middle: middle!,
    async [Symbol.asyncDispose]() {
      await client.end();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function arrange({ database, organisationId }: LoadedNumbers, scene: Scene): Promise<void> {
  for (const statement of scene.arrange)
    await database.admin(statement.replaceAll("$organisation", `'${organisationId}'`));
}

/** The most rows any page visits: in every order, from the beginning and the middle, with routing or without, by either kind of plan. */
async function mostVisited(loaded: LoadedNumbers, filters: NumberFilters): Promise<number> {
  let most = 0;
  for (const [at, sort] of SORTS.entries())
    for (const after of isLong ? [undefined, loaded.middle] : [at === 0 ? undefined : loaded.middle])
      for (const showsRouting of WITH_ROUTING)
        for (const plan of PLANS) {
          const statement = pageOf(loaded, { filters, sort, limit: PAGE, after, showsRouting });
          most = Math.max(most, await visitsOfPage(loaded.client, plan, statement));
        }
  return most;
}

/** Every number found by following the pages to their end. */
async function follow(loaded: LoadedNumbers, filters: NumberFilters, sort: NumberSort): Promise<string[]> {
  const found: string[] = [];
  for (let after: Position | undefined; ;) {
    const { text, values } = pageOf(loaded, { filters, sort, limit: 1_000, after, showsRouting: false });
    const { rows } = await loaded.client.query<NumberPageRow>(text, values);
    const { data, last_id, last_e164 } = rows[0]!;
    found.push(...(JSON.parse(data) as Position[]).map(({ id }) => id));
    if (last_id === null) return found;
    after = { id: last_id, e164: last_e164! };
  }
}

/** Those that a plain look at the tables finds. */
async function matching({ database, organisationId }: LoadedNumbers, condition: string): Promise<string[]> {
  const rows = await database.admin<{ id: string }>(
    `select h.id from holdings h join routing_states s on s.holding_id = h.id where h.organisation_id = $1 and ${condition} order by h.id`,
    [organisationId],
  );
  return rows.map(({ id }) => id);
}

function pageOf({ organisationId }: LoadedNumbers, query: NumberQuery): Statement {
  return numberPageStatement({ organisationId, environment: "live" }, query);
}

async function signIn(database: TestDatabase, organisationId: string): Promise<pg.Client> {
  const url = new URL(database.url);
  url.username = roleOf("organisation");
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(
    "select set_config('app.organisation_id', $1, false), set_config('app.environment', 'live', false)",
    [organisationId],
  );
  return client;
}

/** One switch in each group has read back everything. */
async function settle({ admin }: TestDatabase): Promise<void> {
  await admin("delete from switches");
  await admin(
    `insert into switches (id, group_id, name, synced_epoch, proved_in, last_seen_at, created_at)
     select gen_random_uuid(), g.id, 'plans', e.epoch, database_instance(), now() + interval '1 day', now() from switch_groups g, feed_epoch e`,
  );
  await admin("update feed_confirmations c set version = s.head from feed_shards s where s.id = c.shard");
}

async function visitsOfPage(
  client: pg.Client,
  plan: (typeof PLANS)[number],
  { text, values }: Statement,
): Promise<number> {
  await client.query(`begin; set local plan_cache_mode = ${plan}`);
  const visited = await visitsOf(
    async (sql) => (await client.query<{ counted: string }>(sql)).rows,
    () => client.query({ name: statementName(text), text, values }),
  );
  await client.query("commit");
  return visited;
}

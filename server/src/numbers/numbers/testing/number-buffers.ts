import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import {
  connect,
  type Database,
  type OrganisationScope,
  type OrganisationTx,
  type Tx,
} from "../../../platform/db/database.ts";
import { seedManyNumbers } from "../../../seed-many-numbers.ts";
import type { HeldNumber, NumberOperation, SeededSwitch } from "./number-operation.ts";
import { ORGANISATION_OPERATIONS } from "./organisation-operations.ts";
import { SWITCH_OPERATIONS, SYSTEM_OPERATIONS } from "./system-operations.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import { copyDatabase, type TestDatabase } from "../../../../testing/test-database.ts";
import { buffersOf } from "../../../../testing/visits.ts";

/**
 * The buffers an operation touches must not grow with its organisation. Most organisations have one number here, so a generic
 * plan expects few rows of any: the planner may choose an index scan that reads all entries of the large one.
 */
export function describeNumberBuffers(count: number): void {
  describe(`one of many organisations has ${count.toLocaleString("en")} numbers`, () => {
    let loaded: LoadedOrganisation;
    beforeAll(async () => {
      loaded = await loadOrganisation(count);
    }, 900_000);
    afterAll(() => loaded[Symbol.asyncDispose]());

    describe("after a VACUUM", () => {
      beforeAll(() => loaded.database.admin("vacuum (analyze)"), 120_000);
      // Rolled-back changes leave dead rows behind, and the planner trusts index-only scans only while there are none.
      beforeEach(() => loaded.database.admin("vacuum (index_cleanup on) holdings, routings"), 120_000);

      test("index-only scans look as cheap as they ever do", async () => {
        const visible = await loaded.database.admin(
          "select relname from pg_class where relname in ('holdings', 'routings') and relallvisible = relpages",
        );
        expect(visible).toHaveLength(2);
      });
      testOperations(() => loaded);
    });

    describe("after 3,000 more numbers", () => {
      beforeAll(() => addNumbers(loaded, [loaded.scope.organisationId], { count: 3_000, from: 2 * count }));
      testOperations(() => loaded);
    });
  });
}

function testOperations(loaded: () => LoadedOrganisation): void {
  for (const [role, { enter, operations }] of Object.entries(ROLES))
    test.each(Object.entries(operations))(`${role}: %s`, async (_, { most, run }) => {
      const generic = await mostTouched(loaded(), enter, run, "force_generic_plan");
      const custom = await mostTouched(loaded(), enter, run, "force_custom_plan");
      expect(generic).toBeLessThanOrEqual(most);
      expect(custom).toBeLessThanOrEqual(most + PLANNING);
    });
}

/** The planner looks into indexes too, for each statement that is planned again. */
const PLANNING = 100;

type Enter = (loaded: LoadedOrganisation, work: (tx: Tx) => Promise<never>) => Promise<never>;

const ROLES: Record<string, { enter: Enter; operations: Record<string, NumberOperation> }> = {
  organisation: {
    enter: ({ db, scope }, work) => db.forOrganisation(scope, work),
    operations: ORGANISATION_OPERATIONS,
  },
  system: { enter: ({ db }, work) => db.forSystem("operator", work), operations: SYSTEM_OPERATIONS },
  switch: {
    enter: ({ db, seededSwitch }, work) => db.forSwitch(seededSwitch, work),
    operations: SWITCH_OPERATIONS,
  },
};

interface LoadedOrganisation extends AsyncDisposable {
  database: TestDatabase;
  db: Database;
  scope: OrganisationScope;
  seededSwitch: SeededSwitch;
  /** The first one, then the last in each order: an index scan that looks for one of these passes all others. */
  numbers: HeldNumber[];
}

async function loadOrganisation(count: number): Promise<LoadedOrganisation> {
  const database = await copyDatabase(inject("clusterUrl"));
  const [large, ...small] = Array.from({ length: 1 + count / 10 }, () => randomUUID());
  const { admin } = database;
  await admin(
    `with o as (insert into organisations (id, name, created_at) select unnest($1::uuid[]), 'Example', now() returning id)
     insert into event_heads (organisation_id) select id from o`,
    [[large, ...small]],
  );
  await admin(
    `insert into switches (id, group_id, name, synced_epoch, proved_in, last_seen_at, created_at)
     select gen_random_uuid(), g.id, 'buffers', e.epoch, database_instance(), now() + interval '1 day', now() from switch_groups g, feed_epoch e`,
  );
  const [seededSwitch] = await admin<SeededSwitch>(
    `select s.id as "switchId", g.id as "groupId" from switches s join switch_groups g on g.id = s.group_id
     where g.environment = 'live' and g.is_default`,
  );
  await addNumbers({ database }, [large!], { count, from: 0 });
  await addNumbers({ database }, small, { count: small.length, from: count });
  // As many test numbers, past the foreign keys: only the holdings matter.
  await admin(
    `begin; set local session_replication_role = replica;
     insert into holdings (id, organisation_id, environment, number_id, e164, type, capabilities, status, source, acquired_at, created_at, updated_at)
     select overlay(id::text placing '3' from 36)::uuid, organisation_id, 'test', number_id, e164, type, capabilities, status, source, acquired_at, created_at, updated_at
     from holdings where organisation_id = '${large}'; commit`,
  );
  await seedUsage(database, large!);
  const numbers = await admin<HeldNumber>(
    ["id", "id desc", "e164 desc"]
      .map(
        (order) =>
          `(select id, e164 from holdings where organisation_id = $1 and environment = 'live' order by ${order} limit 1)`,
      )
      .join(" union all "),
    [large],
  );
  const db = connect({
    loginOf: testConfig(database.url).database.loginOf,
    connections: { organisation: 1, caller: 1, switch: 1, system: 1 },
    onError() {},
  });
  return {
    database,
    db,
    scope: { organisationId: large!, environment: "live" },
    seededSwitch: seededSwitch!,
    numbers,
    async [Symbol.asyncDispose]() {
      await db.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Calls to every number in each of the last 24 hours, in the order in which they are counted. */
async function seedUsage({ admin }: TestDatabase, organisationId: string): Promise<void> {
  await admin("select make_call_partitions(array[current_date - 40, current_date - 1, current_date])");
  await admin(
    `insert into usage_hours select h.organisation_id, h.environment, h.id, hour, 1, 1, 0, 0, 0, 0, 0, 60, 0
     from generate_series(date_trunc('hour', now(), 'UTC') - interval '23 hours', now(), '1 hour') hour, holdings h
     where h.organisation_id = $1 and h.environment = 'live' order by hour, h.e164`,
    [organisationId],
  );
  await admin(
    `insert into usage_days select organisation_id, environment, holding_id, (hour at time zone 'UTC')::date, count(*), count(*), 0, 0, 0, 0, 0, 60, 0
     from usage_hours where holding_id in (select id from holdings where organisation_id = $1 limit 100) group by 1, 2, 3, 4`,
    [organisationId],
  );
}

/** All of them confirmed by every switch. */
async function addNumbers(
  { database: { admin } }: Pick<LoadedOrganisation, "database">,
  organisationIds: readonly string[],
  range: { count: number; from: number },
): Promise<void> {
  await seedManyNumbers((sql) => admin(sql), { organisationIds, ...range });
  await admin("update feed_confirmations c set version = s.head from feed_shards s where s.id = c.shard");
}

/** Planned for the first number, counted for the others, and rolled back. */
async function mostTouched(
  loaded: LoadedOrganisation,
  enter: Enter,
  run: NumberOperation["run"],
  plan: "force_generic_plan" | "force_custom_plan",
): Promise<number> {
  const { scope, seededSwitch, numbers } = loaded;
  const rollback = new Error("roll back");
  let most = 0;
  const measured = enter(loaded, async (tx) => {
    await tx.query(`set local plan_cache_mode = ${plan}`);
    const given = { scope, db: databaseWithin(tx), seededSwitch };
    const runWith = (number: HeldNumber, other: HeldNumber): Promise<unknown> =>
      run({ ...tx, ...scope } as OrganisationTx, { ...given, number, other });
    const [first, ...last] = numbers as [HeldNumber, HeldNumber, HeldNumber];
    await runWith(first, last[0]);
    for (const number of last) {
      const touched = await buffersOf(
        (sql) => tx.query(sql),
        () => runWith(number, first),
      );
      most = Math.max(most, touched);
    }
    throw rollback;
  });
  await expect(measured).rejects.toBe(rollback);
  return most;
}

function databaseWithin(tx: Tx): Database {
  const query = (_: unknown, text: string, values?: unknown[]): Promise<unknown[]> => tx.query(text, values);
  return { forOrganisation: { read: query, write: query } } as unknown as Database;
}

import pg from "pg";
import { expect, inject, test } from "vitest";
import { copyDatabase, type TestDatabase } from "../../../testing/test-database.ts";
import { describePlan, planMigration } from "./migration-plan.ts";

/** Without a migration that changes an existing table, and with another version of a file that defines triggers. */
async function olderDatabase(): Promise<TestDatabase> {
  const database = await copyDatabase(inject("clusterUrl"));
  await database.admin("delete from schema_migrations where name like '0128%'");
  await database.admin("drop table organisation_usage_days cascade");
  await database.admin("alter table usage_quarters_start drop column hours_since cascade");
  await database.admin("drop policy calls on usage_quarters_start");
  await database.admin("delete from schema_functions where name = 'jobs.sql'");
  return database;
}

test("shows steps with the tables that they block, and changes nothing", async () => {
  await using database = await olderDatabase();
  const steps = await planMigration(database.url);
  expect(steps.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^0128_/),
    expect.stringMatching(/^functions \(.*jobs\.sql/),
  ]);
  expect(steps[0]!.blocked).toContainEqual({ table: "usage_quarters_start", what: "reads and writes" });
  expect(steps[0]!.blocked.map(({ table }) => table)).not.toContain("organisation_usage_days");
  expect(steps[1]!.blocked.map(({ table }) => table)).toContain("jobs");
  expect(describePlan(steps).join("\n")).toMatch(
    /^0128_\w+\.sql: \d+ ms\n {2}blocks reads and writes of .*usage_quarters_start/,
  );
  expect(await planMigration(database.url)).toHaveLength(2);
});

test("gives up if a table is busy, instead of making requests wait behind it", async () => {
  await using database = await olderDatabase();
  const busy = new pg.Client({ connectionString: database.url });
  await busy.connect();
  await busy.query("begin; lock table usage_quarters_start in access share mode");
  await expect(planMigration(database.url)).rejects.toThrow("lock timeout");
  await busy.end();
});

test("has nothing to show for the newest schema", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  expect(describePlan(await planMigration(database.url))).toEqual(["The schema is up to date."]);
});

import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { until } from "../../../testing/service.ts";
import { copyDatabase, onCluster, type TestDatabase } from "../../../testing/test-database.ts";
import { functionFiles } from "./functions.ts";
import { migrate, type MigrateOptions } from "./migrate.ts";
import { binary } from "./private-cluster.ts";

/** The baseline, and every migration since. */
const MIGRATIONS = readdirSync(new URL("../../../database/migrations/", import.meta.url)).toSorted();
/** A demo at migration 0057, after a run of the conformance checks, without most of its call records. */
const BEFORE_BASELINE = new URL("before-baseline.sql.gz", import.meta.url);

const optionsOf = (url: string): MigrateOptions => ({
  url,
  passwordOf: () => "unused",
  setUpRootKeys: async () => "current",
});
const run = ({ url, ownerUrl = url }: TestDatabase & { ownerUrl?: string }): Promise<string[]> =>
  migrate(optionsOf(ownerUrl));

test("adopts the baseline in a database at the last migration before it, and changes no row", async () => {
  await using old = await restoreOld();
  await using fresh = await copyDatabase(inject("clusterUrl"));
  const rows = await countRows(old);
  expect(rows.get("holdings")).toBeGreaterThan(50);

  expect(await run(old)).toEqual([...MIGRATIONS, ...functionFiles().map(({ name }) => `functions/${name}`)]);
  expect(schemaOf(old)).toEqual(schemaOf(fresh));
  const counted = await countRows(old);
  expect(new Map([...counted].filter(([table]) => rows.has(table)))).toEqual(rows);
  expect(counted.get("applied_marks")).toBe(rows.get("applied_watermarks"));
  // Migrations fill new tables from all rows, although row-level security applies to the owner.
  const [filled] = await old.admin<Record<string, number>>(
    `select (select count(*)::int from routings where mode in ('sip_uri', 'forward', 'webhook')) as routed,
       (select count(*)::int from routing_destinations) as found_by_destination,
       (select count(*)::int from holdings where is_held) as held,
       (select sum(numbers)::int from number_counts) as counted`,
  );
  expect(filled).toEqual({
    ...filled,
    found_by_destination: filled!["routed"],
    counted: filled!["held"],
  });
  expect(filled!["routed"]).toBeGreaterThan(0);
  // Indexes on partitioned tables are valid once every partition has its own.
  const parts = await old.admin("select from pg_class where relnamespace = 'call_partitions'::regnamespace");
  expect(parts.length).toBeGreaterThan(0);
  expect(await old.admin("select from pg_index where not indisvalid")).toEqual([]);
  expect(await run(old)).toEqual([]);
});

test("needs a role that can create roles and owns the database, and no superuser", async () => {
  const clusterUrl = inject("clusterUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onCluster(clusterUrl, `create role ${name} login createrole password 'unused'`);
  await onCluster(clusterUrl, `create database ${name} owner ${name}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  url.username = name;
  url.password = "unused";
  try {
    expect(await migrate(optionsOf(url.href))).toHaveLength(MIGRATIONS.length + functionFiles().length);
    expect(await migrate(optionsOf(url.href))).toEqual([]);
  } finally {
    await onCluster(clusterUrl, `drop database ${name} with (force)`);
    await onCluster(clusterUrl, `drop role ${name}`);
  }
});

test("migrations define only functions that a policy, an index, a constraint or a default uses", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  const used = await database.admin<{ name: string }>(
    `select distinct p.proname::text as name from pg_proc p
     join pg_depend d on d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
     where p.pronamespace = 'public'::regnamespace
       and d.classid in ('pg_policy'::regclass, 'pg_class'::regclass, 'pg_constraint'::regclass, 'pg_attrdef'::regclass)
       and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')
     order by 1`,
  );
  const folder = new URL("../../../database/migrations/", import.meta.url);
  const migrations = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
  const defined = [...migrations.join("\n").matchAll(/^create function (\w+)/gm)].map(([, name]) => name!);
  expect(defined.toSorted()).toEqual(used.map(({ name }) => name));
});

test("says what to do with a database older than the last migration before the baseline", async () => {
  await using old = await restoreOld();
  await old.admin("delete from schema_migrations where name > '0041'");

  await expect(run(old)).rejects.toThrow(/is at migration 0040_.* Run migrate of the previous release first/);
});

test("applies only function files that changed, and an earlier one again", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  expect(await run(database)).toEqual([]);
  await database.admin(
    "create or replace function has_second_factor(of_user uuid) returns boolean language sql return false",
  );
  await database.admin(
    "insert into schema_functions (name, checksum) values ('sessions.sql', 'of another release')",
  );

  expect(await run(database)).toEqual(["functions/sessions.sql"]);
  expect(schemaOf(database)).toEqual(await freshSchema());
  expect(await run(database)).toEqual([]);
});

test("leaves the functions of a newer release in place", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  await database.admin("insert into schema_migrations (name, checksum) values ('9999_later.sql', '')");
  await database.admin(
    "insert into schema_functions (name, checksum) values ('sessions.sql', 'of a newer release')",
  );

  expect(await run(database)).toEqual([]);
});

test("retries function files while a busy service holds the lock of a table", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  await database.admin("delete from schema_functions where name = 'jobs.sql'");
  const busy = new pg.Client({ connectionString: database.url });
  await busy.connect();
  await busy.query("begin");
  await busy.query("lock table jobs in row exclusive mode");

  const migrated = run(database);
  const waits = async (): Promise<boolean> => {
    const waiting = await database.admin(
      "select from pg_locks where not granted and relation = 'jobs'::regclass",
    );
    return waiting.length > 0;
  };
  await until(waits);
  await until(async () => !(await waits()));
  await busy.query("commit");
  await busy.end();
  expect(await migrated).toEqual(["functions/jobs.sql"]);
});

test("names the function file that PostgreSQL rejects, and changes nothing", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  await database.admin("delete from schema_functions");
  await database.admin("drop table jobs cascade");

  await expect(run(database)).rejects.toThrow(
    /^Applying functions\/jobs\.sql failed: relation "jobs" does not exist$/,
  );
  expect(await database.admin("select from schema_functions")).toEqual([]);
});

async function freshSchema(): Promise<string[]> {
  await using fresh = await copyDatabase(inject("clusterUrl"));
  return schemaOf(fresh);
}

/** Owned by a role without superuser rights, as in production: row-level security applies to it. */
async function restoreOld(): Promise<TestDatabase & { ownerUrl: string }> {
  const clusterUrl = inject("clusterUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onCluster(clusterUrl, `create role ${name} login createrole password 'unused'`);
  await onCluster(clusterUrl, `create database ${name} template template0 owner ${name}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  const owner = new URL(url);
  [owner.username, owner.password] = [name, "unused"];
  const restore = (as: URL, input: string | Buffer): Buffer =>
    execFileSync(binary("psql"), ["--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", as.href], { input });
  const owners = "dialplane_calls, dialplane_search, dialplane_system";
  restore(
    url,
    `create extension pg_trgm; create extension btree_gin;
     grant ${owners} to ${name}; grant create on schema public to ${owners};`,
  );
  const dump = gunzipSync(readFileSync(BEFORE_BASELINE)).toString();
  restore(owner, dump.replaceAll("OWNER TO postgres", `OWNER TO ${name}`));
  restore(url, `revoke ${owners} from ${name}; revoke create on schema public from ${owners};`);
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  return {
    url: url.href,
    ownerUrl: owner.href,
    admin: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await onCluster(clusterUrl, `drop database ${name} with (force)`);
      await onCluster(clusterUrl, `drop role ${name}`);
    },
  };
}

async function countRows({ admin }: TestDatabase): Promise<Map<string, number>> {
  const tables = await admin<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
       and c.relkind in ('r', 'p') and c.relname not like 'schema\\_%'`,
  );
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const [row] = await admin<{ count: number }>(`select count(*)::integer as count from ${name}`);
    counts.set(name, row!.count);
  }
  return counts;
}

/** Objects as PostgreSQL dumps them, in any order. */
function schemaOf({ url, ownerUrl = url }: TestDatabase & { ownerUrl?: string }): string[] {
  const dump = execFileSync(binary("pg_dump"), ["--schema-only", "--no-comments", "--schema=public", url], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return dump
    .replaceAll(new RegExp(String.raw`\b${new URL(ownerUrl).username}\b`, "g"), "owner")
    .replaceAll(/^\\(?:un)?restrict .*$/gm, "")
    .split(/^(?=--\n-- Name: )/m)
    .slice(1)
    .map((object) => (object.includes("; Type: ACL;") ? sortLines(object) : object).trim())
    .toSorted();
}

/** Privileges are listed in the order in which they were granted. */
function sortLines(object: string): string {
  return object.split("\n").toSorted().join("\n");
}

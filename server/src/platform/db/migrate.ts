import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { clientConfigOf } from "./primary-socket.ts";
import { adoptBaseline } from "./baseline.ts";
import { DOORS, type DoorName, roleOf, TIMEOUTS_MS } from "./database.ts";
import { applyFunctions, functionFiles } from "./functions.ts";
import { indexPartitions } from "./partition-indexes.ts";

const MIGRATIONS = new URL("../../../database/migrations/", import.meta.url);
/** Any fixed number: all that migrate this database at once must agree on it. */
const MIGRATION_LOCK = 7_203_114;

export interface SecretsOptions {
  url: string;
  /** Password from the current or the previous master secret. */
  passwordOf(door: DoorName, secret: "current" | "previous"): string;
  /**
   * Runs as dialplane_system and returns which master secret seals the root keys. Throws if neither does. Passwords follow:
   * they change when the root keys are sealed again, once every process knows both secrets.
   */
  setUpRootKeys(
    query: <Row>(text: string, values?: unknown[]) => Promise<Row[]>,
  ): Promise<"current" | "previous">;
}

export interface MigrateOptions extends SecretsOptions {
  /** Runs last, still under the lock: what others keep in the same database (the job queue). */
  afterwards?(query: (text: string) => Promise<void>): Promise<void>;
}

/** Brings a database to the newest schema; names what it did. Safe to run from many processes at once. */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const client = new pg.Client({ ...clientConfigOf(options.url), application_name: "dialplane_migrate" });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const done = await applyNew(client);
    await indexPartitions(client);
    if (!(await isNewer(client))) done.push(...(await applyFunctions(client)));
    await renumberRestoredEntries(client);
    await setSecrets(client, options);
    await client.query("grant select on schema_migrations, schema_functions to dialplane_system");
    await options.afterwards?.(async (text) => void (await client.query(text)));
    return done;
  } finally {
    await client.end();
  }
}

/**
 * A dump that is restored in another cluster contains transaction IDs that are in the future there, so its audit entries
 * would never count as committed. Row policies hold for the owner too, so they are off for this transaction.
 */
async function renumberRestoredEntries(client: pg.Client): Promise<void> {
  await inTransaction(client, async () => {
    const { rows } = await asSystem(client, () =>
      client.query<{ is_ahead: boolean }>(
        `select committed_in > pg_current_xact_id()::text::bigint as is_ahead from audit_entries order by id desc limit 1`,
      ),
    );
    if (!rows[0]?.is_ahead) return;
    await client.query("alter table audit_entries no force row level security");
    await client.query(
      "update audit_entries set committed_in = 0 where committed_in > pg_current_xact_id()::text::bigint",
    );
    await client.query("alter table audit_entries force row level security");
  });
}

/** Changes root keys and passwords of a database whose schema stays as it is. */
export async function changeSecrets(options: SecretsOptions): Promise<void> {
  const client = new pg.Client({ ...clientConfigOf(options.url), application_name: "dialplane_migrate" });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await setSecrets(client, options);
  } finally {
    await client.end();
  }
}

/** In one transaction, so that a wrong secret changes no password. */
async function setSecrets(client: pg.Client, options: SecretsOptions): Promise<void> {
  await inTransaction(client, async () => {
    const secret = await asSystem(client, () =>
      options.setUpRootKeys(async (text, values) => (await client.query(text, values)).rows),
    );
    for (const door of DOORS) {
      const password = client.escapeLiteral(options.passwordOf(door, secret));
      await client.query(`alter role ${roleOf(door)} password ${password}`);
      for (const [name, ms] of Object.entries(TIMEOUTS_MS))
        await client.query(`alter role ${roleOf(door)} set ${name} = ${ms}`);
    }
  });
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  try {
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** Row policies hold for the owner too. It takes membership to act as another role. */
async function asSystem<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  const system = roleOf("system");
  await client.query(`grant ${system} to current_user`);
  await client.query(`set local role ${system}`);
  await client.query("select set_config('app.task', 'root-keys', true)");
  const result = await work();
  await client.query("set local role none");
  await client.query(`revoke ${system} from current_user`);
  return result;
}

export interface ExpectedSchema {
  newestMigration: string;
  functionChecksums: string[];
}

/** The migration and the function files that a server of this release needs. Newer ones are compatible. */
export function expectedSchema(): ExpectedSchema {
  return {
    newestMigration: migrationFiles().at(-1)!.name,
    functionChecksums: functionFiles().map((file) => file.checksum),
  };
}

/** Whether a newer release has migrated this database. Its functions work for this release too, and must stay. */
async function isNewer(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is_newer: boolean }>(
    "select max(name) > $1 as is_newer from schema_migrations",
    [expectedSchema().newestMigration],
  );
  return rows[0]!.is_newer;
}

async function applyNew(client: pg.Client): Promise<string[]> {
  const migrations = migrationFiles();
  const done = await adoptBaseline(client, await appliedMigrations(client), migrations);
  for (const migration of await pendingMigrations(client)) {
    await applyOne(client, migration);
    done.push(migration.name);
  }
  return done;
}

/** Those that this database has not had yet, oldest first. */
export async function pendingMigrations(client: pg.Client): Promise<(Migration & { sql: string })[]> {
  const applied = await appliedMigrations(client);
  return migrationFiles().filter(({ name, checksum }) => {
    const before = applied.get(name);
    if (before !== undefined && before !== checksum)
      throw new Error(`${name} was changed after it had been applied; add a new migration instead.`);
    return before === undefined;
  });
}

export async function appliedMigrations(client: pg.Client): Promise<Map<string, string>> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  const { rows } = await client.query<Migration>("select name, checksum from schema_migrations");
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function applyOne(client: pg.Client, migration: Migration & { sql: string }): Promise<void> {
  await client.query("begin");
  try {
    // A migration that cannot get its lock gives up instead of making every request queue behind it.
    await client.query("set local lock_timeout = '5s'");
    await client.query(migration.sql);
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [
      migration.name,
      migration.checksum,
    ]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
}

interface Migration {
  name: string;
  checksum: string;
}

function migrationFiles(): (Migration & { sql: string })[] {
  return readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .map((name) => {
      const sql = readFileSync(new URL(name, MIGRATIONS), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

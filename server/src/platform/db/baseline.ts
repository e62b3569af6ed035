import { readFileSync } from "node:fs";
import type pg from "pg";

/** Migrations 0100 to 0104 define the schema that migrations 0001 to 0057 had built step by step. */
const FIRST_OF_BASELINE = "0100";
const AFTER_BASELINE = "0105";
const LAST_BEFORE_BASELINE = "0057_single_sign_on_keeps_its_provider.sql";
const ADOPT = new URL("../../../database/adopt-baseline.sql", import.meta.url);

interface Migration {
  name: string;
  checksum: string;
}

/** Whether the schema comes from the migrations that the baseline replaces. */
export function isBeforeBaseline(applied: ReadonlyMap<string, string>): boolean {
  return applied.size > 0 && [...applied.keys()].every((name) => name < FIRST_OF_BASELINE);
}

/**
 * Records the baseline as applied in a database that has the same schema from the migrations before it. The rows of those
 * migrations stay, because servers of the previous release look for them.
 */
export async function adoptBaseline(
  client: pg.Client,
  applied: ReadonlyMap<string, string>,
  migrations: readonly Migration[],
): Promise<string[]> {
  if (!isBeforeBaseline(applied)) return [];
  const names = [...applied.keys()].toSorted();
  if (!applied.has(LAST_BEFORE_BASELINE)) {
    throw new Error(
      `This database is at migration ${names.at(-1)}. Run migrate of the previous release first, which brings it to ${LAST_BEFORE_BASELINE}, and then this one.`,
    );
  }
  const baseline = migrations.filter(({ name }) => name < AFTER_BASELINE);
  await client.query("begin");
  try {
    await client.query("set local lock_timeout = '5s'");
    await client.query(readFileSync(ADOPT, "utf8"));
    for (const { name, checksum } of baseline) {
      await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [name, checksum]);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
  return baseline.map(({ name }) => name);
}

import type { TestDatabase } from "../test-database.ts";

/** Leaves the predicates of our statements as the only wall. */
export async function switchPoliciesOff({ admin }: TestDatabase): Promise<void> {
  for (const name of await guardedTables({ admin }))
    await admin(`alter table ${name} disable row level security`);
}

/** Tables whose policies count. */
export async function guardedTables({ admin }: Pick<TestDatabase, "admin">): Promise<string[]> {
  const guarded = "select tablename as name from pg_tables where schemaname = 'public' and rowsecurity";
  return (await admin<{ name: string }>(guarded)).map(({ name }) => name);
}

import type { TestDatabase } from "./test-database.ts";

/** Columns that say when something was last used: written by reading, on purpose. */
const LAST_USE = "{last_seen_at,last_used_at,last_used_from}";

/** One checksum per table over all user data, without the audit's errors. */
export async function rowChecksums(database: TestDatabase): Promise<Record<string, string>> {
  const tables = await database.admin<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = 'public' or (schemaname, tablename) = ('pgboss', 'job') order by 1`,
  );
  const ofEach = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || md5(coalesce(string_agg(content, '|' order by content), '')) as checksum
       from (select (to_jsonb(t) - $1::text[])::text as content from ${name} t) rows
       where content not like '%"action": "request.refused"%'`,
  );
  const rows = await database.admin<{ name: string; checksum: string }>(ofEach.join(" union all "), [
    LAST_USE,
  ]);
  return Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]));
}

import type { TestDatabase } from "./test-database.ts";

/** Columns that say when something was last used: written by reading, on purpose. */
const LAST_USE = "{last_seen_at,last_used_at,last_used_from}";

/**
 * Of tables with rows: of a partitioned table, its partitions. Each table has its own statement, because the
 * planner takes five times as long for a union of a hundred.
 */
const CHECKSUMS = `
  select t.name, query_to_xml(format(
      'select count(*) as rows, sum(hashtextextended(content, 0)) as sum from (select %s as content from %s t) rows
        where content not like ''%%request.refused%%''', t.content, t.name), false, true, '')::text as checksum
  from (
    select c.oid::regclass::text as name, case when exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = any ('${LAST_USE}'::name[]))
      then '(to_jsonb(t) - ''${LAST_USE}''::text[])::text' else 't::text' end as content
    from pg_class c where c.relkind = 'r' and (c.relnamespace = 'public'::regnamespace
      or c.oid in (select inhrelid from pg_inherits where inhparent = 'pgboss.job'::regclass))) t`;

/** One checksum per table over all user data, without the audit's errors. Rows count in any order. */
export async function rowChecksums(database: TestDatabase): Promise<Record<string, string>> {
  const rows = await database.admin<{ name: string; checksum: string }>(CHECKSUMS);
  return Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]));
}

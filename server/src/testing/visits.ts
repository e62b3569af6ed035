/** What PostgreSQL counts: rows read from tables, and entries of ordered indexes, wherever in a statement or function. */
const VISITS = `select coalesce(sum(pg_stat_get_xact_tuples_returned(c.oid)
    + case when c.relkind = 'r' then pg_stat_get_xact_tuples_fetched(c.oid) else 0 end), 0) as visited
  from pg_class c left join pg_am a on a.oid = c.relam
  where c.relnamespace = 'public'::regnamespace and (c.relkind = 'r' or a.amname = 'btree')`;

/** How many rows the work visits. Within a transaction, for there the counters are kept until its end. */
export async function visitsOf(
  rows: (text: string) => Promise<{ visited: string }[]>,
  work: () => Promise<unknown>,
): Promise<number> {
  const [before] = await rows(VISITS);
  await work();
  const [after] = await rows(VISITS);
  return Number(after!.visited) - Number(before!.visited);
}

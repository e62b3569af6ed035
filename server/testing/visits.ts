/**
 * Counters of PostgreSQL: rows read from tables, and entries of B-tree indexes, anywhere in a statement or
 * function.
 */
const VISITS = `select coalesce(sum(pg_stat_get_xact_tuples_returned(c.oid)
    + case when c.relkind = 'r' then pg_stat_get_xact_tuples_fetched(c.oid) else 0 end), 0) as counted
  from pg_class c left join pg_am a on a.oid = c.relam
  where c.relnamespace in ('public'::regnamespace, 'call_partitions'::regnamespace) and (c.relkind = 'r' or a.amname = 'btree')`;

/** Also counts index entries that a scan reads and rejects, which are not visits. Excludes catalogs. */
const BUFFERS = `select coalesce(sum(pg_stat_get_xact_blocks_fetched(c.oid)), 0) as counted
  from pg_class c where c.relnamespace in ('public'::regnamespace, 'call_partitions'::regnamespace, 'pg_toast'::regnamespace)`;

type Rows = (text: string) => Promise<{ counted: string }[]>;

/** How many rows the work visits. Within a transaction, for there the counters are kept until its end. */
export async function visitsOf(rows: Rows, work: () => Promise<unknown>): Promise<number> {
  return countedDuring(VISITS, rows, work);
}

/** How many shared buffers the work touches, in nested statements and triggers too. Within a transaction, as above. */
export async function buffersOf(rows: Rows, work: () => Promise<unknown>): Promise<number> {
  return countedDuring(BUFFERS, rows, work);
}

async function countedDuring(counters: string, rows: Rows, work: () => Promise<unknown>): Promise<number> {
  const [before] = await rows(counters);
  await work();
  const [after] = await rows(counters);
  return Number(after!.counted) - Number(before!.counted);
}

import type pg from "pg";

/** Role that owns the partitioned tables. Only a member can create their indexes. */
const OWNER = "dialplane_calls";

interface MissingIndex {
  parent: string;
  definition: string;
  part: string;
  schema: string;
  name: string;
}

/** A migration declares an index on the parent only, so it is invalid until every partition has its own. */
const MISSING = `
  select i.indexrelid::regclass::text as parent, pg_get_indexdef(i.indexrelid) as definition,
    child.oid::regclass::text as part, child.relnamespace::regnamespace::text as schema,
    format('%I', child.relname || '_' || regexp_replace(parent.relname, '^call_(records|parties)_', '')) as name
  from pg_index i
  join pg_class parent on parent.oid = i.indexrelid and parent.relkind = 'I'
  join pg_inherits part on part.inhparent = i.indrelid
  join pg_class child on child.oid = part.inhrelid
  where parent.relnamespace = 'public'::regnamespace and not i.indisvalid and not exists (
    select from pg_inherits attached join pg_index own on own.indexrelid = attached.inhrelid
    where attached.inhparent = i.indexrelid and own.indrelid = child.oid)
  order by 1, 3 desc`;

/**
 * Builds indexes of existing partitions, newest first, without blocking writes. Each is its own transaction: an
 * interrupted run continues with the next migration.
 */
export async function indexPartitions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<MissingIndex>(MISSING);
  if (rows.length === 0) return;
  await client.query(`grant ${OWNER} to current_user`);
  try {
    for (const missing of rows) await buildIndex(client, missing);
  } finally {
    await client.query(`revoke ${OWNER} from current_user`);
  }
}

async function buildIndex(
  client: pg.Client,
  { parent, definition, part, schema, name }: MissingIndex,
): Promise<void> {
  const create = definition.replace(
    /^CREATE INDEX \S+ ON ONLY \S+/,
    `create index concurrently ${name} on ${part}`,
  );
  // An interrupted build leaves an invalid index.
  await client.query(`drop index concurrently if exists ${schema}.${name}`);
  await client.query(create);
  await client.query(`alter index ${parent} attach partition ${schema}.${name}`);
}

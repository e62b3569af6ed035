import type { Tx } from "../../platform/db/database.ts";

export interface PoolKindRow {
  country: string | null;
  type: string;
  total: number;
  free: number;
}

/** The operator's own numbers of the live environment, counted by kind. */
export async function countStock(tx: Tx): Promise<PoolKindRow[]> {
  return tx.query<PoolKindRow>(
    `select country, type, count(*)::int as total, (count(*) filter (where is_free))::int as free
     from numbers where environment = 'live' and is_stock group by 1, 2 order by 1, 2`,
  );
}

export interface PoolNumberRow {
  e164: string;
  country: string | null;
  type: string;
  is_free: boolean;
  group_id: string;
  created_at: Date;
}

export interface PoolFilter {
  country?: string | undefined;
  isFree?: boolean | undefined;
  prefix?: string | undefined;
}

/** Returns one row more than requested if there are more. */
export async function listStock(
  tx: Tx,
  { country, isFree, prefix }: PoolFilter,
  after: string | undefined,
  limit: number,
): Promise<PoolNumberRow[]> {
  return tx.query<PoolNumberRow>(
    `select e164, country, type, is_free, group_id, created_at from numbers
     where environment = 'live' and is_stock and ($1::text is null or country = $1)
       and ($2::boolean is null or is_free = $2) and ($3::text is null or starts_with(e164, $3))
       and ($4::text is null or e164 > $4)
     order by e164 limit $5`,
    [country, isFree, prefix, after, limit + 1],
  );
}

/** Undefined where it is none of the live environment. */
export async function findLiveGroupName(tx: Tx, id: string): Promise<string | undefined> {
  const [group] = await tx.query<{ name: string }>(
    "select name from switch_groups where environment = 'live' and id = $1",
    [id],
  );
  return group?.name;
}

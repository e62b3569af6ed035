import type { Database, OrganisationScope } from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";

/** Calls of ten minutes. Those without calls are missing. */
export interface BucketRow {
  /** Milliseconds since 1970. */
  at: number;
  calls: number;
  answered: number;
  seconds: number;
}

export interface BucketsRow {
  buckets: BucketRow[];
  first_at: number | null;
}

/** Buckets within the windows, and the first bucket of the organisation. $3 starts and $4 ends. */
const BUCKETS = `
  select (select (extract(epoch from began_at) * 1000)::float8 from call_buckets
      where organisation_id = $1 and environment = $2 order by began_at limit 1) as first_at,
    (select coalesce(json_agg(b), '[]') from (
      select (extract(epoch from k.began_at) * 1000)::float8 as at, sum(k.calls)::float8 as calls,
        sum(k.answered)::float8 as answered, sum(k.seconds)::float8 as seconds
      from unnest($3::timestamptz[], $4::timestamptz[]) w(from_at, to_at)
      cross join lateral (
        select * from call_buckets where organisation_id = $1 and environment = $2
          and began_at >= w.from_at and began_at < w.to_at offset 0) k
      group by k.began_at order by k.began_at) b) as buckets`;

export function bucketsStatement(
  { organisationId, environment }: OrganisationScope,
  windows: readonly { from: number; to: number }[],
): { text: string; values: unknown[] } {
  const timesOf = (edge: "from" | "to"): Date[] => windows.map((window) => new Date(window[edge]));
  return { text: BUCKETS, values: [organisationId, environment, timesOf("from"), timesOf("to")] };
}

export async function findBuckets(
  db: Database,
  scope: OrganisationScope,
  windows: readonly { from: number; to: number }[],
): Promise<BucketsRow> {
  const { text, values } = bucketsStatement(scope, windows);
  const [row] = await db.forOrganisation.read<BucketsRow>(scope, text, values);
  return row!;
}

export async function deleteBucketsBefore(db: Database, at: Date): Promise<void> {
  await sweepTable(db, { table: "call_buckets", where: "began_at < $1", values: [at] });
}

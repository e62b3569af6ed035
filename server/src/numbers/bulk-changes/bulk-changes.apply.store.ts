import type { Database, OrganisationTx, Tx } from "../../platform/db/database.ts";
import type { Outcome } from "./bulk-changes.rules.ts";
import { type BulkChangeRow, COLUMNS, ITEM, type ItemRow } from "./bulk-changes.store.ts";

const FIRST_OF_ORGANISATION = `select id from bulk_changes
  where organisation_id = b.organisation_id and status = 'applying' order by started_at, id limit 1`;

/** By its ID alone, which is all that the queue has. */
export async function findApplying(
  db: Database,
  id: string,
): Promise<(BulkChangeRow & { is_first: boolean }) | undefined> {
  const [row] = await db.forSystem.read<BulkChangeRow & { is_first: boolean }>(
    "bulk",
    `select ${COLUMNS}, id = (${FIRST_OF_ORGANISATION}) as is_first from bulk_changes b
     where id = $1 and status = 'applying'`,
    [id],
  );
  return row;
}

/** The bulk change to apply next in the organisation of one that is finished. */
export async function findNextApplying(db: Database, finishedId: string): Promise<string | undefined> {
  const [row] = await db.forSystem.read<{ id: string | null }>(
    "bulk",
    `select (${FIRST_OF_ORGANISATION}) as id from bulk_changes b where id = $1`,
    [finishedId],
  );
  return row?.id ?? undefined;
}

/** Locks a bulk change for one chunk, so that one worker at a time applies it. */
export async function lockApplying(tx: OrganisationTx, id: string): Promise<boolean> {
  const rows = await tx.query(
    `select from bulk_changes where organisation_id = $1 and environment = $2 and id = $3 and status = 'applying'
     for update skip locked`,
    [tx.organisationId, tx.environment, id],
  );
  return rows.length > 0;
}

export async function listDueShards(tx: OrganisationTx, id: string): Promise<number[]> {
  const rows = await tx.query<{ shard: number }>(
    `select distinct shard from bulk_change_items
     where organisation_id = $1 and environment = $2 and bulk_change_id = $3 and outcome = 'planned' order by shard`,
    [tx.organisationId, tx.environment, id],
  );
  return rows.map(({ shard }) => shard);
}

/** Skips items that another worker has locked. */
export async function lockDueItems(
  tx: OrganisationTx,
  id: string,
  shard: number,
  limit: number,
): Promise<Omit<ItemRow, "outcome" | "error_code" | "error_detail">[]> {
  return tx.query(
    `select ${ITEM} from bulk_change_items
     where organisation_id = $1 and environment = $2 and bulk_change_id = $3 and shard = $4 and outcome = 'planned'
     order by number_id limit $5 for update skip locked`,
    [tx.organisationId, tx.environment, id, shard, limit],
  );
}

export interface ItemOutcome {
  outcome: Exclude<Outcome, "planned">;
  error: { code: string; detail: string } | null;
}

/** Sets one outcome on several items of a shard. */
export async function setOutcome(
  tx: OrganisationTx,
  of: { id: string; shard: number; numberIds: readonly string[] },
  { outcome, error }: ItemOutcome,
): Promise<void> {
  await tx.query(
    `update bulk_change_items set outcome = $6, error_code = $7, error_detail = left($8, 1000)
     where organisation_id = $1 and environment = $2 and bulk_change_id = $3 and shard = $4 and outcome = 'planned'
       and number_id = any ($5::uuid[])`,
    [
      tx.organisationId,
      tx.environment,
      of.id,
      of.shard,
      of.numberIds,
      outcome,
      error?.code ?? null,
      error?.detail ?? null,
    ],
  );
}

export async function addProgress(
  tx: OrganisationTx,
  id: string,
  done: Record<ItemOutcome["outcome"], number>,
  at: Date,
): Promise<void> {
  await tx.query(
    `update bulk_changes set set_count = set_count + $4, unchanged_count = unchanged_count + $5,
       stale_count = stale_count + $6, failed_count = failed_count + $7, advanced_at = $8
     where organisation_id = $1 and environment = $2 and id = $3`,
    [tx.organisationId, tx.environment, id, done.set, done.unchanged, done.stale, done.failed, at],
  );
}

/** Once every item has an outcome, and once only. */
export async function setFinished(
  tx: OrganisationTx,
  id: string,
  at: Date,
): Promise<BulkChangeRow | undefined> {
  const [row] = await tx.query<BulkChangeRow>(
    `update bulk_changes set status = 'finished', finished_at = $4
     where organisation_id = $1 and environment = $2 and id = $3 and status = 'applying'
       and set_count + unchanged_count + stale_count + failed_count = total
     returning ${COLUMNS}`,
    [tx.organisationId, tx.environment, id, at],
  );
  return row;
}

export async function listApplyingSince(tx: Tx, advancedBefore: Date): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from bulk_changes b where status = 'applying' and advanced_at < $1 and id = (${FIRST_OF_ORGANISATION})
     order by advanced_at limit 1000`,
    [advancedBefore],
  );
  return rows.map(({ id }) => id);
}

/** One at a time, because its items are deleted with it. */
export async function deleteFinished(db: Database, finishedBefore: Date): Promise<boolean> {
  const gone = await db.forSystem.write(
    "bulk",
    `delete from bulk_changes where status = 'finished' and id = (
       select id from bulk_changes where status = 'finished' and finished_at < $1 limit 1) returning id`,
    [finishedBefore],
  );
  return gone.length > 0;
}

/** One at a time, for its items go with it. */
export async function deleteExpiredPlan(db: Database, expiredBefore: Date): Promise<boolean> {
  const gone = await db.forSystem.write(
    "bulk",
    `delete from bulk_changes where status = 'planned' and id = (
       select id from bulk_changes where status = 'planned' and expires_at < $1 limit 1) returning id`,
    [expiredBefore],
  );
  return gone.length > 0;
}

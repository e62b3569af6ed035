import type { Environment, OrganisationTx } from "../../platform/db/database.ts";
import type { Change, Outcome, StoredStatus } from "./bulk-changes.rules.ts";
import type { BulkChangeItem } from "./bulk-changes.schema.ts";

export interface BulkChangeRow {
  id: string;
  organisation_id: string;
  environment: Environment;
  status: StoredStatus;
  change: Change;
  reason: string | null;
  missing: string[];
  total: number;
  set_count: number;
  unchanged_count: number;
  stale_count: number;
  failed_count: number;
  created_by_kind: string;
  created_by_id: string | null;
  created_by_name: string | null;
  created_at: Date;
  expires_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export const COLUMNS = `id, organisation_id, environment, status, change, reason, missing, total, set_count, unchanged_count, stale_count,
  failed_count, created_by_kind, created_by_id, created_by_name, created_at, expires_at, started_at, finished_at`;

type NewBulkChange = Pick<
  BulkChangeRow,
  | "id"
  | "change"
  | "reason"
  | "created_by_kind"
  | "created_by_id"
  | "created_by_name"
  | "created_at"
  | "expires_at"
>;

export async function insertBulkChange(tx: OrganisationTx, row: NewBulkChange): Promise<void> {
  await tx.query(
    `insert into bulk_changes (organisation_id, environment, id, change, reason, created_by_kind, created_by_id,
       created_by_name, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      tx.organisationId,
      tx.environment,
      row.id,
      row.change,
      row.reason,
      row.created_by_kind,
      row.created_by_id,
      row.created_by_name,
      row.created_at,
      row.expires_at,
    ],
  );
}

/** Each number as it is now; returns those there are. Looked up one by one, which no guess of the planner's makes slow. */
export async function insertItems(
  tx: OrganisationTx,
  id: string,
  numberIds: readonly string[],
): Promise<string[]> {
  const inserted = await tx.query<{ number_id: string }>(
    `insert into bulk_change_items (organisation_id, environment, bulk_change_id, number_id, e164, shard,
       from_mode, from_generation, from_tags, from_release_lock)
     select $1, $2, $3, h.id, h.e164, r.shard, r.mode, r.generation, h.tags, h.release_lock
     from unnest($4::uuid[]) as wanted(id)
     cross join lateral (
       select * from holdings where organisation_id = $1 and environment = $2 and id = wanted.id limit 1) h
     cross join lateral (
       select * from routings where organisation_id = $1 and environment = $2 and holding_id = wanted.id limit 1) r
     returning number_id`,
    [tx.organisationId, tx.environment, id, numberIds],
  );
  return inserted.map(({ number_id }) => number_id);
}

export async function setSelection(
  tx: OrganisationTx,
  id: string,
  { total, missing }: { total: number; missing: readonly string[] },
): Promise<BulkChangeRow> {
  const [row] = await tx.query<BulkChangeRow>(
    `update bulk_changes set total = $4, missing = $5 where organisation_id = $1 and environment = $2 and id = $3
     returning ${COLUMNS}`,
    [tx.organisationId, tx.environment, id, total, missing],
  );
  return row!;
}

export async function findBulkChange(tx: OrganisationTx, id: string): Promise<BulkChangeRow | undefined> {
  const [row] = await tx.query<BulkChangeRow>(
    `select ${COLUMNS} from bulk_changes where organisation_id = $1 and environment = $2 and id = $3`,
    [tx.organisationId, tx.environment, id],
  );
  return row;
}

/** Newest first; one row more than asked for. */
export async function listBulkChangesBefore(
  tx: OrganisationTx,
  before: string | undefined,
  limit: number,
): Promise<BulkChangeRow[]> {
  return tx.query<BulkChangeRow>(
    `select ${COLUMNS} from bulk_changes
     where organisation_id = $1 and environment = $2 and ($3::uuid is null or id < $3) order by id desc limit $4`,
    [tx.organisationId, tx.environment, before ?? null, limit + 1],
  );
}

export interface ItemRow {
  number_id: string;
  e164: string;
  from_mode: string;
  from_generation: string;
  from_tags: string[];
  from_release_lock: boolean;
  outcome: Outcome;
  error_code: string | null;
  error_detail: string | null;
}

export type ShownItemRow = ItemRow & { from_desired: BulkChangeItem["from"]["desired"] };

export const ITEM = "number_id, e164, from_mode, from_generation, from_tags, from_release_lock";

/** Before every id. */
const NIL_ID = "00000000-0000-0000-0000-000000000000";

/** In the order of the numbers' list; one row more than asked for. */
export async function listItemsAfter(
  tx: OrganisationTx,
  id: string,
  outcome: Outcome | undefined,
  page: { after: string | undefined; limit: number },
): Promise<ShownItemRow[]> {
  return tx.query<ShownItemRow>(
    `select ${ITEM}, outcome, error_code, error_detail, (
       select r.desired from routing_revisions r where r.organisation_id = $1 and r.environment = $2
         and r.holding_id = number_id and r.generation = from_generation) as from_desired
     from bulk_change_items
     where organisation_id = $1 and environment = $2 and bulk_change_id = $3 and number_id > $4
       ${outcome === undefined ? "" : "and outcome = $6"} order by number_id limit $5`,
    [
      tx.organisationId,
      tx.environment,
      id,
      page.after ?? NIL_ID,
      page.limit + 1,
      ...(outcome === undefined ? [] : [outcome]),
    ],
  );
}

/** Compare and set: of many who start it at once, one does. */
export async function setApplying(
  tx: OrganisationTx,
  id: string,
  at: Date,
): Promise<BulkChangeRow | undefined> {
  const [row] = await tx.query<BulkChangeRow>(
    `update bulk_changes set status = 'applying', started_at = $4, advanced_at = $4
     where organisation_id = $1 and environment = $2 and id = $3 and status = 'planned' and expires_at > $4
     returning ${COLUMNS}`,
    [tx.organisationId, tx.environment, id, at],
  );
  return row;
}

import type { Tx } from "../../platform/db/database.ts";

export interface EpochRow {
  epoch: string;
  began_at: Date;
  cause: "first" | "rollback" | "operator";
  newest_row_at: Date | null;
  evidence: Record<string, unknown>;
  is_held: boolean;
  resolved_at: Date | null;
  resolved_by: string | null;
}

const COLUMNS = "epoch, began_at, cause, newest_row_at, evidence, is_held, resolved_at, resolved_by";

/** Newest first. `before` is the time and name of the last one of the page before, and times in it have milliseconds. */
export async function listEpochsBefore(
  tx: Tx,
  before: { beganAt: string; epoch: string } | undefined,
  limit: number,
): Promise<EpochRow[]> {
  return tx.query(
    `select ${COLUMNS} from feed_epochs, date_trunc('milliseconds', began_at) began
     where $1::timestamptz is null or (began, epoch) < ($1, $2)
     order by began desc, epoch desc limit $3`,
    [before?.beganAt ?? null, before?.epoch ?? null, limit + 1],
  );
}

export async function lockEpoch(tx: Tx, epoch: string): Promise<EpochRow | undefined> {
  const [row] = await tx.query<EpochRow>(
    `select ${COLUMNS} from feed_epochs where epoch = $1 for no key update`,
    [epoch],
  );
  return row;
}

export async function setEpochResolved(tx: Tx, epoch: string, at: Date, by: string): Promise<EpochRow> {
  const [row] = await tx.query<EpochRow>(
    `update feed_epochs set is_held = false, resolved_at = $2, resolved_by = $3 where epoch = $1 returning ${COLUMNS}`,
    [epoch, at, by],
  );
  await tx.query("update feed_epoch set is_held = false where epoch = $1", [epoch]);
  return row!;
}

export async function findEpoch(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ epoch: string }>("select epoch from feed_epoch");
  return row!.epoch;
}

export interface NewEpoch {
  at: Date;
  cause: "rollback" | "operator";
  /** The epoch that ends. */
  ended: string;
  evidence: object;
  isHeld: boolean;
}

/** Ends an epoch, if it is still the current one. */
export async function beginEpoch(
  tx: Tx,
  { at, cause, ended, evidence, isHeld }: NewEpoch,
): Promise<{ epoch: string; isNew: boolean }> {
  const [row] = await tx.query<{ epoch: string; isNew: boolean }>(
    `select new_epoch as epoch, is_new as "isNew" from begin_epoch($1, $2, $3, $4, $5)`,
    [at, cause, ended, evidence, isHeld],
  );
  return row!;
}

/** The installation is being restored from a backup: switches are held, and work that cannot be undone waits. */
export async function insertRestore(
  tx: Tx,
  restore: {
    id: string;
    epoch: string;
    cause: "operator" | "rollback";
    restoredTo: Date | null;
    by: string;
    at: Date;
  },
): Promise<void> {
  const { id, epoch, cause, restoredTo, by, at } = restore;
  await tx.query("select open_restore($1, $2, $3, $4, $5, $6)", [id, epoch, cause, restoredTo, by, at]);
}

export async function setEpochsResolved(tx: Tx, at: Date, by: string): Promise<void> {
  await tx.query(
    "update feed_epochs set is_held = false, resolved_at = $1, resolved_by = $2 where resolved_at is null",
    [at, by],
  );
}

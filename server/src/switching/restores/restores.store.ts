import type { Tx } from "../../platform/db/database.ts";

export interface RestoreRow {
  id: string;
  epoch: string;
  restored_to: Date | null;
  cause: "operator" | "rollback";
  began_at: Date;
  began_by: string;
  /** When the carriers were compared last. */
  compared_at: Date | null;
  ended_at: Date | null;
  ended_by: string | null;
}

const COLUMNS = "id, epoch, restored_to, cause, began_at, began_by, compared_at, ended_at, ended_by";

/** Newest first. */
export async function listRestoresBefore(
  tx: Tx,
  before: string | undefined,
  limit: number,
): Promise<RestoreRow[]> {
  return tx.query(
    `select ${COLUMNS} from restores where $1::uuid is null or id < $1 order by id desc limit $2`,
    [before ?? null, limit + 1],
  );
}

export async function findRestore(tx: Tx, id: string): Promise<RestoreRow | undefined> {
  const [row] = await tx.query<RestoreRow>(`select ${COLUMNS} from restores where id = $1`, [id]);
  return row;
}

/** Serialises with other ends of the restore. */
export async function lockRestore(tx: Tx, id: string): Promise<RestoreRow | undefined> {
  const [row] = await tx.query<RestoreRow>(
    `select ${COLUMNS} from restores where id = $1 for no key update`,
    [id],
  );
  return row;
}

export async function setCompared(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query("update restores set compared_at = $2 where id = $1", [id, at]);
}

export async function setEnded(tx: Tx, id: string, at: Date, by: string): Promise<void> {
  await tx.query("update restores set ended_at = $2, ended_by = $3 where id = $1", [id, at, by]);
}

export interface SwitchState {
  switch: string;
  /** `missing`: the agent has not announced the state it had when the restore began. */
  state: "missing" | "announced" | "compared";
  items: number | null;
}

/** Switches that carry calls of live numbers, and whether their state was compared. */
export async function listSwitchStates(tx: Tx, epoch: string): Promise<SwitchState[]> {
  return tx.query(
    `select w.name as switch, t.items,
       case when t.id is null then 'missing' when t.compared_at is null then 'announced' else 'compared' end as state
     from switches w join switch_groups g on g.id = w.group_id
     left join saved_states t on t.switch_id = w.id and t.hold = $1
     where g.environment = 'live' and w.state <> 'retired' order by w.name, w.id`,
    [epoch],
  );
}

export interface CarrierState {
  carrier: string;
  state: "running" | "finished" | "failed";
  error: string | null;
}

/** The last comparison of each carrier since the restore began. */
export async function listCarrierStates(tx: Tx, since: Date): Promise<CarrierState[]> {
  return tx.query(
    `select distinct on (carrier) carrier, status as state, error from reconciliations
     where started_at >= $1 order by carrier, id desc`,
    [since],
  );
}

export interface UncomparedState {
  id: string;
  switch_id: string;
}

export async function listUncomparedStates(tx: Tx, epoch: string): Promise<UncomparedState[]> {
  return tx.query(
    `select id, switch_id from saved_states
     where hold = $1 and uploaded_at is not null and compared_at is null order by id`,
    [epoch],
  );
}

export async function listShardsOf(tx: Tx, switchId: string): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    "select s.id from feed_shards s join switches w on w.group_id = s.group_id where w.id = $1 order by s.id",
    [switchId],
  );
  return rows.map(({ id }) => id);
}

export async function compareShard(
  tx: Tx,
  { restoreId, stateId, shard }: { restoreId: string; stateId: string; shard: number },
): Promise<void> {
  await tx.query("select compare_shard($1, $2, $3)", [restoreId, stateId, shard]);
}

export async function setStateCompared(tx: Tx, stateId: string, at: Date): Promise<void> {
  await tx.query("update saved_states set compared_at = $2 where id = $1", [stateId, at]);
}

export type ReplayOutcome = "known" | "other" | "replayed" | "no_effect" | "review";

export async function replayEntry(
  tx: Tx,
  entry: object,
  { organisationId, at }: { organisationId: string | undefined; at: Date },
): Promise<ReplayOutcome> {
  const [row] = await tx.query<{ outcome: ReplayOutcome }>(
    "select replay_revocation($1, $2, $3) as outcome",
    [entry, organisationId ?? null, at],
  );
  return row!.outcome;
}

export async function suspendKeys(tx: Tx, restoreId: string, at: Date): Promise<number> {
  const [row] = await tx.query<{ count: number }>("select suspend_api_keys($1, $2) as count", [
    restoreId,
    at,
  ]);
  return row!.count;
}

import type { Tx } from "../../platform/db/database.ts";
import type { AnnouncedStates, SavedStatePart } from "./saved-states.schema.ts";

export interface SavedStateRow {
  id: string;
  switch_id: string;
  epoch: string;
  saved_at: Date;
  items: number;
  requested_at: Date | null;
  uploaded_at: Date | null;
}

export interface SavedStateItemRow {
  kind: "route" | "connection";
  id: string;
  shard: number;
  version: string;
  generation: string;
  value: Record<string, unknown>;
}

const COLUMNS = "id, switch_id, epoch, saved_at, items, requested_at, uploaded_at";

/** Deletes states that the agent no longer has and never uploaded. */
export async function replaceAnnounced(
  tx: Tx,
  switchId: string,
  states: (AnnouncedStates["states"][0] & { id: string })[],
  at: Date,
): Promise<void> {
  await tx.query(
    "delete from saved_states where switch_id = $1 and uploaded_at is null and epoch <> all($2)",
    [switchId, states.map(({ epoch }) => epoch)],
  );
  await tx.query(
    `insert into saved_states as s (id, switch_id, epoch, saved_at, items, hold, requested_at)
     select a.id, $1, a.epoch, a.saved_at, a.items, a.hold,
       case when a.hold = (select epoch from feed_epoch where is_restore) then $3::timestamptz end
     from jsonb_to_recordset($2) as a(id uuid, epoch text, saved_at timestamptz, items integer, hold text)
     on conflict (switch_id, epoch) do update set saved_at = excluded.saved_at, items = excluded.items
     where s.uploaded_at is null and (s.saved_at, s.items) <> (excluded.saved_at, excluded.items)`,
    [switchId, JSON.stringify(states), at],
  );
}

/** Their epochs. */
export async function listRequested(tx: Tx, switchId: string): Promise<string[]> {
  const rows = await tx.query<{ epoch: string }>(
    `select epoch from saved_states
     where switch_id = $1 and requested_at is not null and uploaded_at is null order by saved_at`,
    [switchId],
  );
  return rows.map(({ epoch }) => epoch);
}

export async function lockState(tx: Tx, switchId: string, epoch: string): Promise<SavedStateRow | undefined> {
  const [row] = await tx.query<SavedStateRow>(
    `select ${COLUMNS} from saved_states where switch_id = $1 and epoch = $2 for no key update`,
    [switchId, epoch],
  );
  return row;
}

/** An item that is sent again stays as it is. */
export async function insertItems(tx: Tx, stateId: string, items: SavedStatePart["items"]): Promise<void> {
  await tx.query(
    `insert into saved_state_items (state_id, item_id, kind, shard, version, generation, holder_id, value)
     select $1, i.id, i.kind, i.shard, i.version, i.generation, i.organisation_id, i.value
     from jsonb_to_recordset($2) as i(id uuid, kind text, shard integer, version bigint, generation bigint,
       organisation_id uuid, value jsonb)
     on conflict (state_id, item_id) do nothing`,
    [stateId, JSON.stringify(items)],
  );
}

export async function countItems(tx: Tx, stateId: string): Promise<number> {
  const [row] = await tx.query<{ count: string }>(
    "select count(*) from saved_state_items where state_id = $1",
    [stateId],
  );
  return Number(row!.count);
}

export async function deleteItems(tx: Tx, stateId: string): Promise<void> {
  await tx.query("delete from saved_state_items where state_id = $1", [stateId]);
}

/** Keeps this many uploaded states of the switch, the newest. */
export async function setUploaded(
  tx: Tx,
  { id, switch_id: switchId }: SavedStateRow,
  at: Date,
  mostKept: number,
): Promise<void> {
  await tx.query("update saved_states set uploaded_at = $2 where id = $1", [id, at]);
  await tx.query(
    `delete from saved_states where id in (
       select id from saved_states where switch_id = $1 and uploaded_at is not null
       order by saved_at desc, id offset $2)`,
    [switchId, mostKept],
  );
}

/** Newest first. Times of cursors have milliseconds. */
export async function listStates(
  tx: Tx,
  filter: { switchId: string | undefined },
  page: { before: { savedAt: string; id: string } | undefined; limit: number },
): Promise<SavedStateRow[]> {
  return tx.query(
    `select ${COLUMNS} from saved_states, date_trunc('milliseconds', saved_at) saved
     where ($1::uuid is null or switch_id = $1) and ($2::timestamptz is null or (saved, id) < ($2, $3))
     order by saved desc, id desc limit $4`,
    [filter.switchId ?? null, page.before?.savedAt ?? null, page.before?.id ?? null, page.limit + 1],
  );
}

export async function findState(tx: Tx, id: string): Promise<SavedStateRow | undefined> {
  const [row] = await tx.query<SavedStateRow>(`select ${COLUMNS} from saved_states where id = $1`, [id]);
  return row;
}

/** Undefined if it is gone, or was requested before. */
export async function setRequested(tx: Tx, id: string, at: Date): Promise<SavedStateRow | undefined> {
  const [row] = await tx.query<SavedStateRow>(
    `update saved_states set requested_at = $2 where id = $1 and requested_at is null returning ${COLUMNS}`,
    [id, at],
  );
  return row;
}

export async function listItems(
  tx: Tx,
  stateId: string,
  { number, after, limit }: { number: string | undefined; after: string | undefined; limit: number },
): Promise<SavedStateItemRow[]> {
  return tx.query(
    `select kind, item_id as id, shard, version, generation, value from saved_state_items
     where state_id = $1 and ($2::text is null or e164 = $2) and ($3::uuid is null or item_id > $3)
     order by item_id limit $4`,
    [stateId, number ?? null, after ?? null, limit + 1],
  );
}

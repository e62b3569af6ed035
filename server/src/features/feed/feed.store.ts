import type { Database, SwitchScope } from "../../platform/db/database.ts";
import type { ShardRange, ToldState } from "./feed.rules.ts";

/** An item as the protocol has it, made by the database: here nobody looks into it. */
const ITEM = `'{"kind":"' || i.kind || '","id":"' || i.item_id || '","version":' || i.version || ',"generation":' || i.generation
  || ',"value":' || coalesce(i.value::text, 'null') || '}'`;

export interface FeedState {
  /** What the database says its epoch is, and what was written down when it began. */
  found: string;
  epoch: string | null;
  /** Whatever is committed after this was read has a transaction of at least this number. */
  mark: string;
  /** Shards with their heads, and with their confirmed versions, as text: those that changed since the known mark. */
  heads: string | null;
  confirmed: string | null;
}

/** Before every transaction there was. */
export const NO_MARK = "0";

/** The one statement that runs all the time. It answers what changed, whatever the number of shards and switches. */
export async function readFeedState(db: Database, knownMark: string): Promise<FeedState> {
  const [row] = await db.forSystem.read<FeedState>(
    "feed",
    `select found_epoch() as found, (select epoch from feed_epoch) as epoch,
       pg_snapshot_xmin(pg_current_snapshot())::xid::text as mark,
       (select string_agg(id || ' ' || head, ',') from feed_shards where age(xmin) <= age($1::xid)) as heads,
       (select string_agg(shard || ' ' || version, ',') from feed_confirmations where age(xmin) <= age($1::xid)) as confirmed`,
    [knownMark],
  );
  return row!;
}

export async function beginEpoch(db: Database, at: Date): Promise<void> {
  await db.forSystem("feed", (tx) => tx.query("select begin_epoch($1)", [at]));
}

export interface ShardSpan {
  shard: number;
  after: number;
  version: number;
}

/** What changed in some shards between two versions of each, for everybody who stands at the first. */
export async function readSpans(
  db: Database,
  spans: readonly ShardSpan[],
): Promise<{ epoch: string; shard: number; items: string | null }[]> {
  return db.forSystem.read(
    "feed",
    `select found_epoch() as epoch, w.shard, page.items
     from unnest($1::integer[], $2::bigint[], $3::bigint[]) as w (shard, after, upto)
     cross join lateral (
       select string_agg(${ITEM}, ',' order by i.version) as items
       from feed_items i where i.shard = w.shard and i.version > w.after and i.version <= w.upto) page`,
    [spans.map(({ shard }) => shard), spans.map(({ after }) => after), spans.map(({ version }) => version)],
  );
}

export interface GroupView {
  found: string;
  epoch: string | null;
  shards: ShardRange[];
}

/** Every shard of a switch's group, and under which epoch. */
export async function readGroup(db: Database, who: SwitchScope): Promise<GroupView> {
  const rows = await db.forSwitch.read<{
    found: string;
    epoch: string | null;
    id: number;
    head: string;
    floor: string;
  }>(
    who,
    `select found_epoch() as found, (select epoch from feed_epoch) as epoch, id, head, floor
     from feed_shards where group_id = $1 order by id`,
    [who.groupId],
  );
  const shards = rows.map(({ id, head, floor }) => ({ id, head: Number(head), floor: Number(floor) }));
  return { found: rows[0]?.found ?? "", epoch: rows[0]?.epoch ?? null, shards };
}

export interface ShardPage {
  epoch: string;
  shard: number;
  head: number;
  floor: number;
  items: string | null;
  /** Up to where the page goes. */
  version: number;
}

/** What changed in some shards since a version of each, so many items of each at most. One statement: one moment. */
export async function readChanges(
  db: Database,
  who: SwitchScope,
  since: readonly { shard: number; after: number }[],
  limit: number,
): Promise<ShardPage[]> {
  const rows = await db.forSwitch.read<{ epoch: string; shard: number; items: string | null } & Texts>(
    who,
    `select found_epoch() as epoch, s.id as shard, s.head, s.floor, page.items,
       case when page.count < $3 then s.head else page.last end as version
     from unnest($1::integer[], $2::bigint[]) as w (shard, after)
     join feed_shards s on s.id = w.shard
     cross join lateral (
       select string_agg(${ITEM}, ',' order by i.version) as items, max(i.version) as last, count(*) as count
       from (select * from feed_items f where f.shard = w.shard and f.version > w.after order by f.version limit $3) i) page`,
    [since.map(({ shard }) => shard), since.map(({ after }) => after), limit],
  );
  return rows.map((row) => ({
    ...row,
    head: Number(row.head),
    floor: Number(row.floor),
    version: Number(row.version),
  }));
}

type Texts = Record<"head" | "floor" | "version", string>;

/** Everything some shards hold, and at which version; of each item the newest, without those that are gone. */
export async function readSnapshots(
  db: Database,
  who: SwitchScope,
  shards: readonly number[],
): Promise<{ epoch: string; shard: number; version: number; items: string | null }[]> {
  const rows = await db.forSwitch.read<{
    epoch: string;
    shard: number;
    version: string;
    items: string | null;
  }>(
    who,
    `select found_epoch() as epoch, s.id as shard, s.head as version, (
       select string_agg(${ITEM}, ',' order by i.version)
       from (select distinct on (f.item_id) * from feed_items f where f.shard = s.id order by f.item_id, f.version desc) i
       where i.value is not null) as items
     from feed_shards s where s.id = any ($1) order by s.id`,
    [shards],
  );
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}

export interface Admitted {
  id: string;
  /** Of its credential; null: it needs none. */
  mac: string | null;
  state: ToldState | "retired";
}

/** The state in which each of these switches is to be: one that returns takes no calls before it has read back everything. */
export async function listAdmitted(
  db: Database,
  switchIds: readonly string[],
): Promise<Map<string, Admitted>> {
  const rows = await db.forSystem.read<Admitted>(
    "feed",
    `select id, encode(credential_mac, 'hex') as mac, case when is_returning and state = 'active' then 'draining' else state end as state
     from switches where id = any ($1)`,
    [switchIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** `readers` are those that have read how their targets are, too. */
export async function setSwitchesSeen(
  db: Database,
  switchIds: readonly string[],
  readers: readonly string[],
): Promise<void> {
  await db.forSystem.write(
    "feed",
    `update switches set last_seen_at = now(), targets_read_at = case when id = any ($2) then now() else targets_read_at end
     where id = any ($1)`,
    [switchIds, readers],
  );
}

/** Shards in which something that was taken away is remembered longer than it has to be. */
export async function listForgettableShards(db: Database, before: Date): Promise<number[]> {
  const rows = await db.forSystem.read<{ shard: number }>(
    "feed",
    "select distinct shard from feed_items where value is null and confirmed_at < $1 order by shard",
    [before],
  );
  return rows.map(({ shard }) => shard);
}

/** Forgets what is gone from a shard; whoever stopped reading before that starts over. */
export async function forgetGone(db: Database, shard: number, before: Date): Promise<void> {
  await db.forSystem.write(
    "feed",
    `with gone as (
       delete from feed_items where shard = $1 and value is null and confirmed_at < $2 returning version
     )
     update feed_shards set floor = greatest(floor, (select max(version) from gone))
     where id = $1 and exists (select from gone)`,
    [shard, before],
  );
}

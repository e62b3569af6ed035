import type { Database, SwitchScope } from "../../platform/db/database.ts";
import type { ShardRange, DesiredState, VersionToken } from "./feed.rules.ts";

/** An item of the protocol, built by the database. This process does not parse it. */
const ITEM = `'{"kind":"' || i.kind || '","id":"' || i.item_id || '","version":' || i.version || ',"generation":' || i.generation
  || ',"organisation_id":"' || i.organisation_id || '"'
  || ',"value":' || coalesce(i.value::text, 'null') || '}'`;

/** The current epoch of the feed, and the database instance that serves it. */
export interface EpochView {
  epoch: string;
  /** Agents are not served until an operator resolves a rollback. */
  isHeld: boolean;
  /** A restore of the database is open. */
  isRestore: boolean;
  instance: string;
}

export interface FeedState extends EpochView {
  /** Every transaction that commits later has at least this number. Falls if the database was rolled back. */
  xmin: string;
  /** The same in 32 bits, to compare rows with. */
  mark: string;
  /** Heads of the shards that changed since the known mark. */
  heads: Map<number, VersionToken>;
  confirmed: Map<number, number>;
}

const EPOCH = `e.epoch, e.is_held as "isHeld", e.is_restore as "isRestore", database_instance()::text as instance`;

/** Before every transaction there was. */
export const NO_MARK = "0";

/** The only statement that runs all the time. It returns changes only, whatever the number of shards and switches. */
export async function readFeedState(db: Database, knownMark: string): Promise<FeedState> {
  const [row] = await db.forSystem.read<
    Omit<FeedState, "heads" | "confirmed"> & Record<"heads" | "confirmed", string | null>
  >(
    "feed",
    `select ${EPOCH}, pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_snapshot_xmin(pg_current_snapshot())::xid::text as mark,
       (select string_agg(id || ' ' || head || ' ' || token, ',') from feed_shards where age(xmin) <= age($1::xid)) as heads,
       (select string_agg(shard || ' ' || version, ',') from feed_confirmations where age(xmin) <= age($1::xid)) as confirmed
     from feed_epoch e`,
    [knownMark],
  );
  const heads = rowsIn(row!.heads).map(
    ([shard, version, token]) => [shard!, { version: version!, token: token! }] as const,
  );
  const confirmed = rowsIn(row!.confirmed).map(([shard, version]) => [shard!, version!] as const);
  return { ...row!, heads: new Map(heads), confirmed: new Map(confirmed) };
}

/** As text, because hundreds of rows cost more to read than one. */
function rowsIn(text: string | null): number[][] {
  return text?.split(",").map((row) => row.split(" ").map(Number)) ?? [];
}

/** Records when a server first saw this instance of the database, and its newest row at that moment. */
export async function noteInstance(db: Database, at: Date): Promise<void> {
  await db.forSystem("feed", (tx) => tx.query("select note_instance($1)", [at]));
}

export async function isKnownEpoch(db: Database, epoch: string): Promise<boolean> {
  const rows = await db.forSystem.read("feed", "select from feed_epochs where epoch = $1", [epoch]);
  return rows.length > 0;
}

export interface ShardSpan {
  shard: number;
  after: number;
  /** Of `after`: the base on which the items of the span build. */
  afterToken: number;
  version: number;
  token: number;
}

/** The changes of some shards between two versions of each. `isSound` is false if either version is of another history. */
export async function readSpans(
  db: Database,
  spans: readonly ShardSpan[],
): Promise<{ epoch: string; shard: number; items: string | null; isSound: boolean }[]> {
  return db.forSystem.read(
    "feed",
    `select (select epoch from feed_epoch) as epoch, w.shard, page.items,
       coalesce(feed_token(w.shard, w.after) = w.after_token and feed_token(w.shard, w.upto) = w.token, false) as "isSound"
     from unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) as w (shard, after, after_token, upto, token)
     cross join lateral (
       select string_agg(${ITEM}, ',' order by i.version) as items
       from feed_items i where i.shard = w.shard and i.version > w.after and i.version <= w.upto) page`,
    [
      spans.map(({ shard }) => shard),
      spans.map(({ after }) => after),
      spans.map(({ afterToken }) => afterToken),
      spans.map(({ version }) => version),
      spans.map(({ token }) => token),
    ],
  );
}

/** The tokens of some versions of shards; null if the version is no longer known. */
export async function readTokens(
  db: Database,
  places: readonly { shard: number; version: number }[],
): Promise<Map<number, number | null>> {
  const rows = await db.forSystem.read<{ shard: number; token: string | null }>(
    "feed",
    "select p.shard, feed_token(p.shard, p.version) as token from unnest($1::integer[], $2::bigint[]) as p (shard, version)",
    [places.map(({ shard }) => shard), places.map(({ version }) => version)],
  );
  return new Map(rows.map(({ shard, token }) => [shard, token === null ? null : Number(token)]));
}

export interface GroupView extends EpochView {
  /** Changes when the database is promoted or restored. */
  lineage: string;
  shards: ShardRange[];
}

/** Every shard of a switch's group, and the epoch. */
export async function readGroup(db: Database, who: SwitchScope): Promise<GroupView> {
  const rows = await db.forSwitch.read<
    EpochView &
      Record<"lineage" | "head" | "token" | "floor", string> &
      Record<"held_version" | "held_token", string | null> & { id: number }
  >(
    who,
    `select ${EPOCH}, database_lineage() as lineage, s.id, s.head, s.token, s.floor, s.held_version, s.held_token from feed_epoch e
     cross join feed_shards s where s.group_id = $1 order by s.id`,
    [who.groupId],
  );
  const { epoch, isHeld, isRestore, instance, lineage } = rows[0]!;
  const shards = rows.map(({ id, head, token, floor, held_version: held, held_token: heldToken }) => ({
    id,
    head: Number(head),
    token: Number(token),
    floor: Number(floor),
    // A shard that is younger than the restore has been sent from its beginning.
    held: { version: Number(held ?? 0), token: Number(heldToken ?? 0) },
  }));
  return { epoch, isHeld, isRestore, instance, lineage, shards };
}

export interface ShardPage {
  epoch: string;
  shard: number;
  head: number;
  floor: number;
  items: string | null;
  /** The last version of the page, and its token. */
  version: number;
  token: number;
  /** The token of the version that the page builds on; null if it is no longer known. */
  afterToken: number | null;
}

/** Changes in some shards since a version of each, at most `limit` items per shard. One statement, so one snapshot. */
export async function readChanges(
  db: Database,
  who: SwitchScope,
  since: readonly { shard: number; after: number }[],
  limit: number,
): Promise<ShardPage[]> {
  const rows = await db.forSwitch.read<{ epoch: string; shard: number; items: string | null } & Texts>(
    who,
    `select (select epoch from feed_epoch) as epoch, s.id as shard, s.head, s.floor, page.items,
       case when page.count < $3 then s.head else page.last end as version,
       case when page.count < $3 then s.token else page.token end as token,
       case w.after when s.head then s.token else feed_token(w.shard, w.after) end as "afterToken"
     from unnest($1::integer[], $2::bigint[]) as w (shard, after)
     join feed_shards s on s.id = w.shard
     cross join lateral (
       select string_agg(${ITEM}, ',' order by i.version) as items, max(i.version) as last, count(*) as count,
         (array_agg(i.token order by i.version desc))[1] as token
       from (select * from feed_items f where f.shard = w.shard and f.version > w.after order by f.version limit $3) i) page`,
    [since.map(({ shard }) => shard), since.map(({ after }) => after), limit],
  );
  return rows.map((row) => ({
    ...row,
    head: Number(row.head),
    floor: Number(row.floor),
    version: Number(row.version),
    token: Number(row.token),
    afterToken: row.afterToken === null ? null : Number(row.afterToken),
  }));
}

type Texts = Record<"head" | "floor" | "version" | "token", string> & { afterToken: string | null };

/** Everything some shards hold, and at which version; of each item the newest, without those that are gone. */
export async function readSnapshots(
  db: Database,
  who: SwitchScope,
  shards: readonly number[],
): Promise<{ epoch: string; shard: number; version: number; token: number; items: string | null }[]> {
  const rows = await db.forSwitch.read<{
    epoch: string;
    shard: number;
    version: string;
    token: string;
    items: string | null;
  }>(
    who,
    `select (select epoch from feed_epoch) as epoch, s.id as shard, s.head as version, s.token, (
       select string_agg(${ITEM}, ',' order by i.version)
       from (select distinct on (f.item_id) * from feed_items f where f.shard = s.id order by f.item_id, f.version desc) i
       where i.value is not null) as items
     from feed_shards s where s.id = any ($1) order by s.id`,
    [shards],
  );
  return rows.map((row) => ({ ...row, version: Number(row.version), token: Number(row.token) }));
}

export interface Admitted {
  id: string;
  credential_version: number;
  state: DesiredState | "retired";
}

/** The state in which each of these switches is to be: one that returns takes no calls before it has read back everything. */
export async function listAdmitted(
  db: Database,
  switchIds: readonly string[],
): Promise<Map<string, Admitted>> {
  const rows = await db.forSystem.read<Admitted>(
    "feed",
    `select id, credential_version, case when is_returning and state = 'active' then 'draining' else state end as state
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

/** Deletes removed items from a shard. An agent that stopped reading before them reloads the shard. */
export async function forgetGone(db: Database, shard: number, before: Date): Promise<void> {
  await db.forSystem.write(
    "feed",
    `with gone as (
       delete from feed_items where shard = $1 and value is null and confirmed_at < $2 returning version, token
     ), newest as (select version, token from gone order by version desc limit 1)
     update feed_shards set floor = newest.version, floor_token = newest.token
     from newest where id = $1 and floor < newest.version`,
    [shard, before],
  );
}

/** Shards with versions that not every switch has confirmed. */
export async function listUnconfirmedShards(db: Database): Promise<number[]> {
  const rows = await db.forSystem.read<{ id: number }>(
    "feed",
    "select s.id from feed_shards s join feed_confirmations c on c.shard = s.id where c.version < s.head order by s.id",
  );
  return rows.map(({ id }) => id);
}

/** Removes versions that are neither the newest of their item nor held by a switch. Returns how many. */
export async function pruneSuperseded(
  db: Database,
  shard: number,
  publishedBefore: Date,
  most: number,
): Promise<number> {
  const [row] = await db.forSystem.write<{ pruned: number }>(
    "feed",
    "select prune_superseded($1, $2, $3) as pruned",
    [shard, publishedBefore, most],
  );
  return row!.pruned;
}

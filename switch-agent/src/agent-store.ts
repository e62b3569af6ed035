import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { FeedItem, ItemKind, Position } from "./control-plane.ts";
import { checkpointElsewhere } from "./file-checkpoints.ts";
import { saveState } from "./saved-stores.ts";
import {
  hashOfItem,
  type HeldItem,
  holderOf,
  type ItemName,
  type ItemValue,
  payerOf,
  sumOf,
  type DesiredItem,
} from "./held-item.ts";

const SCHEMA_VERSION = 2;
const SCHEMA = `
  drop table if exists epoch;
  drop table if exists shards;
  drop table if exists items;
  create table epoch (id integer primary key check (id = 1), epoch text not null);
  create table shards (shard integer primary key, version integer, digest text not null default '0');
  create table items (
    kind text not null, id text not null, shard integer not null, version integer not null,
    generation integer not null, value text not null, primary key (kind, id)
  ) without rowid;
  create index items_by_shard on items (shard);
  pragma user_version = ${SCHEMA_VERSION};
`;
/** Added to stores that an earlier version made: everything in them stays. */
const ADDITIONS = `
  create table if not exists service (id integer primary key check (id = 1), features text not null, switch_id text not null);
`;
/** The items of a shard lie far apart: with small pages, little is written next to them. */
const PRAGMAS = `
  pragma page_size = 1024; pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 2000;
  pragma cache_size = -65536;
`;

interface ItemRow extends ItemName {
  shard: number;
  version: number;
  generation: number;
  value: string;
  payer: string | null;
  holder: string | null;
}

export interface StoredShard {
  shard: number;
  version: number;
  /** Token of the version. Null if the service sends no tokens. */
  token: number | null;
}

/** Desired state of this switch. It survives crashes: items and position change in one transaction. */
export interface AgentStore {
  position(): Position;
  /**
   * All shards ever received. The version is -1 if the position was reset and a snapshot must replace the
   * items.
   */
  listShards(): StoredShard[];
  listItems(shard: number): DesiredItem[];
  /** The sum of the items' hashes, kept with them: to count it again takes a large shard long. */
  digestOf(shard: number): bigint;
  setDigest(shard: number, digest: bigint): void;
  findItem(name: ItemName): DesiredItem | undefined;
  /** Enters an epoch: under another one than before, every position is forgotten. Shards not listed go. */
  enterEpoch(epoch: string, shards: number[]): void;
  replaceShard(at: StoredShard, items: FeedItem[]): void;
  /** Returns the previous value of each item. */
  changeShard(at: StoredShard, items: FeedItem[]): (DesiredItem | undefined)[];
  /**
   * Stores the service's features and the switch ID. The agent sends them with its position, before the next
   * hello.
   */
  setService(service: { features: string[]; switchId: string }): void;
  forgetFeatures(): void;
  /**
   * Saves a copy of all items next to the store, under their epoch. `hold` is the epoch of a restore that begins: later
   * copies under the same epoch are left out, because the first is the state before the restore.
   */
  saveState(hold?: string): Promise<void>;
  close(): void;
}

/** A table of another layout is emptied: all it held comes again. */
export function openAgentStore(path: string, hash: (item: HeldItem) => bigint = hashOfItem): AgentStore {
  const db = new DatabaseSync(path);
  db.exec(PRAGMAS);
  const layout = db.prepare("pragma user_version").get() as { user_version: number };
  if (layout.user_version !== SCHEMA_VERSION) inTransaction(db, () => db.exec(SCHEMA));
  addMissing(db);
  const sql = statements(db);
  const checkpoints = checkpointElsewhere(db, path);
  const digestOf = (shard: number): bigint =>
    BigInt((sql.findDigest.get(shard) as { digest: string } | undefined)?.digest ?? 0);
  const setDigest = (shard: number, digest: bigint): void =>
    void sql.setDigest.run(String(digest), shard, String(digest));
  return {
    position: () => positionOf(sql),
    listShards: () =>
      shardRows(sql).map(({ shard, version, token }) => ({ shard, version: version ?? -1, token })),
    listItems: (shard) => (sql.listItems.all(shard) as unknown as ItemRow[]).map(asDesired),
    digestOf,
    setDigest,
    findItem: (name) => findItem(sql, name),
    enterEpoch: (epoch, shards) => inTransaction(db, () => enterEpoch(sql, epoch, shards)),
    setService: ({ features, switchId }) => void sql.setService.run(JSON.stringify(features), switchId),
    forgetFeatures: () => void sql.forgetFeatures.run(),
    async saveState(hold) {
      const { epoch } = positionOf(sql);
      if (epoch !== null && path !== ":memory:") await saveState(db, path, { epoch, hold });
    },
    replaceShard: ({ shard, version, token }, items) =>
      inTransaction(db, () => {
        sql.deleteShardItems.run(shard);
        for (const item of items) setItem(sql, shard, item);
        sql.setShard.run(shard, version, token);
        setDigest(
          shard,
          items.reduce((sum, item) => sumOf(sum, hashIn(shard, item, hash)), 0n),
        );
      }),
    changeShard: ({ shard, version, token }, items) =>
      inTransaction(db, () => {
        const added = new Map<number, bigint>();
        const add = (to: number, sum: bigint) => added.set(to, sumOf(added.get(to) ?? 0n, sum));
        const before = items.map((item) => {
          const former = findItem(sql, item);
          setItem(sql, shard, item);
          if (former && (item.value || former.shard === shard)) add(former.shard, -hash(former));
          add(shard, hashIn(shard, item, hash));
          return former;
        });
        sql.setShard.run(shard, version, token);
        for (const [of, sum] of added) setDigest(of, sumOf(digestOf(of), sum));
        return before;
      }),
    close: () => {
      checkpoints.stop();
      db.close();
    },
  };
}

function hashIn(shard: number, item: FeedItem, hash: (item: HeldItem) => bigint): bigint {
  const { kind, id, generation, value } = item;
  return value === null ? 0n : hash({ kind, id, shard, generation, value, ...payerOf(item) });
}

type Statements = ReturnType<typeof statements>;

function statements(db: DatabaseSync) {
  const prepare = (text: string): StatementSync => db.prepare(text);
  return {
    findEpoch: prepare("select epoch from epoch"),
    setEpoch: prepare("insert or replace into epoch (id, epoch) values (1, ?)"),
    listShards: prepare("select shard, version, token from shards order by shard"),
    setShard: prepare(
      "insert into shards (shard, version, token) values (?, ?, ?) on conflict do update set version = excluded.version, token = excluded.token",
    ),
    findService: prepare("select features, switch_id from service"),
    setService: prepare("insert or replace into service (id, features, switch_id) values (1, ?, ?)"),
    forgetFeatures: prepare("update service set features = '[]'"),
    findDigest: prepare("select digest from shards where shard = ?"),
    setDigest: prepare("update shards set digest = ? where shard = ? and digest <> ?"),
    forgetPositions: prepare("update shards set version = null, token = null"),
    deleteShard: prepare("delete from shards where shard = ?"),
    deleteShardItems: prepare("delete from items where shard = ?"),
    listItems: prepare(
      "select kind, id, shard, version, generation, value, payer, holder from items where shard = ?",
    ),
    findItem: prepare(
      "select kind, id, shard, version, generation, value, payer, holder from items where kind = ? and id = ?",
    ),
    setItem: prepare(
      "insert or replace into items (kind, id, shard, version, generation, value, payer, holder) values (?, ?, ?, ?, ?, ?, ?, ?)",
    ),
    // Only its own shard takes an item away: it may have moved to another one in the meantime.
    deleteItem: prepare("delete from items where kind = ? and id = ? and shard = ?"),
  };
}

function enterEpoch(sql: Statements, epoch: string, shards: number[]): void {
  const before = sql.findEpoch.get() as { epoch: string } | undefined;
  if (before?.epoch !== epoch) {
    sql.setEpoch.run(epoch);
    sql.forgetPositions.run();
  }
  const listed = new Set(shards);
  for (const { shard } of shardRows(sql)) {
    if (listed.has(shard)) continue;
    sql.deleteShardItems.run(shard);
    sql.deleteShard.run(shard);
  }
}

function setItem(sql: Statements, shard: number, item: FeedItem): void {
  const { kind, id, version, generation, value } = item;
  if (value === null) sql.deleteItem.run(kind, id, shard);
  else {
    const { payer = null } = payerOf(item);
    const { holder = null } = holderOf(item);
    sql.setItem.run(kind, id, shard, version, generation, JSON.stringify(value), payer, holder);
  }
}

function findItem(sql: Statements, { kind, id }: ItemName): DesiredItem | undefined {
  const row = sql.findItem.get(kind, id) as unknown as ItemRow | undefined;
  return row && asDesired(row);
}

interface ShardRow {
  shard: number;
  version: number | null;
  token: number | null;
}

function shardRows(sql: Statements): ShardRow[] {
  return sql.listShards.all() as unknown as ShardRow[];
}

function positionOf(sql: Statements): Position {
  const rows = shardRows(sql);
  const service = sql.findService.get() as { features: string; switch_id: string } | undefined;
  const byShard = (field: "version" | "token"): Record<number, number> =>
    Object.fromEntries(rows.flatMap((row) => (row[field] === null ? [] : [[row.shard, row[field]]])));
  return {
    epoch: (sql.findEpoch.get() as { epoch: string } | undefined)?.epoch ?? null,
    versions: byShard("version"),
    ...(service?.features.includes('"tokens"') && { tokens: byShard("token"), switch_id: service.switch_id }),
    ...(service?.features.includes('"hold"') && { can_hold: true }),
  };
}

function addMissing(db: DatabaseSync): void {
  db.exec(ADDITIONS);
  const columns = db.prepare("select name from pragma_table_info('shards')").all() as { name: string }[];
  if (!columns.some(({ name }) => name === "token")) db.exec("alter table shards add column token integer");
  const ofItems = db.prepare("select name from pragma_table_info('items')").all() as { name: string }[];
  for (const column of ["payer", "holder"]) {
    if (ofItems.some(({ name }) => name === column)) continue;
    // Stored items lack it, so every shard has to come again.
    inTransaction(db, () =>
      db.exec(`alter table items add column ${column} text; update shards set version = null, token = null`),
    );
  }
}

function asDesired(row: ItemRow): DesiredItem {
  const { id, shard, version, generation } = row;
  const kind: ItemKind = row.kind;
  const value = JSON.parse(row.value) as ItemValue;
  return {
    kind,
    id,
    shard,
    version,
    generation,
    value,
    ...(row.payer !== null && { payer: row.payer }),
    ...(row.holder !== null && { holder: row.holder }),
  };
}

function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec("begin immediate");
  try {
    const result = work();
    db.exec("commit");
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec("rollback");
    throw error;
  }
}

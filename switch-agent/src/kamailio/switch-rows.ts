import { DatabaseSync, type StatementSync } from "node:sqlite";
import { checkpointElsewhere } from "../file-checkpoints.ts";
import { addHashes, hashOfRow, hostsIn, ownerOf, type Row, type SwitchTable } from "./route-text.ts";

const SCHEMA_VERSION = 1;
/** `rows` and `marks` are read by the switch too; the rest is the agent's. */
const SCHEMA = `
  drop table if exists rows;
  drop table if exists marks;
  drop table if exists numbers;
  drop table if exists uses;
  drop table if exists digests;
  drop table if exists sets;
  create table rows (
    tbl text not null, key text not null, value text not null, shard integer not null, primary key (tbl, key)
  ) without rowid;
  create index rows_by_shard on rows (shard);
  create table marks (name text primary key, value text not null) without rowid;
  create table numbers (id text primary key, key text not null) without rowid;
  create table uses (
    host text not null, tbl text not null, key text not null, primary key (host, tbl, key)
  ) without rowid;
  create table digests (shard integer primary key, sum integer not null);
  create table sets (
    id integer primary key autoincrement, connection text not null, priority integer not null,
    unique (connection, priority)
  );
  pragma user_version = ${SCHEMA_VERSION};
`;
/**
 * Numbers of a shard lie far apart: with small pages, little is written next to them. The timeout comes first: the
 * switch may be reading the file while its journal changes.
 */
const PRAGMAS = `
  pragma busy_timeout = 2000; pragma page_size = 1024;
  pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536;
`;
/** A webhook in any step. Only the mode of a later step can be a field that is `w` alone. */
const HAS_WEBHOOK = "tbl = 'rt' and (value glob '[wW]|*' or value glob '[A-Z]|*|w|*')";
/** Names and limits belong to no shard. */
const NO_SHARD = -1;

export interface RowChange {
  table: SwitchTable;
  key: string;
  /** Null: it goes. */
  text: string | null;
}

/**
 * Desired contents of the switch's memory, in a file that the switch reads itself while its memory is
 * incomplete. Written before memory changes.
 */
export interface SwitchRows {
  find(table: SwitchTable, key: string): string | undefined;
  /** Returns the number of a route, by its ID. */
  findKey(id: string): string | undefined;
  /** IDs of the routes that use a webhook. */
  listWebhookNumbers(): string[];
  list(table: SwitchTable, shard: number): Row[];
  count(table: SwitchTable): number;
  /** Up to `limit` rows after a key, ordered by key. */
  page(table: SwitchTable, after: string, limit: number): Row[];
  /** All or nothing, on the disk when it returns. */
  write(changes: RowChange[]): void;
  /** For each shard with routes, the sum of their hashes. */
  digests(): Map<number, number>;
  /** Counts a shard's digest again. */
  recount(shard: number): void;
  listHosts(): string[];
  isUsed(host: string): boolean;
  /** Names with addresses that no row needs. */
  listUnusedHosts(): string[];
  listUsers(host: string, table: SwitchTable): string[];
  setOf(connection: string, priority: number): number;
  /** Another id for that tier from now on: the former set is in use until calls go to the new one. */
  renewSet(connection: string, priority: number): number;
  isMarked(name: string): boolean;
  mark(name: "complete" | "draining", isSet: boolean): void;
  /** The rules by which all its addresses were checked; undefined if they were not. */
  checkedBy(): string | undefined;
  setCheckedBy(rules: string): void;
  close(): void;
}

/** Empties a file of another layout: the agent sends all items again. */
export function openSwitchRows(path: string): SwitchRows {
  const db = new DatabaseSync(path);
  db.exec(PRAGMAS);
  const layout = db.prepare("pragma user_version").get() as { user_version: number };
  if (layout.user_version !== SCHEMA_VERSION) inTransaction(db, () => db.exec(SCHEMA));
  // Not part of the layout: a file that lacks it need not be emptied.
  db.exec(
    `drop index if exists rows_of_webhooks;
     create index if not exists rows_with_webhooks on rows (value) where ${HAS_WEBHOOK}`,
  );
  const sql = statements(db);
  const checkpoints = checkpointElsewhere(db, path);
  const find = (table: SwitchTable, key: string) =>
    (sql.find.get(table, key) as { value: string } | undefined)?.value;
  return {
    find,
    findKey: (id) => (sql.findKey.get(id) as { key: string } | undefined)?.key,
    listWebhookNumbers: () =>
      (sql.listWebhooks.all() as { value: string }[]).map(({ value }) => ownerOf(value).id),
    list: (table, shard) => sql.list.all(shard, table) as unknown as Row[],
    count: (table) => (sql.count.get(table) as { count: number }).count,
    page: (table, after, limit) => sql.page.all(table, after, limit) as unknown as Row[],
    write: (changes) =>
      inTransaction(db, () => {
        const added = new Map<number, number>();
        for (const change of changes) writeRow(sql, change, find(change.table, change.key), added);
        for (const [shard, sum] of added) sql.addDigest.run(shard, sum);
      }),
    digests: () => {
      const rows = sql.digests.all() as unknown as { shard: number; sum: number }[];
      return new Map(rows.map(({ shard, sum }) => [shard, sum]));
    },
    recount: (shard) =>
      inTransaction(db, () => {
        sql.dropDigest.run(shard);
        sql.addDigest.run(shard, sumOf(sql.list.all(shard, "rt") as unknown as Row[]));
      }),
    listHosts: () => (sql.hosts.all() as { host: string }[]).map(({ host }) => host),
    isUsed: (host) => sql.isUsed.get(host) !== undefined,
    listUnusedHosts: () => (sql.unusedHosts.all() as { key: string }[]).map(({ key }) => key),
    listUsers: (host, table) => (sql.users.all(host, table) as { key: string }[]).map(({ key }) => key),
    setOf(connection, priority) {
      sql.addSet.run(connection, priority);
      return (sql.findSet.get(connection, priority) as { id: number }).id;
    },
    renewSet: (connection, priority) =>
      inTransaction(db, () => {
        sql.dropSet.run(connection, priority);
        return Number(sql.addSet.run(connection, priority).lastInsertRowid);
      }),
    isMarked: (name) => sql.findMark.get(name) !== undefined,
    mark: (name, isSet) => void sql.mark.run(name, isSet ? "1" : "0"),
    checkedBy: () => (sql.findRules.get() as { value: string } | undefined)?.value,
    setCheckedBy: (rules) => void sql.mark.run("rules", rules),
    close: () => {
      checkpoints.stop();
      db.close();
    },
  };
}

type Statements = ReturnType<typeof statements>;

function statements(db: DatabaseSync) {
  const prepare = (text: string): StatementSync => db.prepare(text);
  return {
    find: prepare("select value from rows where tbl = ? and key = ?"),
    set: prepare("insert or replace into rows (tbl, key, value, shard) values (?, ?, ?, ?)"),
    drop: prepare("delete from rows where tbl = ? and key = ?"),
    list: prepare("select key, value as text from rows where shard = ? and tbl = ?"),
    page: prepare("select key, value as text from rows where tbl = ? and key > ? order by key limit ?"),
    count: prepare("select count(*) as count from rows where tbl = ?"),
    // Named, because SQLite takes the primary key otherwise, and reads a million routes.
    listWebhooks: prepare(`select value from rows indexed by rows_with_webhooks where ${HAS_WEBHOOK}`),
    findKey: prepare("select key from numbers where id = ?"),
    setKey: prepare("insert or replace into numbers (id, key) values (?, ?)"),
    dropKey: prepare("delete from numbers where id = ? and key = ?"),
    use: prepare("insert or ignore into uses (host, tbl, key) values (?, ?, ?)"),
    disuse: prepare("delete from uses where host = ? and tbl = ? and key = ?"),
    // From one name to the next: a name may have a million users.
    hosts: prepare(
      `with recursive hosts (host) as (
         select min(host) from uses
         union all
         select (select min(uses.host) from uses where uses.host > hosts.host) from hosts where host is not null
       )
       select host from hosts where host is not null`,
    ),
    isUsed: prepare("select 1 from uses where host = ? limit 1"),
    unusedHosts: prepare(
      `select key from rows where tbl = 'host' and not exists (select 1 from uses where uses.host = rows.key)`,
    ),
    users: prepare("select key from uses where host = ? and tbl = ?"),
    digests: prepare("select shard, sum from digests where sum <> 0"),
    addDigest: prepare(
      `insert into digests (shard, sum) values (?, ?)
       on conflict (shard) do update set sum = (sum + excluded.sum) & 1073741823`,
    ),
    dropDigest: prepare("delete from digests where shard = ?"),
    addSet: prepare("insert or ignore into sets (connection, priority) values (?, ?)"),
    findSet: prepare("select id from sets where connection = ? and priority = ?"),
    dropSet: prepare("delete from sets where connection = ? and priority = ?"),
    findMark: prepare("select 1 from marks where name = ? and value = '1'"),
    findRules: prepare("select value from marks where name = 'rules'"),
    mark: prepare("insert or replace into marks (name, value) values (?, ?)"),
  };
}

const sumOf = (rows: Row[]): number => rows.reduce((sum, row) => addHashes(sum, hashOfRow(row)), 0);

function writeRow(
  sql: Statements,
  { table, key, text }: RowChange,
  before: string | undefined,
  added: Map<number, number>,
): void {
  if ((before ?? null) === text) return;
  if (text === null) sql.drop.run(table, key);
  else sql.set.run(table, key, text, shardOf(table, text));
  if (table === "host" || table === "org") return;
  const hosts = text === null ? [] : hostsIn(table, text);
  for (const host of before === undefined ? [] : hostsIn(table, before))
    if (!hosts.includes(host)) sql.disuse.run(host, table, key);
  for (const host of hosts) sql.use.run(host, table, key);
  if (table === "rt") indexRoute(sql, key, { before, after: text ?? undefined }, added);
}

function indexRoute(
  sql: Statements,
  key: string,
  { before, after }: { before: string | undefined; after: string | undefined },
  added: Map<number, number>,
): void {
  const count = (text: string, sign: 1 | -1): string => {
    const { id, shard } = ownerOf(text);
    added.set(shard, addHashes(added.get(shard) ?? 0, sign * hashOfRow({ key, text })));
    return id;
  };
  const formerId = before === undefined ? undefined : count(before, -1);
  const id = after === undefined ? undefined : count(after, 1);
  if (formerId === id) return;
  if (formerId !== undefined) sql.dropKey.run(formerId, key);
  if (id !== undefined) sql.setKey.run(id, key);
}

function shardOf(table: SwitchTable, text: string): number {
  if (table === "host" || table === "org") return NO_SHARD;
  return table === "rt" ? ownerOf(text).shard : Number(text.split("|", 2)[1]);
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

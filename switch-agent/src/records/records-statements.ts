import type { DatabaseSync } from "node:sqlite";

/** Row of `listCalled`. */
export interface CalledRow {
  number_id: string | null;
  started_us: number;
  why: string | null;
}

export function statements(db: DatabaseSync) {
  return {
    findFile: db.prepare("select * from files where inode = ?"),
    listFiles: db.prepare("select * from files"),
    setFile: db.prepare(
      `insert into files (inode, offset, head) values (?, ?, ?)
       on conflict (inode) do update set offset = excluded.offset, head = excluded.head`,
    ),
    retireFile: db.prepare(
      `insert into files (inode, offset, head, retired_at) values (?, 0, x'', ?)
       on conflict (inode) do update set retired_at = excluded.retired_at`,
    ),
    deleteFile: db.prepare("delete from files where inode = ?"),
    findCall: db.prepare("select call from calls where rid = ?"),
    setCall: db.prepare(
      "insert or replace into calls (rid, state, number_id, started_us, changed_at, call) values (?, ?, ?, ?, ?, ?)",
    ),
    deleteCall: db.prepare("delete from calls where rid = ?"),
    countLive: db.prepare(
      "select number_id, count(*) as calls from calls where state = 'up' and number_id is not null group by 1",
    ),
    listCalled: db.prepare(
      `select number_id, started_us, call ->> '$.final.why' as why from calls
       union all
       select record ->> '$.number_id', unixepoch(record ->> '$.started_at', 'subsec') * 1e6, record ->> '$.why'
       from (select record from records order by seq desc limit ?)`,
    ),
    bringBack: db.prepare("update calls set changed_at = :nowMs where changed_at > :nowMs"),
    listDue: db.prepare(
      `select call from (
         select call from calls where state = 'over' and changed_at < :overBeforeMs
         union all select call from calls where state = 'partial' and changed_at < :partialBeforeMs
         union all select call from calls where state = 'up' and started_us < :upBeforeUs
       ) limit :limit`,
    ),
    findRecord: db.prepare("select record from records where rid = ?"),
    insertRecord: db.prepare("insert into records (rid, record) values (?, ?)"),
    listUnsent: db.prepare(
      "select seq, record from records where acknowledged < ? order by acknowledged, seq limit ?",
    ),
    acknowledge: db.prepare(
      "update records set acknowledged = ?, acknowledged_at = ?, rejected = ? where seq = ?",
    ),
    dropRecords: db.prepare(
      "delete from records where seq in (select seq from records where acknowledged_at < ? and acknowledged >= ? limit ?)",
    ),
    findEpoch: db.prepare("select id, epoch from epochs order by id desc limit 1"),
    findLineage: db.prepare("select lineage from lineage"),
    setLineage: db.prepare("insert or replace into lineage (id, lineage) values (1, ?)"),
    insertEpoch: db.prepare("insert into epochs (epoch) values (?)"),
    count: db.prepare(
      "insert into counts (name, value) values (?, ?) on conflict (name) do update set value = value + excluded.value",
    ),
    listCounts: db.prepare("select name, value from counts"),
    countOpen: db.prepare("select count(*) as open from calls"),
    countUnsent: db.prepare("select count(*) as unsent from records where acknowledged < ?"),
  };
}

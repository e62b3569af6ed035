import { DatabaseSync } from "node:sqlite";
import type { AccRow } from "./acc-row.ts";
import {
  type CallRecord,
  type CallState,
  isIn,
  join,
  type OpenCall,
  recordOf,
  stateOf,
} from "./call-join.ts";
import type { CallerNumbers } from "./caller-numbers.ts";
import { CalledNumbers } from "./called-numbers.ts";
import { ForwardedCalls } from "./forwarded-calls.ts";
import type { LiveNumber } from "./record-service.ts";
import { type CalledRow, statements } from "./records-statements.ts";
import { type Standing, standingIn } from "./records-standing.ts";

/**
 * One file of the switch: how far it is stored, and how it begins, by which it is known again. Inodes are used
 * again once a file is gone.
 */
export interface TailedFile {
  inode: string;
  offset: number;
  head: Buffer;
  /** Time since which the switch has written to another file. Null if it may still write to this one. */
  retiredAtMs: number | null;
}

/** Rows read from a file, and the offset behind them. */
export interface Reading {
  file: Pick<TailedFile, "inode" | "offset" | "head">;
  rows: AccRow[];
  malformed: number;
  torn: number;
}

export interface StoredCounts {
  /** Lines in which there was no row. */
  malformed: number;
  /** Rows that were cut off by a crash. */
  torn: number;
  /** Rows that contradict a finished record of their call. */
  anomalies: number;
}

const SCHEMA = `
  create table if not exists files (inode text primary key, offset integer not null, head blob not null, retired_at integer) without rowid;
  create table if not exists calls (
    rid text primary key, state text not null, number_id text, started_us integer not null, changed_at integer not null, call text not null
  ) without rowid;
  create index if not exists calls_by_state on calls (state, changed_at);
  create index if not exists calls_by_start on calls (started_us) where state = 'up';
  create table if not exists records (
    seq integer primary key, rid text not null unique, record text not null, acknowledged integer not null default 0,
    acknowledged_at integer, rejected text
  );
  create index if not exists records_to_send on records (acknowledged, seq);
  create index if not exists records_to_drop on records (acknowledged_at) where acknowledged_at is not null;
  create table if not exists epochs (id integer primary key autoincrement, epoch text not null);
  create table if not exists lineage (id integer primary key check (id = 1), lineage text not null);
  create table if not exists counts (name text primary key, value integer not null) without rowid;
`;

/** Everything that is known of calls, surviving every crash: rows and how far they are read change in one transaction. */
export class RecordsStore {
  readonly #db: DatabaseSync;
  readonly #sql: ReturnType<typeof statements>;
  readonly #standing: ReturnType<typeof standingIn>;
  /** Active calls, by number. Rebuilt from the rows at start. */
  readonly #live = new Map<string, number>();
  readonly #called = new CalledNumbers();
  readonly #callerIn: CallerNumbers;
  readonly forwarded: ForwardedCalls;
  readonly #isProbe: (row: AccRow) => boolean;

  constructor(
    path: string,
    callerIn: CallerNumbers,
    payerOf: (numberId: string) => string | undefined = () => undefined,
    isProbe: (row: AccRow) => boolean = () => false,
  ) {
    this.#isProbe = isProbe;
    this.#callerIn = callerIn;
    this.#db = new DatabaseSync(path);
    this.#db.exec("pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 2000;");
    this.#db.exec(SCHEMA);
    this.#sql = statements(this.#db);
    this.#standing = standingIn(this.#db);
    this.forwarded = new ForwardedCalls(this.#db, payerOf);
    for (const { number_id, calls } of this.#sql.countLive.all() as { number_id: string; calls: number }[])
      this.#live.set(number_id, calls);
    for (const { number_id, started_us, why } of this.#sql.listCalled.all(RECENT) as unknown as CalledRow[])
      this.#called.add(number_id, started_us / 1000, why);
  }

  findFile(inode: string): TailedFile | undefined {
    const row = this.#sql.findFile.get(inode);
    return row && asFile(row as unknown as FileRow);
  }

  listFiles(): TailedFile[] {
    return (this.#sql.listFiles.all() as unknown as FileRow[]).map(asFile);
  }

  retireFile(inode: string, atMs: number): void {
    this.#sql.retireFile.run(inode, atMs);
  }

  forgetFile(inode: string): void {
    this.#sql.deleteFile.run(inode);
  }

  /** Returns the ids of calls about which something else was said after their record had been created. */
  take(readings: readonly Reading[], atMs: number): string[] {
    const moved = new Map<string, number>();
    const begun: OpenCall[] = [];
    const anomalies: string[] = [];
    this.#inTransaction(() => {
      for (const { file, rows, malformed, torn } of readings) {
        for (const row of rows) if (!this.#takeRow(row, atMs, { moved, begun })) anomalies.push(row.rid);
        this.#sql.setFile.run(file.inode, file.offset, file.head);
        for (const [name, value] of Object.entries({ malformed, torn }))
          if (value > 0) this.#sql.count.run(name, value);
      }
      if (anomalies.length > 0) this.#sql.count.run("anomalies", anomalies.length);
    });
    this.#move(moved);
    for (const { about, startedUs, final } of begun)
      this.#called.add(about.numberId, startedUs / 1000, final?.why);
    return anomalies;
  }

  /** After the clock was set back: calls that changed in the future count as changed now. */
  bringBack(nowMs: number): void {
    this.#sql.bringBack.run({ nowMs });
  }

  /** Turns finished calls into records, which never change afterwards. */
  freeze(by: { overBeforeMs: number; partialBeforeMs: number; upBeforeUs: number; limit: number }): number {
    const moved = new Map<string, number>();
    const { overBeforeMs, partialBeforeMs, upBeforeUs, limit } = by;
    const due = this.#sql.listDue.all({ overBeforeMs, partialBeforeMs, upBeforeUs, limit }) as unknown as {
      call: string;
    }[];
    if (due.length === 0) return 0;
    this.#inTransaction(() => {
      for (const { call: text } of due) {
        const call = JSON.parse(text) as OpenCall;
        this.#sql.insertRecord.run(call.rid, JSON.stringify(recordOf(call, this.#callerIn)));
        this.#sql.deleteCall.run(call.rid);
        shift(moved, call.about.numberId, stateOf(call), -1);
      }
    });
    this.#move(moved);
    return due.length;
  }

  /** Under another epoch or lineage than before, every record that is kept has to be sent again. */
  enterEpoch(epoch: string, lineage?: string): boolean {
    const last = this.#sql.findEpoch.get() as { id: number; epoch: string } | undefined;
    const isSame = last?.epoch === epoch && !this.#hasOtherLineage(lineage);
    if (lineage !== undefined) this.#sql.setLineage.run(lineage);
    if (isSame) return false;
    this.#sql.insertEpoch.run(epoch);
    return last !== undefined;
  }

  #hasOtherLineage(lineage: string | undefined): boolean {
    const before = this.#sql.findLineage.get() as { lineage: string } | undefined;
    return lineage !== undefined && before !== undefined && before.lineage !== lineage;
  }

  epoch(): string | undefined {
    return (this.#sql.findEpoch.get() as { epoch: string } | undefined)?.epoch;
  }

  /** Records that are not acknowledged under the present epoch, oldest first. */
  listUnsent(limit: number): { seq: number; record: CallRecord }[] {
    const rows = this.#sql.listUnsent.all(this.#epochId(), limit) as { seq: number; record: string }[];
    return rows.map(({ seq, record }) => ({ seq, record: JSON.parse(record) as CallRecord }));
  }

  acknowledge(done: { seq: number; rejected?: string }[], atMs: number): void {
    const epochId = this.#epochId();
    this.#inTransaction(() => {
      for (const { seq, rejected } of done) this.#sql.acknowledge.run(epochId, atMs, rejected ?? null, seq);
    });
  }

  /** Returns how many went. */
  drop(acknowledgedBeforeMs: number, limit: number): number {
    return Number(this.#sql.dropRecords.run(acknowledgedBeforeMs, this.#epochId(), limit).changes);
  }

  live(): ReadonlyMap<string, number> {
    return this.#live;
  }

  /** The same with what the service wants to know of each number. */
  listLive(nowMs: number): ReadonlyMap<string, LiveNumber> {
    return this.#called.list(nowMs, this.#live);
  }

  standing(throughUs: number, limit: number): Standing {
    return this.#standing(this.#epochId(), throughUs, limit);
  }

  counts(): StoredCounts {
    const stored = this.#sql.listCounts.all() as { name: string; value: number }[];
    return {
      malformed: 0,
      torn: 0,
      anomalies: 0,
      ...Object.fromEntries(stored.map(({ name, value }) => [name, value])),
    };
  }

  /** Counts calls without a record, and records that the service has not acknowledged. */
  backlog(): { open: number; unsent: number } {
    const { open } = this.#sql.countOpen.get() as { open: number };
    const { unsent } = this.#sql.countUnsent.get(this.#epochId()) as { unsent: number };
    return { open, unsent };
  }

  close(): void {
    this.#db.close();
  }

  /** Whether the row is news, or said before. */
  #takeRow(
    row: AccRow,
    atMs: number,
    { moved, begun }: { moved: Map<string, number>; begun: OpenCall[] },
  ): boolean {
    if (this.#isProbe(row)) return true;
    const { rid } = row;
    const known = this.#sql.findCall.get(rid) as { call: string } | undefined;
    if (!known) {
      const frozen = this.#sql.findRecord.get(rid) as { record: string } | undefined;
      if (frozen) return isIn(JSON.parse(frozen.record) as CallRecord, row);
    }
    const before = known && (JSON.parse(known.call) as OpenCall);
    const after = join(before, row);
    const state = stateOf(after);
    this.forwarded.count(before, after);
    if (before) shift(moved, before.about.numberId, stateOf(before), -1);
    else begun.push(after);
    shift(moved, after.about.numberId, state, 1);
    const { numberId } = after.about;
    this.#sql.setCall.run(rid, state, numberId, after.startedUs, atMs, JSON.stringify(after));
    return true;
  }

  #move(moved: Map<string, number>): void {
    for (const [numberId, by] of moved) {
      const calls = (this.#live.get(numberId) ?? 0) + by;
      if (calls > 0) this.#live.set(numberId, calls);
      else this.#live.delete(numberId);
    }
  }

  #epochId(): number {
    return (this.#sql.findEpoch.get() as { id: number } | undefined)?.id ?? 1;
  }

  #inTransaction(work: () => void): void {
    this.#db.exec("begin immediate");
    try {
      work();
      this.#db.exec("commit");
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("rollback");
      throw error;
    }
  }
}

function shift(moved: Map<string, number>, numberId: string | null, state: CallState, by: number): void {
  if (numberId !== null && state === "up") moved.set(numberId, (moved.get(numberId) ?? 0) + by);
}

/** Number of last records to search for those of the last minute. */
const RECENT = 50_000;

interface FileRow {
  inode: string;
  offset: number;
  head: Uint8Array;
  retired_at: number | null;
}

function asFile({ inode, offset, head, retired_at: retiredAtMs }: FileRow): TailedFile {
  return { inode, offset, head: Buffer.from(head), retiredAtMs };
}

import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SentTrunkList, TrunkList } from "../trunk-list.ts";

/** `logins` is read by the switch too, when a gateway demands a password: its memory can be read by all users of the host. */
const SCHEMA = `
  create table if not exists logins (
    trunk text primary key, username text not null, password text not null, password_id text
  ) without rowid;
  create table if not exists saved (
    id integer primary key check (id = 1), list text not null
  );
`;
const PRAGMAS = "pragma busy_timeout = 2000; pragma journal_mode = wal; pragma synchronous = full;";

export interface Login {
  trunk: string;
  username: string;
  password: string;
  password_id: string | null;
}

/** The list of the service, which outlives restarts of switch and agent, and the logins of gateways. */
export interface TrunkFile {
  /** Null: the service has never sent a list. */
  saved(): SentTrunkList | null;
  save(list: SentTrunkList): void;
  logins(): Login[];
  setLogins(logins: Login[]): void;
  close(): void;
}

export function openTrunkFile(dataDir: string): TrunkFile {
  const path = join(dataDir, "trunks.sqlite");
  // SQLite gives its journal the permissions of the file.
  closeSync(openSync(path, "a", 0o600));
  const db = new DatabaseSync(path);
  db.exec(PRAGMAS);
  db.exec(SCHEMA);
  return {
    saved: () => {
      const row = db.prepare("select list from saved").get() as { list: string } | undefined;
      return row ? (JSON.parse(row.list) as SentTrunkList) : null;
    },
    save: (list) =>
      void db.prepare("insert or replace into saved (id, list) values (1, ?)").run(JSON.stringify(list)),
    logins: () =>
      db
        .prepare("select trunk, username, password, password_id from logins order by trunk")
        .all() as unknown as Login[],
    setLogins: (logins) => {
      db.exec("begin immediate");
      db.exec("delete from logins");
      const insert = db.prepare("insert into logins values (?, ?, ?, ?)");
      for (const { trunk, username, password, password_id: id } of logins)
        insert.run(trunk, username, password, id);
      db.exec("commit");
    },
    close: () => db.close(),
  };
}

/** Logins of a list's gateways. */
export function loginsOf({ trunks }: TrunkList, passwords: Readonly<Record<string, string>>): Login[] {
  return trunks.flatMap(({ name, gateway }) => {
    if (!gateway || gateway.username === null) return [];
    const { username, password_id: id } = gateway;
    return [{ trunk: name, username, password: passwords[id ?? ""] ?? "", password_id: id }];
  });
}

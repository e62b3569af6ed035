import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The file that an agent keeps next to its switch, as the switch reads it. */
export interface SwitchStore extends Disposable {
  put(table: "rt" | "cn" | "host", rows: Record<string, string>): void;
  mark(name: string, value: string): void;
}

export function openStore(dataFolder: string): SwitchStore {
  const database = new DatabaseSync(join(dataFolder, "switch.sqlite"));
  database.exec(`
    pragma journal_mode = wal;
    create table if not exists rows (
      tbl text, key text, value text, shard integer, primary key (tbl, key)
    ) without rowid;
    create table if not exists marks (name text primary key, value text);
  `);
  const insert = database.prepare("insert or replace into rows values (?, ?, ?, 0)");
  const mark = database.prepare("insert or replace into marks values (?, ?)");
  return {
    put: (table, rows) => {
      for (const [key, value] of Object.entries(rows)) insert.run(table, key, value);
    },
    mark: (name, value) => void mark.run(name, value),
    [Symbol.dispose]: () => database.close(),
  };
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const COLUMNS = [
  "method",
  "fromTag",
  "toTag",
  "callId",
  "code",
  "reason",
  "time",
  "us",
  "record",
  "numberId",
  "number",
  "mode",
  "generation",
  "trunk",
  "caller",
  "target",
  "boot",
  "started",
  "kind",
] as const;

export type RecordRow = Record<(typeof COLUMNS)[number], string>;

/** Every row that the switch has written, in the order of time. */
export function readRows(folder: string): RecordRow[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".log"))
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n").slice(0, -1))
    .map((line) => {
      const fields = line.split("|");
      if (fields.length !== COLUMNS.length) throw new Error(`a row of ${fields.length} columns: ${line}`);
      return Object.fromEntries(COLUMNS.map((name, index) => [name, fields[index]!])) as RecordRow;
    })
    .sort((one, other) => Number(one.us) - Number(other.us));
}

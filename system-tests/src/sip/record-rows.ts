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
  "call",
  "caller",
  "target",
  "boot",
  "kind",
  "events",
] as const;
/** Parts of the call's column. The number comes last, because a called string may contain a ~. */
const OF_A_CALL = ["record", "numberId", "mode", "generation", "started", "trunk", "number"] as const;

export type RecordRow = Record<(typeof COLUMNS)[number] | (typeof OF_A_CALL)[number], string>;

/** Every row that the switch has written, in the order of time. */
export function readRows(folder: string): RecordRow[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".log"))
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n").slice(0, -1))
    .map((line) => {
      const fields = line.split("|");
      if (fields.length !== COLUMNS.length) throw new Error(`a row of ${fields.length} columns: ${line}`);
      const row = Object.fromEntries(COLUMNS.map((name, index) => [name, fields[index]!]));
      const parts = row["call"]!.split("~");
      if (parts.length < OF_A_CALL.length) throw new Error(`a call of ${parts.length} parts: ${line}`);
      parts.push(parts.splice(OF_A_CALL.length - 1).join("~"));
      return {
        ...row,
        ...Object.fromEntries(OF_A_CALL.map((name, index) => [name, parts[index]!])),
      } as RecordRow;
    })
    .sort((one, other) => Number(one.us) - Number(other.us));
}

import type { ImportPool, PoolEntry, PoolImport } from "@dialplane/sdk/operator";
import { CsvFault, type CsvLine, readCsv } from "../imports/csv-lines.ts";
import { operator } from "../session/client.ts";
import { operatorText } from "./operator-text.ts";

const COLUMNS = ["number", "to", "type"];

export interface PoolFile {
  lines: CsvLine[];
}

/** Throws if the text is not a table of numbers. */
export function readPoolFile(text: string): PoolFile {
  const { names, lines } = readCsv(text);
  const unknown = names.filter((name) => !COLUMNS.includes(name));
  if (unknown.length > 0)
    throw new CsvFault(operatorText.pool.unknownColumns(unknown.join(", "), COLUMNS.join(", ")));
  if (!names.includes("number")) throw new CsvFault(operatorText.pool.numberMissing);
  return { lines };
}

export function loadFile(
  { lines }: PoolFile,
  how: Omit<ImportPool, "entries">,
  onProgress: (done: number) => void,
): Promise<PoolImport> {
  return operator.pool.import({ ...how, entries: lines.map(entryOf) }, { onProgress });
}

function entryOf({ cells: { number, to, type } }: CsvLine): PoolEntry {
  // The service rejects a line without a number and accepts the others.
  return { number: number || "-", ...(to && { to }), ...(type && { type }) };
}

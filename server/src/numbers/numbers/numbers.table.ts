import { CsvFault, readCsv } from "./numbers.csv.ts";

export interface TableFault {
  line: number;
  fault: string;
}

type Cell = (column: string) => string;

/** The lines of a table of numbers that can be read, each number once, and what is wrong with the others. */
export function readTable<Entry extends { e164: string }>(
  table: string,
  columns: readonly string[],
  entryOf: (cell: Cell) => Entry | string,
): { entries: (Entry & { line: number })[]; faults: TableFault[] } {
  const entries = new Map<string, Entry & { line: number }>();
  const faults: TableFault[] = [];
  let header: string[] | undefined;
  try {
    for (const { line, cells } of readCsv(table)) {
      if (!header) {
        header = checkedHeader(cells, columns);
        continue;
      }
      const entry = readRow(header, cells, entryOf);
      const earlier = typeof entry === "string" ? undefined : entries.get(entry.e164);
      if (typeof entry === "string") faults.push({ line, fault: entry });
      else if (earlier) faults.push({ line, fault: `${entry.e164} is already on line ${earlier.line}.` });
      else entries.set(entry.e164, { ...entry, line });
    }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    return { entries: [], faults: [...faults, { line: error.line, fault: error.message }] };
  }
  return { entries: [...entries.values()], faults };
}

function checkedHeader(cells: string[], columns: readonly string[]): string[] {
  const unknown = cells.filter((cell) => !columns.includes(cell));
  if (unknown.length > 0)
    throw new CsvFault(1, `Unknown column ${unknown.join(", ")}. Columns are ${columns.join(", ")}.`);
  if (!cells.includes("number")) throw new CsvFault(1, "The header has no column number.");
  if (new Set(cells).size < cells.length) throw new CsvFault(1, "The header has a column twice.");
  return cells;
}

function readRow<Entry>(
  header: string[],
  cells: string[],
  entryOf: (cell: Cell) => Entry | string,
): Entry | string {
  if (cells.length !== header.length) return `${header.length} cells are expected, not ${cells.length}.`;
  return entryOf((column) => cells[header.indexOf(column)]?.trim() ?? "");
}

import { usageFailure } from "./cli-failure.ts";

const CELL = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;

export interface CsvLine {
  /** First line of the row in the file. */
  line: number;
  cells: Record<string, string>;
}

/** RFC 4180, read strictly: the first line has the names, and what can be understood in two ways is rejected. */
export function readCsvTable(text: string): { names: string[]; lines: CsvLine[] } {
  const rows = [...rowsOf(text)].filter(({ cells }) => cells.length > 1 || cells[0] !== "");
  const [first, ...rest] = rows;
  if (!first) throw usageFailure("The file is empty. The first line must contain the column names.");
  const names = first.cells.map((name) => name.trim().toLowerCase());
  const lines = rest.map(({ line, cells }) => {
    if (cells.length !== names.length)
      throw usageFailure(
        `Line ${line} has ${cells.length} cells, but the first line has ${names.length} column names.`,
      );
    // Removes the apostrophe that protects against formulas in spreadsheets.
    return {
      line,
      cells: Object.fromEntries(names.map((name, at) => [name, cells[at]!.replace(/^'(?=[=+\-@\t\r])/, "")])),
    };
  });
  return { names, lines };
}

function* rowsOf(text: string): Generator<{ line: number; cells: string[] }> {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const row = { line, cells: [] as string[] };
    for (;;) {
      CELL.lastIndex = at;
      const [whole, quoted, bare] = CELL.exec(text)!;
      row.cells.push(quoted?.replaceAll('""', '"') ?? bare!);
      line += (quoted?.split("\n").length ?? 1) - 1;
      at += whole.length;
      if (text[at] !== ",") break;
      at++;
    }
    const end = /\r?\n|$/y;
    end.lastIndex = at;
    const ended = end.exec(text);
    if (!ended)
      throw usageFailure(
        `Line ${line} contains a misplaced quote. Quote the whole cell, and double the quotes in it.`,
      );
    at += ended[0].length;
    line++;
    yield row;
  }
}

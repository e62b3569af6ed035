/** A file that cannot be understood as a table, and why. */
export class CsvFault extends Error {}

export interface CsvLine {
  /** First line of the row in the file. */
  line: number;
  /** By the names of the first line, in small letters. */
  cells: Record<string, string>;
}

export interface CsvFile {
  names: string[];
  lines: CsvLine[];
}

/** RFC 4180, with the first line for the names. Spreadsheets that put semicolons between cells are understood too. */
export function readCsv(text: string): CsvFile {
  const rows = rowsOf(text.replace(/^\uFEFF/, ""));
  const [first, ...rest] = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  if (!first) throw new CsvFault("There is nothing in it. The first line has the names of the columns.");
  const names = first.cells.map((name) => name.trim().toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new CsvFault(`The column ${twice} is there twice.`);
  return {
    names,
    lines: rest.map(({ line, cells }) => {
      if (cells.length !== names.length)
        throw new CsvFault(`Line ${line} has ${cells.length} cells, the first line ${names.length} names.`);
      return { line, cells: Object.fromEntries(names.map((name, at) => [name, plain(cells[at]!)])) };
    }),
  };
}

/** An apostrophe kept a spreadsheet from taking it for a formula. */
function plain(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r])/, "").trim();
}

interface Row {
  line: number;
  cells: string[];
}

function rowsOf(text: string): Row[] {
  const comma = separatorOf(text);
  const rows: Row[] = [];
  let row: Row = { line: 1, cells: [] };
  let [cell, line, isQuoted, wasQuoted] = ["", 1, false, false];
  const endCell = (): void => {
    row.cells.push(cell);
    [cell, wasQuoted] = ["", false];
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (letter === "\n") line++;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (letter === '"' && cell === "" && !wasQuoted) [isQuoted, wasQuoted] = [true, true];
    else if (letter === comma) endCell();
    else if (letter === "\n") {
      endCell();
      rows.push(row);
      row = { line, cells: [] };
    } else if (letter !== "\r") {
      if (wasQuoted || letter === '"') throw new CsvFault(`Line ${line}: a quote stands where it cannot.`);
      cell += letter;
    }
  }
  if (isQuoted) throw new CsvFault(`Line ${row.line}: a quote is never closed.`);
  endCell();
  return [...rows, row];
}

/** By the line of names, which has neither in a name. */
function separatorOf(text: string): string {
  const [names = ""] = text.split("\n", 1);
  return !names.includes(",") && names.includes(";") ? ";" : names.includes("\t") ? "\t" : ",";
}

import { importsText } from "./imports-text.ts";
/** Reason why a file is not a valid table. */
export class CsvFault extends Error {}

export interface CsvLine {
  /** First line of the row in the file. */
  line: number;
  /** By lower-case column name. */
  cells: Record<string, string>;
}

export interface CsvFile {
  names: string[];
  lines: CsvLine[];
}

/** RFC 4180 with a header line. Also accepts semicolons as separators. */
export function readCsv(text: string): CsvFile {
  const rows = rowsOf(text.replace(/^\uFEFF/, ""));
  const [first, ...rest] = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  if (!first) throw new CsvFault(importsText.empty);
  const names = first.cells.map((name) => name.trim().toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new CsvFault(importsText.columnTwice(twice));
  return {
    names,
    lines: rest.map(({ line, cells }) => {
      if (cells.length !== names.length)
        throw new CsvFault(importsText.cellCount(line, cells.length, names.length));
      return { line, cells: Object.fromEntries(names.map((name, at) => [name, plain(cells[at]!)])) };
    }),
  };
}

/** Removes the apostrophe that protects against formulas. */
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
      if (wasQuoted || letter === '"') throw new CsvFault(importsText.misplacedQuote(line));
      cell += letter;
    }
  }
  if (isQuoted) throw new CsvFault(importsText.unclosedQuote(row.line));
  endCell();
  return [...rows, row];
}

/** Detected in the header line, whose names contain no separator. */
function separatorOf(text: string): string {
  const [names = ""] = text.split("\n", 1);
  return !names.includes(",") && names.includes(";") ? ";" : names.includes("\t") ? "\t" : ",";
}

/** Tables as RFC 4180 has them, read strictly: a file that can be understood in two ways is rejected. */
export interface CsvRow {
  /** First line of the row in the file. A quoted cell may hold several lines. */
  line: number;
  cells: string[];
}

export class CsvFault extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const CELL = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;

/** Lines end with CRLF or LF. A byte order mark and a final line end are ignored. */
export function* readCsv(text: string): Generator<CsvRow> {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const row: CsvRow = { line, cells: [] };
    for (;;) {
      CELL.lastIndex = at;
      const [whole, quoted, plain] = CELL.exec(text)!;
      row.cells.push(quoted?.replaceAll('""', '"') ?? plain!);
      line += quoted?.split("\n").length ?? 1;
      line -= 1;
      at += whole.length;
      if (text[at] !== ",") break;
      at++;
    }
    const end = /\r?\n|$/y;
    end.lastIndex = at;
    const ended = end.exec(text);
    if (!ended) throw new CsvFault(line, "Unexpected quote or line end.");
    at += ended[0].length;
    line++;
    yield row;
  }
}

/** Spreadsheets run what begins like this. An apostrophe makes it text for them; numbers in E.164 are left as they are. */
const FORMULA = /^[=+\-@\t\r]/;
const E164 = /^\+\d+$/;

export function csvLine(cells: readonly (string | number | boolean | null | undefined)[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(value: string | number | boolean | null | undefined): string {
  const text = String(value ?? "");
  const safe = FORMULA.test(text) && !E164.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

import type { Terminal, Tone } from "./cli-terminal.ts";

export type Cell = string | number | boolean | null | undefined;

export interface Column<Row> {
  title: string;
  /** Heading in a table, if it differs from the name in CSV. */
  heading?: string;
  of(row: Row): Cell;
  /** How it looks in a table, where that differs from what CSV has. */
  show?(row: Row): string;
  tone?(row: Row): Tone | undefined;
  /** Cut first where the table is too wide. */
  isFlexible?: true;
  isNumeric?: true;
  /** In CSV, not in the table. */
  isHidden?: true;
}

const GAP = "  ";
const NARROWEST = 8;
/** Labels come from other people: nothing in them may move the cursor or change colours. */
// oxlint-disable-next-line no-control-regex -- control characters are intended
const CONTROL = /[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g;

export function plain(text: string): string {
  return text.replace(CONTROL, "�");
}

/** As lines, a title above; cut to the terminal's width where there is one. */
export function tableOf<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  terminal: Terminal,
): string {
  const shown = columns.filter(({ isHidden }) => !isHidden);
  const cells = rows.map((row) => shown.map((column) => textOf(column, row)));
  const widths = widthsOf(shown, cells, terminal.width);
  const lineOf = (texts: string[], paint: (text: string, at: number) => string): string =>
    texts
      .map((text, at) => paint(fit(text, widths[at]!, shown[at]!.isNumeric ?? false), at))
      .join(GAP)
      .trimEnd();
  const title = lineOf(
    shown.map(({ title: name, heading = name }) => heading.toUpperCase()),
    (text) => terminal.tone(text, "title"),
  );
  const lines = cells.map((texts, row) =>
    lineOf(texts, (text, at) => terminal.tone(text, shown[at]!.tone?.(rows[row]!))),
  );
  return `${[title, ...lines].join("\n")}\n`;
}

function textOf<Row>(column: Column<Row>, row: Row): string {
  return plain(column.show ? column.show(row) : String(column.of(row) ?? "–"));
}

function widthsOf<Row>(
  columns: readonly Column<Row>[],
  cells: string[][],
  limit: number | undefined,
): number[] {
  const widths = columns.map(({ title, heading = title }, at) =>
    Math.max(heading.length, ...cells.map((texts) => lengthOf(texts[at]!))),
  );
  const total = (): number => widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  while (limit !== undefined && total() > limit) {
    const flexible = widths
      .map((width, at) => ({ width, at }))
      .filter(({ width, at }) => columns[at]!.isFlexible && width > NARROWEST)
      .sort((one, other) => other.width - one.width);
    if (!flexible[0]) break;
    widths[flexible[0].at]! -= 1;
  }
  return widths;
}

function fit(text: string, width: number, isNumeric: boolean): string {
  const characters = Array.from(text);
  if (characters.length > width) return `${characters.slice(0, width - 1).join("")}…`;
  const space = " ".repeat(width - characters.length);
  return isNumeric ? space + text : text + space;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Spreadsheets run what begins like this; an apostrophe makes it text for them. Numbers are left as they are. */
const FORMULA = /^[=+\-@\t\r]/;
const HARMLESS = /^[+-]?\d+(\.\d+)?$/;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: Cell): string {
  const text = String(value ?? "");
  const safe = FORMULA.test(text) && !HARMLESS.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

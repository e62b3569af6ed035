import { type JsonSelection, jsonText } from "./json-output.ts";
import type { Terminal } from "./cli-terminal.ts";
import { type Cell, type Column, csvLine, plain, tableOf } from "./table.ts";

export type Format = "table" | "json" | "csv";

/** Output of a command, in the requested format. */
export interface Output {
  format: Format;
  /** Prints a list. `asJson` maps a row to JSON (default: the row itself). */
  list<Row>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    asJson?: (row: Row) => unknown,
  ): Promise<void>;
  /** One thing: its fields below each other. */
  record(value: unknown, fields: readonly (readonly [title: string, value: Cell])[]): Promise<void>;
  /** One of a stream: a line each. */
  line(value: unknown, fields: readonly (readonly [title: string, value: Cell])[]): Promise<void>;
}

export function openOutput(format: Format, terminal: Terminal, selection: JsonSelection = {}): Output {
  let hasTitle = false;
  return {
    format,
    async list(rows, columns, asJson = (row) => row) {
      if (format === "json")
        return terminal.write(await jsonText(rows.map(asJson), selection, { indent: 2 }));
      if (format === "table") return terminal.write(tableOf(rows, columns, terminal));
      await terminal.write(csvLine(columns.map(({ title }) => csvName(title))));
      for (const row of rows) await terminal.write(csvLine(columns.map((column) => column.of(row))));
    },
    async record(value, fields) {
      if (format === "json") return terminal.write(await jsonText(value, selection, { indent: 2 }));
      if (format === "csv") {
        const titles = csvLine(fields.map(([title]) => csvName(title)));
        return terminal.write(titles + csvLine(fields.map(([, cell]) => cell)));
      }
      const width = Math.max(...fields.map(([title]) => title.length));
      const lines = fields.map(
        ([title, cell]) =>
          `${terminal.tone(title.padEnd(width), "faint")}  ${wrapped(cell, width + 2, terminal)}`,
      );
      return terminal.write(`${lines.join("\n")}\n`);
    },
    async line(value, fields) {
      if (format === "json") return terminal.write(await jsonText(value, selection));
      if (format === "csv") {
        const titles = hasTitle ? "" : csvLine(fields.map(([title]) => csvName(title)));
        hasTitle = true;
        return terminal.write(titles + csvLine(fields.map(([, cell]) => cell)));
      }
      const text = fields.map(([, cell]) => plain(String(cell ?? "–"))).join("  ");
      const { width } = terminal;
      return terminal.write(`${width && text.length > width ? `${text.slice(0, width - 1)}…` : text}\n`);
    },
  };
}

/** Titles are for people; programs get names as the API spells them. */
function csvName(title: string): string {
  return title.toLowerCase().replaceAll(" ", "_");
}

/** Long values continue below themselves. */
function wrapped(cell: Cell, indent: number, { width }: Terminal): string {
  const text = plain(String(cell ?? "–"));
  if (!width || text.length <= width - indent) return text;
  const room = Math.max(20, width - indent);
  const lines: string[] = [];
  for (let rest = text; rest;) {
    const space = rest.length > room ? rest.lastIndexOf(" ", room) : -1;
    const end = rest.length <= room ? rest.length : space > 0 ? space : room;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}

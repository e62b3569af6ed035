import { text } from "node:stream/consumers";
import type { ChangeNumber, Client, PhoneNumber } from "@dialplane/sdk";
import { ApiError } from "@dialplane/sdk";
import { usageFailure } from "./cli-failure.ts";
import type { Context } from "./cli-context.ts";
import { command } from "./cli-command.ts";
import { type CsvLine, readCsvTable } from "./csv-table.ts";
import { EXIT } from "./exit-codes.ts";
import { bar } from "./job-progress.ts";
import { FILTER_OPTIONS, filterOf } from "./numbers.commands.ts";
import { readFile } from "./read-file.ts";
import type { Column } from "./table.ts";

/** Columns that a file can change. Other columns, such as those of an export, are ignored. */
const CHANGEABLE = ["label", "tags", "release_lock"] as const;

interface PlannedLine {
  line: number;
  number: string;
  id: string;
  change: ChangeNumber;
  outcome: "planned" | "unchanged" | "changed" | "failed";
  error: string | null;
}

const COLUMNS: readonly Column<PlannedLine>[] = [
  { title: "line", of: ({ line }) => line, isNumeric: true },
  { title: "number", of: ({ number }) => number },
  {
    title: "outcome",
    of: ({ outcome }) => outcome,
    tone: ({ outcome }) => (outcome === "failed" ? "bad" : undefined),
  },
  { title: "change", of: ({ change }) => JSON.stringify(change), isFlexible: true },
  { title: "error", of: ({ error }) => error, isFlexible: true },
];

export const CSV_FILE_COMMANDS = [
  command({
    name: "export",
    group: "CSV files",
    summary: "Export numbers as CSV",
    options: FILTER_OPTIONS,
    examples: ["dialplane export --tag berlin > berlin.csv"],
    async run({ context, options }) {
      const client = await context.client();
      const stream = await client.numbers.export(filterOf(options), { signal: context.signal });
      for await (const chunk of stream.pipeThrough(new TextDecoderStream()))
        await context.terminal.write(chunk);
    },
  }),
  command({
    name: "import",
    group: "CSV files",
    summary: "Change labels, tags and release locks from a CSV file",
    args: ["file"],
    options: { "dry-run": { type: "boolean", summary: "show the changes without applying them" } },
    details:
      "The file may be an edited export, and `-` reads stdin. The column `number` is required. The columns `label`, `tags` (separated by semicolons) and `release_lock` (true or false) are optional. Other columns are ignored. Every line is checked before the first change. Exits with 7 if a change failed. To add numbers, use order. To change where calls go, use routing set or bulk plan.",
    examples: ["dialplane import berlin.csv --dry-run", "dialplane import berlin.csv --yes --json"],
    async run({ context, args: [file], options }) {
      const client = await context.client();
      const { names, lines } = readCsvTable(file === "-" ? await text(process.stdin) : readFile(file!));
      if (!names.includes("number"))
        throw usageFailure("The column number is missing. Its name must be in the first line.");
      const plan = planOf(lines, await numbersByE164(client));
      const planned = plan.filter(({ outcome }) => outcome === "planned");
      if (options["dry-run"] || planned.length === 0) {
        context.terminal.say(`${planned.length} of ${plan.length} numbers would change.`);
        return context.output.list(plan, COLUMNS);
      }
      await context.confirm(`Change ${planned.length} of ${plan.length} numbers?`);
      await carryOut(context, client, planned);
      await context.output.list(plan, COLUMNS);
      return plan.some(({ outcome }) => outcome === "failed") ? EXIT.jobFailed : EXIT.ok;
    },
  }),
];

async function numbersByE164(client: Client): Promise<Map<string, PhoneNumber>> {
  const found = new Map<string, PhoneNumber>();
  for await (const number of client.numbers.list({ limit: 100 })) found.set(number.e164, number);
  return found;
}

function planOf(lines: readonly CsvLine[], held: Map<string, PhoneNumber>): PlannedLine[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  const plan = lines.flatMap(({ line, cells }): PlannedLine[] => {
    const e164 = `+${cells["number"]!.replace(/\D/g, "")}`;
    const number = held.get(e164);
    if (!number)
      faults.push(`line ${line}: ${cells["number"]} is not a number of this organisation and environment`);
    else if (seen.has(e164)) faults.push(`line ${line}: ${e164} is listed more than once`);
    seen.add(e164);
    const { release_lock: lock } = cells;
    if (lock !== undefined && !/^(true|false)$/i.test(lock))
      faults.push(`line ${line}: release_lock must be true or false, not “${lock}”`);
    if (!number) return [];
    const change = changeOf(number, cells);
    const outcome = Object.keys(change).length > 0 ? "planned" : "unchanged";
    return [{ line, number: e164, id: number.id, change, outcome, error: null }];
  });
  if (faults.length > 0) throw usageFailure(`Nothing was changed:\n  ${faults.slice(0, 20).join("\n  ")}`);
  return plan;
}

/** Only what differs: a file that was imported once changes nothing a second time. */
function changeOf(number: PhoneNumber, cells: Record<string, string>): ChangeNumber {
  const tags = cells["tags"]
    ?.split(";")
    .map((tag) => tag.trim())
    .filter(Boolean);
  const wanted: ChangeNumber = {
    ...(cells["label"] === undefined ? {} : { label: cells["label"] || null }),
    ...(tags === undefined ? {} : { tags }),
    ...(cells["release_lock"] === undefined
      ? {}
      : { release_lock: cells["release_lock"].toLowerCase() === "true" }),
  };
  const isSame = (name: (typeof CHANGEABLE)[number]): boolean =>
    JSON.stringify(sorted(wanted[name])) === JSON.stringify(sorted(number[name]));
  return Object.fromEntries(
    CHANGEABLE.filter((name) => name in wanted && !isSame(name)).map((name) => [name, wanted[name]]),
  );
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? value.map(String).toSorted((one, other) => one.localeCompare(other)) : value;
}

/** One after the other; a line that is rejected does not keep the rest back. */
async function carryOut(
  { terminal, signal }: Context,
  client: Client,
  planned: PlannedLine[],
): Promise<void> {
  for (const [at, line] of planned.entries()) {
    terminal.progress(`${bar(at, planned.length)}  ${at} of ${planned.length}`);
    try {
      await client.numbers.change(line.id, line.change, { signal });
      line.outcome = "changed";
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      line.outcome = "failed";
      line.error = error.problem?.detail ?? error.message;
    }
  }
}

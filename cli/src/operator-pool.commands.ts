import { text } from "node:stream/consumers";
import type { ImportPool, PoolEntry, PoolImport, PoolKind, PoolNumber } from "@dialplane/sdk/operator";
import { usageFailure } from "./cli-failure.ts";
import type { Context } from "./cli-context.ts";
import { command } from "./cli-command.ts";
import { type CsvLine, readCsvTable } from "./csv-table.ts";
import { EXIT } from "./exit-codes.ts";
import { bar } from "./job-progress.ts";
import { momentOf } from "./moments.ts";
import { readFile } from "./read-file.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import type { Column } from "./table.ts";

const KIND_COLUMNS: readonly Column<PoolKind>[] = [
  { title: "country", of: ({ country }) => country },
  { title: "type", of: ({ type }) => type },
  { title: "total", of: ({ total }) => total, isNumeric: true },
  { title: "free", of: ({ free }) => free, isNumeric: true },
  { title: "held", of: ({ held }) => held, isNumeric: true },
];

const NUMBER_COLUMNS: readonly Column<PoolNumber>[] = [
  { title: "number", of: ({ e164 }) => e164 },
  { title: "country", of: ({ country }) => country },
  { title: "type", of: ({ type }) => type },
  { title: "status", of: ({ status }) => status },
  { title: "added at", of: ({ added_at }) => added_at, show: ({ added_at }) => momentOf(added_at) },
];

const COLUMNS = ["number", "to", "type"];
/** Enough to recognise a wrong file. */
const SHOWN_FAULTS = 20;

export const OPERATOR_POOL_COMMANDS = [
  command({
    name: "operator pool show",
    summary: "Count pool numbers and available numbers",
    async run({ context }) {
      const { kinds, ...counts } = await context.operator().pool.count();
      if (context.output.format === "json") return context.output.record({ ...counts, kinds }, []);
      await context.output.list(kinds, KIND_COLUMNS);
      context.terminal.say(`${counts.free} of ${counts.total} numbers are available.`);
    },
  }),
  command({
    name: "operator pool list",
    summary: "List pool numbers",
    options: {
      ...LIST_OPTIONS,
      country: { type: "string", value: "DE", summary: "country code" },
      status: {
        type: "string",
        value: ["free", "held"],
        summary: "available (free) or held by an organisation (held)",
      },
      prefix: { type: "string", value: "+4930", summary: "first digits of the number" },
    },
    async run({ context, options: { country, status, prefix, ...how } }) {
      if (status !== undefined && status !== "free" && status !== "held")
        throw usageFailure(`--status must be free or held, not “${status}”.`);
      const numbers = await several(context, how, ({ limit }) =>
        context.operator().pool.list({ country, status, prefix, limit }),
      );
      await context.output.list(numbers, NUMBER_COLUMNS);
    },
  }),
  command({
    name: "operator pool import",
    summary: "Import numbers and ranges into the pool",
    args: ["file"],
    options: {
      "dry-run": { type: "boolean", summary: "check the file without importing it" },
      country: { type: "string", value: "DE", summary: "country of numbers without a plus sign" },
      group: {
        type: "string",
        value: "id",
        summary: "switch group of the numbers (default: the default group)",
      },
    },
    details:
      "The CSV file needs the column `number`. The optional column `to` is the last number of a range, and `type` is needed if the numbering plan does not define it. `-` reads stdin. Numbers that are already in the pool are skipped, so you can repeat an interrupted import. Exits with 7 if lines were rejected.",
    examples: ["dialplane operator pool import berlin.csv --country DE --dry-run"],
    async run({ context, args: [file], options }) {
      const { names, lines } = readCsvTable(file === "-" ? await text(process.stdin) : readFile(file!));
      const unknown = names.filter((name) => !COLUMNS.includes(name));
      if (unknown.length > 0 || !names.includes("number"))
        throw usageFailure(
          `The column number is required, and to and type are optional. The file has ${names.join(", ")}.`,
        );
      const isDryRun = options["dry-run"] ?? false;
      if (!isDryRun) await context.confirm(`Import the numbers of ${lines.length} lines into the pool?`);
      const report = await importLines(context, lines, {
        country: options.country,
        group_id: options.group,
        dry_run: isDryRun,
      });
      await tell(context, report);
      return report.faults.length > 0 ? EXIT.jobFailed : EXIT.ok;
    },
  }),
];

interface Report extends Omit<PoolImport, "faults"> {
  faults: { line: number; detail: string }[];
}

async function importLines(
  { terminal, signal, operator }: Context,
  lines: readonly CsvLine[],
  how: Omit<ImportPool, "entries">,
): Promise<Report> {
  const onProgress = (done: number): void =>
    terminal.progress(`${bar(done, lines.length)}  ${done} of ${lines.length} lines`);
  onProgress(0);
  const entries = lines.map(entryOf);
  const { faults, ...report } = await operator().pool.import({ ...how, entries }, { signal, onProgress });
  terminal.progress("");
  return { ...report, faults: faults.map(({ entry, detail }) => ({ line: lines[entry]!.line, detail })) };
}

function entryOf({ cells: { number = "", to, type } }: CsvLine): PoolEntry {
  return {
    // The service then says what is wrong with this line, and takes the others.
    number: number.trim() || "-",
    ...(to?.trim() && { to }),
    ...(type?.trim() && { type: type.trim() }),
  };
}

async function tell({ output, terminal }: Context, report: Report): Promise<void> {
  const { added, skipped, faults } = report;
  for (const { line, detail } of faults.slice(0, SHOWN_FAULTS)) terminal.say(`line ${line}: ${detail}`);
  if (faults.length > SHOWN_FAULTS)
    terminal.say(`… and ${faults.length - SHOWN_FAULTS} more lines. To list all of them, pass --json.`);
  await output.record(report, [
    [report.dry_run ? "Would be added" : "Added", added],
    ["In the pool already", skipped],
    ["Lines not possible", faults.length],
  ]);
}

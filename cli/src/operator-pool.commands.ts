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
    summary: "how many numbers of yours there are, and how many can be ordered",
    async run({ context }) {
      const { kinds, ...counts } = await context.operator().pool.count();
      if (context.output.format === "json") return context.output.record({ ...counts, kinds }, []);
      await context.output.list(kinds, KIND_COLUMNS);
      context.terminal.say(`${counts.free} of ${counts.total} numbers can be ordered.`);
    },
  }),
  command({
    name: "operator pool list",
    summary: "numbers of the pool, in their order",
    options: {
      ...LIST_OPTIONS,
      country: { type: "string", value: "DE", summary: "of this country" },
      status: { type: "string", value: ["free", "held"], summary: "those that can be ordered, or cannot" },
      prefix: { type: "string", value: "+4930", summary: "those that begin so" },
    },
    async run({ context, options: { country, status, prefix, ...how } }) {
      if (status !== undefined && status !== "free" && status !== "held")
        throw usageFailure(`The status is free or held, not “${status}”.`);
      const numbers = await several(context, how, ({ limit }) =>
        context.operator().pool.list({ country, status, prefix, limit }),
      );
      await context.output.list(numbers, NUMBER_COLUMNS);
    },
  }),
  command({
    name: "operator pool import",
    summary: "load numbers and ranges that nobody holds, to be ordered",
    args: ["file"],
    options: {
      "dry-run": { type: "boolean", summary: "tell what would happen, and change nothing" },
      country: { type: "string", value: "DE", summary: "whose numbers are those without a plus" },
      group: { type: "string", value: "id", summary: "of the switches that serve them (the default one)" },
    },
    details:
      "A CSV file with the column `number`; `to` makes it a range that ends there, `type` says what the numbering plan does not know. `-` reads stdin. What is in the pool already is skipped: an import that was cut off is done again. Ends with 7 where lines were not possible.",
    examples: ["dialplane operator pool import berlin.csv --country DE --dry-run"],
    async run({ context, args: [file], options }) {
      const { names, lines } = readCsvTable(file === "-" ? await text(process.stdin) : readFile(file!));
      const unknown = names.filter((name) => !COLUMNS.includes(name));
      if (unknown.length > 0 || !names.includes("number"))
        throw usageFailure(`The columns are number, to and type; the file has ${names.join(", ")}.`);
      const isDryRun = options["dry-run"] ?? false;
      if (!isDryRun) await context.confirm(`Load the numbers of ${lines.length} lines into the pool?`);
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
    terminal.say(`… and ${faults.length - SHOWN_FAULTS} more lines; --json has them all.`);
  await output.record(report, [
    [report.dry_run ? "Would be added" : "Added", added],
    ["In the pool already", skipped],
    ["Lines not possible", faults.length],
  ]);
}

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { systemAuthor } from "./events/audit/audit.ts";
import {
  importNumbers,
  isLiveGroup,
  parseNumber,
  stockNumbers,
  suspendNumber,
} from "./numbers/numbers/numbers.ts";
import { getOrganisation } from "./people/organisations/organisations.ts";
import { isId } from "./platform/ids.ts";
import { ApiError } from "./platform/api-error.ts";
import type { openApp } from "./start.ts";

export const NUMBERS_USAGE = `  import-numbers <file.csv> --organisation <uuid> [--group <name>] [--country <DE>] [--dry-run]
                                         add numbers of a CSV file to an organisation (columns: number, label, tags)
  stock-numbers <file.csv> [--group <name>] [--country <DE>] [--dry-run]
                                         add numbers to the pool, from which they are ordered (columns: number, to, type)
  suspend-number <number>                reject calls to the number until it is resumed
  resume-number <number>                 route its calls as desired again`;

const AUTHOR = systemAuthor("operator command");

type App = Awaited<ReturnType<typeof openApp>>;

/** The operator's commands about numbers; undefined if it is none of these. */
export async function runNumbersCommand(
  app: App,
  [command, ...args]: readonly string[],
): Promise<number | undefined> {
  if (command === "import-numbers") return importTable(app, args);
  if (command === "stock-numbers") return stockTable(app, args);
  if (command === "suspend-number" || command === "resume-number") return suspend(app, command, args);
  return undefined;
}

async function importTable(app: App, args: readonly string[]): Promise<number> {
  const { file, organisation, ...given } = tableArguments(args);
  if (!file || !organisation) return misused(NUMBERS_USAGE);
  const fault = (await organisationFault(app, organisation)) ?? (await groupFault(app, given.group));
  if (fault) return misused(fault);
  const report = await importNumbers(app, AUTHOR, {
    organisationId: organisation,
    ...given,
    table: readFileSync(file, "utf8"),
    onProgress: showProgress,
  });
  return tell(report, given, "held");
}

async function stockTable(app: App, args: readonly string[]): Promise<number> {
  const { file, organisation, ...given } = tableArguments(args);
  if (!file || organisation !== undefined) return misused(NUMBERS_USAGE);
  const fault = await groupFault(app, given.group);
  if (fault) return misused(fault);
  const table = readFileSync(file, "utf8");
  const report = await stockNumbers(app, AUTHOR, { ...given, table, onProgress: showProgress });
  return tell(report, given, "in stock");
}

function misused(complaint: string): number {
  console.error(complaint);
  return 2;
}

function showProgress(done: number, total: number): void {
  console.error(`${done} of ${total}`);
}

function tell(
  { added, skipped, faults }: Awaited<ReturnType<typeof stockNumbers>>,
  { isDryRun }: { isDryRun: boolean },
  before: string,
): number {
  for (const { line, fault } of faults) console.error(`line ${line}: ${fault}`);
  const done = isDryRun ? "would be added" : "added";
  console.log(`${added} ${done}, ${skipped} ${before} already, ${faults.length} not possible.`);
  return faults.length > 0 ? 1 : 0;
}

interface TableArguments {
  file?: string | undefined;
  organisation?: string;
  group?: string;
  country?: string;
  isDryRun: boolean;
}

function tableArguments(args: readonly string[]): TableArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        organisation: { type: "string" },
        group: { type: "string" },
        country: { type: "string" },
        "dry-run": { type: "boolean", default: false },
      },
    });
    const [file, ...more] = positionals;
    return { ...values, file: more.length === 0 ? file : undefined, isDryRun: values["dry-run"] };
  } catch {
    return { isDryRun: false };
  }
}

async function organisationFault(app: App, organisation: string): Promise<string | undefined> {
  const found =
    isId(organisation) &&
    (await getOrganisation(app, organisation).catch((error: unknown) => {
      if (error instanceof ApiError) return undefined;
      throw error;
    }));
  return found ? undefined : `No organisation ${organisation}.`;
}

async function groupFault(app: App, group: string | undefined): Promise<string | undefined> {
  const isKnown = group === undefined || (await isLiveGroup(app, group));
  return isKnown ? undefined : `No live switch group ${group}.`;
}

async function suspend(
  app: App,
  command: "suspend-number" | "resume-number",
  [text = "", ...more]: readonly string[],
): Promise<number> {
  const number = parseNumber(text);
  if ("fault" in number || more.length > 0) {
    console.error(NUMBERS_USAGE);
    return 2;
  }
  const isSuspended = command === "suspend-number";
  if (!(await suspendNumber(app, AUTHOR, number.e164, isSuspended))) {
    console.error(`No organisation holds ${number.e164} as ${isSuspended ? "active" : "suspended"}.`);
    return 1;
  }
  console.log(`${number.e164} is ${isSuspended ? "suspended" : "active"}.`);
  return 0;
}

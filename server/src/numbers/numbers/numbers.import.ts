import type { App } from "../../app.ts";
import type { Author } from "../../events/audit/audit.ts";
import { parseNumber } from "./numbers.e164.ts";
import { tidyTags } from "./numbers.rules.ts";
import { addHoldings, type NewNumber } from "./numbers.stock.ts";
import { type AddOutcome, listShards } from "./numbers.stock.store.ts";
import { readTable, type TableFault } from "./numbers.table.ts";

export interface ImportRequest {
  organisationId: string;
  /** The file's content: a header with number, and label and tags (separated by semicolons) where wanted. */
  table: string;
  group?: string;
  /** Country of numbers that do not begin with a plus. */
  country?: string;
  /** Rolls everything back at the end. */
  isDryRun: boolean;
  onProgress(done: number, total: number): void;
}

export interface ImportReport {
  added: number;
  /** Held by this organisation before: a file can be imported again. */
  skipped: number;
  faults: TableFault[];
}

interface Entry extends NewNumber {
  line: number;
}

const COLUMNS = ["number", "label", "tags"];
const BATCH = 500;

export async function importNumbers(
  app: Pick<App, "db" | "clock">,
  author: Author,
  request: ImportRequest,
): Promise<ImportReport> {
  const { entries, faults } = readTable(request.table, COLUMNS, (cell) => entryOf(cell, request.country));
  const report: ImportReport = { added: 0, skipped: 0, faults };
  const sorted = await byShard(app, request, entries);
  const lines = new Map(sorted.map(({ e164, line }) => [e164, line]));
  for (let from = 0; from < sorted.length; from += BATCH) {
    const numbers = sorted.slice(from, from + BATCH).map(withoutLine);
    for (const { e164, outcome } of await addBatch(app, author, request, numbers)) {
      if (outcome === "added") report.added++;
      else if (outcome === "already_held") report.skipped++;
      else report.faults.push({ line: lines.get(e164)!, fault: `${e164} is not available.` });
    }
    request.onProgress(Math.min(from + BATCH, sorted.length), sorted.length);
  }
  report.faults.sort((one, other) => one.line - other.line);
  return report;
}

function entryOf(cell: (column: string) => string, country: string | undefined): NewNumber | string {
  const parsed = parseNumber(cell("number"), country);
  if ("fault" in parsed) return parsed.fault;
  const label = cell("label");
  const tags = tidyTags(cell("tags").split(";")).filter((tag) => tag !== "");
  if (label.length > 200) return "A label has at most 200 characters.";
  if (tags.length > 20 || tags.some((tag) => tag.length > 50))
    return "A number has at most 20 tags of at most 50 characters.";
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(label + tags.join(""))) return "A label or tag holds a control character.";
  return { ...parsed, ...(label && { label }), ...(tags.length > 0 && { tags }) };
}

function withoutLine({ line: _line, ...number }: Entry): NewNumber {
  return number;
}

/** Together what lies in one shard: a transaction then holds up few of them. */
async function byShard(
  { db }: Pick<App, "db">,
  { group }: ImportRequest,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const shards = new Map<string, number>();
  for (let from = 0; from < entries.length; from += 10_000) {
    const some = entries.slice(from, from + 10_000).map(({ e164 }) => e164);
    for (const { e164, shard } of await db.forSystem("stock", (tx) => listShards(tx, group, some)))
      shards.set(e164, shard);
  }
  return entries.toSorted((one, other) => shards.get(one.e164)! - shards.get(other.e164)!);
}

class DryRunEnd extends Error {
  readonly outcomes: readonly { e164: string; outcome: AddOutcome }[];
  constructor(outcomes: readonly { e164: string; outcome: AddOutcome }[]) {
    super();
    this.outcomes = outcomes;
  }
}

async function addBatch(
  app: Pick<App, "db" | "clock">,
  author: Author,
  { organisationId, group, isDryRun }: ImportRequest,
  numbers: readonly NewNumber[],
): Promise<readonly { e164: string; outcome: AddOutcome }[]> {
  try {
    return await app.db.forSystem("stock", async (tx) => {
      const outcomes = await addHoldings(tx, author, app.clock.now(), {
        organisationId,
        environment: "live",
        source: "import",
        numbers,
        ...(group !== undefined && { group }),
      });
      if (isDryRun) throw new DryRunEnd(outcomes);
      return outcomes;
    });
  } catch (error) {
    if (error instanceof DryRunEnd) return error.outcomes;
    throw error;
  }
}

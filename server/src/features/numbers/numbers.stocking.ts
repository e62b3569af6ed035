import type { App } from "../../app.ts";
import { newId } from "../../platform/ids.ts";
import { type Author, recordAct } from "../audit/audit.ts";
import { NUMBER_TYPES, type ParsedNumber, parseNumber } from "./numbers.e164.ts";
import { insertStock } from "./numbers.stock.store.ts";
import { readTable, type TableFault } from "./numbers.table.ts";

export interface StockingRequest {
  /** The file's content: a header with number, and type where the numbering plan does not know better. */
  table: string;
  /** Of the switches that will serve them; the live side's default where left out. */
  group?: string;
  /** Whose numbers are those that do not begin with a plus. */
  country?: string;
  /** Does everything and takes it back. */
  isDryRun: boolean;
  onProgress(done: number, total: number): void;
}

export interface StockingReport {
  added: number;
  /** In stock before, held or not: a file can be loaded again. */
  skipped: number;
  faults: TableFault[];
}

const COLUMNS = ["number", "type"];
const BATCH = 500;

/** Loads live numbers that nobody holds yet: whoever orders from the pool can have them. */
export async function stockNumbers(
  app: Pick<App, "db" | "clock">,
  author: Author,
  { table, group, country, isDryRun, onProgress }: StockingRequest,
): Promise<StockingReport> {
  const { entries, faults } = readTable(table, COLUMNS, (cell) =>
    entryOf(cell("number"), cell("type"), country),
  );
  let added = 0;
  for (let from = 0; from < entries.length; from += BATCH) {
    const numbers = entries.slice(from, from + BATCH);
    added += await addBatch(app, author, { group, isDryRun, numbers });
    onProgress(from + numbers.length, entries.length);
  }
  return { added, skipped: entries.length - added, faults };
}

function entryOf(number: string, type: string, country: string | undefined): ParsedNumber | string {
  const parsed = parseNumber(number, country);
  if ("fault" in parsed) return parsed.fault;
  const named = type === "" ? parsed.type : NUMBER_TYPES.find((known) => known === type);
  if (!named) return `There is no type ${type}; there are ${NUMBER_TYPES.join(", ")}.`;
  return { ...parsed, type: named };
}

class TakenBack extends Error {
  readonly added: number;
  constructor(added: number) {
    super();
    this.added = added;
  }
}

async function addBatch(
  { db, clock }: Pick<App, "db" | "clock">,
  author: Author,
  {
    group,
    isDryRun,
    numbers,
  }: { group: string | undefined; isDryRun: boolean; numbers: readonly ParsedNumber[] },
): Promise<number> {
  try {
    return await db.forSystem("stock", async (tx) => {
      const now = clock.now();
      const rows = numbers.map(({ e164, country, type }) => ({ id: newId(), e164, country, type }));
      const added = await insertStock(tx, group, rows, now);
      if (isDryRun) throw new TakenBack(added.length);
      if (added.length > 0)
        await recordAct(tx, author, now, {
          action: "stock.added",
          detail: { count: added.length, first: added[0], last: added.at(-1) },
        });
      return added.length;
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.added;
    throw error;
  }
}

import type { App } from "../../app.ts";
import { newId } from "../../platform/ids.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import type { ParsedNumber } from "./numbers.e164.ts";
import { type NumberRange, numbersIn, rangeOf, type WrittenRange } from "./numbers.ranges.ts";
import { insertStock } from "./numbers.stock.store.ts";
import { readTable, type TableFault } from "./numbers.table.ts";

interface Stocking {
  /** Switch group that will serve them (default: the live environment's default group). */
  group?: string | undefined;
  /** Country of numbers that do not begin with a plus. */
  country?: string | undefined;
  /** Rolls everything back at the end. */
  isDryRun: boolean;
}

interface Stocked {
  added: number;
  /** In stock before, held or not, or named twice: a file can be loaded again. */
  skipped: number;
}

export interface TableStocking extends Stocking {
  /** The file's content: a header with number, and to (the last of a range) and type where wanted. */
  table: string;
  onProgress(done: number, total: number): void;
}

const COLUMNS = ["number", "to", "type"];
const BATCH = 500;

/** Loads live numbers without a holder into the pool, from which organisations can order them. */
export async function stockNumbers(
  app: Pick<App, "db" | "clock">,
  author: Author,
  { table, onProgress, ...how }: TableStocking,
): Promise<Stocked & { faults: TableFault[] }> {
  const { entries, faults } = readTable(table, COLUMNS, (cell) =>
    rangeOf({ number: cell("number"), to: cell("to"), type: cell("type") }, how.country),
  );
  return { ...(await addRanges(app, author, entries, { ...how, onProgress })), faults };
}

/** Maximum numbers that can be written within the time of a request. */
export const MOST_AT_ONCE = 10_000;

/** Like `stockNumbers`, for entries of a request. Faults name the position of the entry. */
export async function importRanges(
  app: Pick<App, "db" | "clock">,
  author: Author,
  written: readonly WrittenRange[],
  how: Stocking,
): Promise<Stocked & { faults: { entry: number; detail: string }[] }> {
  const ranges: NumberRange[] = [];
  const faults: { entry: number; detail: string }[] = [];
  let room = MOST_AT_ONCE;
  for (const [entry, one] of written.entries()) {
    const range = rangeOf(one, how.country);
    if (typeof range === "string") faults.push({ entry, detail: range });
    else if (range.count > room)
      faults.push({ entry, detail: "Too many numbers in one request. Send this range in another." });
    else {
      ranges.push(range);
      room -= range.count;
    }
  }
  return { ...(await addRanges(app, author, ranges, how)), faults };
}

async function addRanges(
  app: Pick<App, "db" | "clock">,
  author: Author,
  ranges: readonly NumberRange[],
  { group, isDryRun, onProgress }: Stocking & Partial<Pick<TableStocking, "onProgress">>,
): Promise<Stocked> {
  const all = numbersIn(ranges);
  let added = 0;
  for (let from = 0; from < all.length; from += BATCH) {
    const numbers = all.slice(from, from + BATCH);
    added += await addBatch(app, author, { group, isDryRun, numbers });
    onProgress?.(from + numbers.length, all.length);
  }
  return { added, skipped: ranges.reduce((sum, { count }) => sum + count, 0) - added };
}

class DryRunEnd extends Error {
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
      if (isDryRun) throw new DryRunEnd(added.length);
      if (added.length > 0)
        await recordAct(tx, author, now, {
          action: "stock.added",
          detail: { count: added.length, first: added[0], last: added.at(-1) },
        });
      return added.length;
    });
  } catch (error) {
    if (error instanceof DryRunEnd) return error.added;
    throw error;
  }
}

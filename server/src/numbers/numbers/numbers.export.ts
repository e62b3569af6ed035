import type { Readable } from "node:stream";
import type { App } from "../../app.ts";
import type { Actor } from "../../platform/http/access.ts";
import { tableStream } from "../../platform/http/table-stream.ts";
import { csvLine } from "./numbers.csv.ts";
import type { NumberListFilters, NumberRecord } from "./numbers.schema.ts";
import { listNumbers } from "./numbers.ts";

const COLUMNS = [
  "id",
  "number",
  "country",
  "type",
  "status",
  "label",
  "tags",
  "source",
  "mode",
  "sync",
  "generation",
  "release_lock",
  "acquired_at",
  "released_at",
] as const;

const PAGE = 1_000;

/**
 * Yields page by page, and reads each page when the previous one is consumed. It reads the first page at once, so
 * that early errors get an error response. A later failure, or the loss of the permission, aborts the transfer.
 */
export async function exportNumbers(
  app: Pick<App, "db">,
  actor: Actor,
  filters: NumberListFilters,
  admitted: () => Promise<void>,
): Promise<Readable> {
  const list = (after?: string) => listNumbers(app, actor, filters, { after, limit: PAGE });
  return tableStream(tableOf(await list(), list, admitted));
}

type NumberPage = Awaited<ReturnType<typeof listNumbers>>;

async function* tableOf(
  first: NumberPage,
  list: (after: string) => Promise<NumberPage>,
  admitted: () => Promise<void>,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for (let page = first; ;) {
    const numbers = JSON.parse(page.data) as NumberRecord[];
    if (numbers.length > 0) yield numbers.map(lineOf).join("");
    if (page.last === null) return;
    await admitted();
    page = await list(page.last);
  }
}

function lineOf(number: NumberRecord): string {
  const { routing } = number;
  return csvLine([
    number.id,
    number.e164,
    number.country,
    number.type,
    number.status,
    number.label,
    number.tags.join(";"),
    number.source,
    routing?.mode,
    routing?.status,
    routing?.generation,
    number.release_lock,
    number.acquired_at,
    number.released_at,
  ]);
}

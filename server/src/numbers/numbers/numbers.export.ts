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
 * Page by page, each read when the one before has been taken. The first is read at once, so that what is rejected or
 * fails early is still an answer; a later failure breaks the transfer off, and so does the loss of the right to read.
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

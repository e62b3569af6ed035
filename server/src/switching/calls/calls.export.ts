import type { Readable } from "node:stream";
import type { Page } from "../../platform/http/page.ts";
import { tableStream } from "../../platform/http/table-stream.ts";
import { csvLine } from "../../numbers/numbers/numbers.ts";
import type { Call } from "./calls.schema.ts";

const COLUMNS = [
  "id",
  "started_at",
  "answered_at",
  "ended_at",
  "result",
  "ending",
  "talk_seconds",
  "mode",
  "generation",
  "code",
  "reason",
  "switch",
  "caller",
  "target",
  "ended_by",
  "setup_ms",
  "ring_ms",
  "q850",
  "caller_raw",
  "sip_call_id",
  "attempts",
  "number_id",
  "e164",
  "connection_id",
  "step",
  "misrouted",
] as const satisfies (keyof Call)[];

const PAGE = 1_000;

interface CallPage {
  data: string;
  last: string | null;
}

/** Reads the first page at once and the others on demand, like the export of numbers. */
export async function exportCalls(
  read: (page: Page) => Promise<CallPage>,
  admitted: () => Promise<void>,
): Promise<Readable> {
  const list = (after?: CallPage["last"]) => read({ after: after ?? undefined, limit: PAGE });
  return tableStream(tableOf(await list(), list, admitted));
}

async function* tableOf(
  first: CallPage,
  list: (after: CallPage["last"]) => Promise<CallPage>,
  admitted: () => Promise<void>,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for (let page = first; ;) {
    const calls = JSON.parse(page.data) as Call[];
    if (calls.length > 0)
      yield calls.map((call) => csvLine(COLUMNS.map((column) => cellOf(call[column])))).join("");
    if (page.last === null) return;
    await admitted();
    page = await list(page.last);
  }
}

/** A list goes into one cell, as JSON. */
function cellOf(value: Call[keyof Call]): string | number | null {
  if (typeof value === "boolean") return String(value);
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

import { usageFailure } from "./cli-failure.ts";
import type { Context } from "./cli-context.ts";
import type { OptionTable } from "./cli-command.ts";

/** Options of every command that lists. */
export const LIST_OPTIONS = {
  limit: { type: "string", short: "n", value: "count", summary: "maximum number of results (default: 100)" },
  all: { type: "boolean", summary: "return all results" },
} as const satisfies OptionTable;

const LIMIT = 100;
/** Page size of the service. */
const PAGE = 100;

/** As many as were requested; says so where there are more. */
export async function several<Item>(
  { terminal }: Pick<Context, "terminal">,
  { limit, all }: { limit?: string; all?: boolean },
  list: (query: { limit: number }) => AsyncIterable<Item>,
): Promise<Item[]> {
  const wanted = all ? Number.POSITIVE_INFINITY : readCount(limit ?? String(LIMIT), "--limit");
  const items: Item[] = [];
  for await (const item of list({ limit: Math.min(PAGE, wanted) })) {
    if (items.length === wanted) {
      terminal.say(`More than ${wanted} results: use --limit or --all to get more.`);
      break;
    }
    items.push(item);
  }
  return items;
}

export function readCount(text: string, name: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw usageFailure(`${name} must be a whole number of 1 or more, not “${text}”.`);
  return count;
}

import type { Customer } from "./customer.ts";

/** A call as the service shows it to the holder of its number. */
export interface ShownCall {
  id: string;
  caller: string | null;
  result: string;
  ending: string;
  started_at: string;
  answered_at: string | null;
  ended_at: string | null;
  talk_seconds: number;
}

interface UsageTotals {
  calls: number;
  answered: number;
  rejected: number;
  talk_seconds: number;
}

type Reader = Pick<Customer, "asPerson">;

/** All of them, page by page. */
export async function listCalls(reader: Reader, numberId: string): Promise<ShownCall[]> {
  const calls: ShownCall[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const path = `/v1/numbers/${numberId}/calls?limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: { data: ShownCall[]; next_cursor: string | null } = await reader.asPerson("GET", path);
    calls.push(...page.data);
    cursor = page.next_cursor;
  }
  return calls;
}

/** Totals without a time limit. */
export async function totalsOf(reader: Reader, numberId: string): Promise<UsageTotals> {
  const path = `/v1/numbers/${numberId}/usage?from=2020-01-01T00:00Z&to=2050-01-01T00:00Z`;
  return (await reader.asPerson<{ totals: UsageTotals }>("GET", path)).totals;
}

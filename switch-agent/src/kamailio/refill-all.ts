import type { SwitchTable } from "./route-text.ts";
import { RestartedError, type SwitchMemory } from "./switch-memory.ts";
import type { SwitchRows } from "./switch-rows.ts";

/** Two frames or three, so that reading the next and taking this one go side by side. */
const PAGE = 300;
const PAGES_A_TURN = 20;

/** Gives memory everything in the file. Returns the number of rows. `inTurn` lets changes in between. */
export async function refillAll(
  rows: SwitchRows,
  memory: SwitchMemory,
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>,
  isSameBoot: () => boolean,
): Promise<number> {
  let count = 0;
  for (const table of ["org", "host", "cn", "rt"] as const)
    for (let after: string | undefined = ""; after !== undefined;) {
      const from: string = after;
      // Read and sent under one lock: concurrent changes come after it.
      after = await inTurn(() => refillSome({ rows, memory }, table, from, (sent) => void (count += sent)));
      if (!isSameBoot()) throw new RestartedError();
    }
  return count;
}

interface Parts {
  rows: SwitchRows;
  memory: SwitchMemory;
}

/**
 * Gives memory some of what the file has, from behind a key on; returns behind which to continue, if there is more.
 * Reads the next page while one is being taken.
 */
async function refillSome(
  { rows, memory }: Parts,
  table: SwitchTable,
  after: string,
  counted: (count: number) => void,
): Promise<string | undefined> {
  let page = rows.page(table, after, PAGE);
  for (let pages = 1; page.length > 0; pages++) {
    const last = page.length < PAGE ? undefined : page.at(-1)!.key;
    counted(page.length);
    const sending = memory.set(table, page);
    if (last !== undefined && pages < PAGES_A_TURN) page = rows.page(table, last, PAGE);
    else page = [];
    await sending;
    if (pages === PAGES_A_TURN || last === undefined) return last;
  }
  return undefined;
}

import type { SwitchTable } from "./route-text.ts";
import type { SwitchMemory } from "./switch-memory.ts";
import type { SwitchRows } from "./switch-rows.ts";

/** Two frames or three, so that reading the next and taking this one go side by side. */
const PAGE = 300;
const PAGES_A_TURN = 20;

/**
 * Gives memory some of what the file has, from behind a key on; returns behind which to continue, if there is more.
 * Reads the next page while one is being taken.
 */
export async function refillSome(
  { rows, memory }: { rows: SwitchRows; memory: SwitchMemory },
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

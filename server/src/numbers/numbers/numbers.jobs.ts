import type { App } from "../../app.ts";
import { addNumberCounts } from "./numbers.counts.store.ts";

/** Changes of one transaction. */
const MOST_CHANGES = 10_000;

/** Keeps the counts of numbers short: without it they are right, but each change is a row. */
export const addNumberCountsChore = {
  name: "numbers.add-counts",
  everyMs: 5_000,
  async run({ db }: Pick<App, "db">): Promise<void> {
    while ((await db.forSystem("sweep", (tx) => addNumberCounts(tx, MOST_CHANGES))) === MOST_CHANGES);
  },
};

import type { App } from "../../app.ts";
import { ALIGN_NUMBERS, alignNumbers } from "./organisations.suspension.ts";
import { listOrganisationsWithNumbersDue } from "./organisations.store.ts";

/** Other jobs run after this time, and a server that is stopping need not wait longer. */
const TURN_MS = 8_000;

export const alignNumbersJob = {
  name: ALIGN_NUMBERS,
  async run(app: App, { id }: { id: string }): Promise<void> {
    if (!(await alignNumbers(app, id, TURN_MS))) await queue(app, [id]);
  },
};

/** The queue itself may be lost. */
export const sweepNumbersDueJob = {
  name: "organisations.sweep-numbers-due",
  every: "* * * * *",
  async run(app: App): Promise<void> {
    await queue(app, await app.db.forSystem("operator", listOrganisationsWithNumbersDue));
  },
};

async function queue(app: App, ids: readonly string[]): Promise<void> {
  await app.db.forSystem("operator", async (tx) => {
    for (const id of ids) await app.jobs.enqueue(tx, ALIGN_NUMBERS, { id });
  });
}

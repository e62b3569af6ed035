import type { App } from "../../app.ts";
import { advanceBulkChange } from "./bulk-changes.apply.ts";
import {
  deleteExpiredPlan,
  deleteFinished,
  findNextApplying,
  listApplyingSince,
} from "./bulk-changes.apply.store.ts";
import { APPLY_BULK_CHANGE } from "./bulk-changes.ts";

/** Other jobs run after this time, and a server that is stopping need not wait longer. */
const TURN_MS = 8_000;
const OVERDUE_MS = 60_000;
const KEPT_EXPIRED_MS = 86_400_000;
const KEPT_FINISHED_MS = 90 * 86_400_000;

export const applyBulkChangeJob = {
  name: APPLY_BULK_CHANGE,
  async run(app: App, { id }: { id: string }): Promise<void> {
    const result = await advanceBulkChange(app, id, TURN_MS);
    if (result === "more") await queue(app, [id]);
    if (result === "done") await queueNext(app, id);
  },
};

/** Queues bulk changes again that no worker has continued for a while: the queue itself may be lost. */
export const sweepBulkChangesJob = {
  name: "bulk-changes.sweep",
  every: "* * * * *",
  async run(app: App): Promise<void> {
    const now = app.clock.now().getTime();
    await queue(
      app,
      await app.db.forSystem("bulk", (tx) => listApplyingSince(tx, new Date(now - OVERDUE_MS))),
    );
    while (await deleteExpiredPlan(app.db, new Date(now - KEPT_EXPIRED_MS)));
  },
};

/** Deletes bulk changes with their items 90 days after their end. */
export async function sweepFinishedBulkChanges({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_FINISHED_MS);
  while (await deleteFinished(db, before));
}

/** Asked after the finish is committed, so that a bulk change that started in the meantime is seen. */
async function queueNext(app: App, finishedId: string): Promise<void> {
  const next = await findNextApplying(app.db, finishedId);
  if (next) await queue(app, [next]);
}

async function queue(app: App, ids: readonly string[]): Promise<void> {
  await app.db.forSystem("bulk", async (tx) => {
    for (const id of ids) await app.jobs.enqueue(tx, APPLY_BULK_CHANGE, { id });
  });
}

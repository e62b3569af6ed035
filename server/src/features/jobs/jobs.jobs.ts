import type { App } from "../../app.ts";
import { takeDueJobs } from "./jobs.store.ts";
import { WAKES } from "./jobs.ts";

/** So many at a time; what is left is due a moment later too. */
const BATCH = 200;
/** A queue with a backlog has it somewhere; after this long it may have been lost. */
const QUEUED_MS = 10_000;

/** Queues whatever is due: a job that waited, one whose worker has died, one whose place in the queue was lost. */
export const sweepJobsChore = {
  name: "jobs.sweep",
  everyMs: 1_000,
  async run({ db, clock, jobs }: Pick<App, "db" | "clock" | "jobs">): Promise<void> {
    const now = clock.now();
    const due = { now, queuedBefore: new Date(now.getTime() - QUEUED_MS) };
    await db.forSystem("sweep", async (tx) => {
      for (const { id, type } of await takeDueJobs(tx, due, BATCH))
        await jobs.enqueue(tx, WAKES[type], { id });
    });
  },
};

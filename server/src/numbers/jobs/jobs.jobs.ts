import type { App } from "../../app.ts";
import { JOB_TYPES } from "./jobs.rules.ts";
import { takeDueJobs } from "./jobs.store.ts";
import { WAKES } from "./jobs.ts";

/** Maximum jobs per transaction. */
const BATCH = 500;
/** A job queued this long ago and still due, while the queue is empty, was lost from the queue. */
const LOST_MS = 10_000;
/** With a backlog, the job is probably still queued. Queueing it repeatedly would grow the backlog. */
const LOST_BEHIND_MS = 600_000;

/** Queues whatever is due: a job that waited, one whose worker has died, one whose place in the queue was lost. */
export const sweepJobsChore = {
  name: "jobs.sweep",
  everyMs: 1_000,
  async run(app: Pick<App, "db" | "clock" | "jobs">): Promise<void> {
    for (const wake of new Set(Object.values(WAKES))) {
      const isBehind = await app.db.forSystem("sweep", (tx) => app.jobs.isBehind(tx, wake));
      while ((await queueDue(app, wake, isBehind ? LOST_BEHIND_MS : LOST_MS)) === BATCH);
    }
  },
};

async function queueDue(
  { db, clock, jobs }: Pick<App, "db" | "clock" | "jobs">,
  wake: string,
  lostMs: number,
): Promise<number> {
  const types = JOB_TYPES.filter((type) => WAKES[type] === wake);
  const now = clock.now();
  const due = { types, now, queuedBefore: new Date(now.getTime() - lostMs) };
  return db.forSystem("sweep", async (tx) => {
    const ids = await takeDueJobs(tx, due, BATCH);
    await jobs.enqueue(tx, wake, ...ids.map((id) => ({ id })));
    return ids.length;
  });
}

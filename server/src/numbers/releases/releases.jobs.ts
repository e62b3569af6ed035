import type { App } from "../../app.ts";
import { advanceJob, WAKES } from "../jobs/jobs.ts";
import { advanceRelease } from "./releases.advance.ts";
import { endRests } from "./releases.restore.ts";

export const advanceReleaseJob = {
  name: WAKES.number_release,
  batchesAtOnce: 8,
  async run(app: App, { id }: { id: string }): Promise<void> {
    await advanceJob(app, id, (job) => advanceRelease(app, job));
  },
};

/** Numbers that have rested long enough. */
export const endRestsChore = { name: "releases.end-rests", everyMs: 10_000, run: endRests };

import type { App } from "../../app.ts";
import { advanceJob, WAKES } from "../jobs/jobs.ts";
import { advanceOrder } from "./orders.advance.ts";

export const advanceOrderJob = {
  name: WAKES.number_order,
  batchesAtOnce: 8,
  async run(app: App, { id }: { id: string }): Promise<void> {
    await advanceJob(app, id, (job) => advanceOrder(app, job));
  },
};

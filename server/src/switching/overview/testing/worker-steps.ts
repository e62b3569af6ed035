import type { App } from "../../../app.ts";
import { applyBulkChangeJob } from "../../../numbers/bulk-changes/bulk-changes.jobs.ts";
import { addNumberCountsChore } from "../../../numbers/numbers/numbers.jobs.ts";

/** Steps of the worker, at the moment of the test. */
export const addCounts = (app: App): Promise<void> => addNumberCountsChore.run(app);
export const applyBulkChange = (app: App, id: string): Promise<void> => applyBulkChangeJob.run(app, { id });

import type { App } from "../../../app.ts";
import { reconcileJob } from "../../reconciliations/reconciliations.jobs.ts";

/** The nightly reconciliation of all carriers. */
export async function reconcileAll(app: App): Promise<void> {
  await reconcileJob.run(app);
}

import type { App } from "../../app.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { reconcileAll } from "./reconciliations.ts";

/** Every night. */
export const reconcileJob = {
  name: "reconciliations.nightly",
  every: "23 3 * * *",
  async run(app: App): Promise<void> {
    await reconcileAll(app, systemAuthor("nightly reconciliation"));
  },
};

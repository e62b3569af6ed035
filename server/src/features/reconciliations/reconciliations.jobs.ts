import type { App } from "../../app.ts";
import { systemAuthor } from "../audit/audit.ts";
import { reconcile } from "./reconciliations.ts";

/** Every night, where live numbers are ordered. */
export const reconcileJob = {
  name: "reconciliations.nightly",
  every: "23 3 * * *",
  async run(app: App): Promise<void> {
    await reconcile(app, systemAuthor("nightly reconciliation"), app.carriers.orderingOf("live").name);
  },
};

import type { App } from "../../app.ts";
import { recheckDomains } from "./identity-providers.recheck.ts";

/** Often, because each run takes only what is due. */
export const recheckDomainsJob = {
  name: "identity-providers.recheck-domains",
  every: "*/10 * * * *",
  run: (app: App): Promise<void> => recheckDomains(app),
};

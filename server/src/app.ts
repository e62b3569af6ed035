import type { Carriers, Inventories } from "./numbers/carriers/carrier.ts";
import type { Config } from "./config.ts";
import type { Feed } from "./switching/feed/feed.ts";
import type { Live } from "./switching/live/live.ts";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/db/database.ts";
import type { Names } from "./platform/egress-names.ts";
import { operationsOf } from "./platform/http/operation.ts";
import type { Jobs } from "./platform/jobs/job-queue.ts";
import type { Log } from "./platform/log.ts";
import type { Mailer } from "./platform/mail/mailer.ts";
import type { Metrics } from "./platform/metrics.ts";
import type { Secrets } from "./platform/secrets.ts";

/** Dependencies of the program. Created once at start and passed as arguments, never imported as a global. */
export interface App {
  config: Config;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  db: Database;
  secrets: Secrets;
  jobs: Jobs;
  mailer: Mailer;
  feed: Feed;
  live: Live;
  /** Carriers for ordering and returning numbers. */
  carriers: Carriers;
  names: Names;
  /** Inventories for searching and reserving numbers. */
  inventory: Inventories;
}

export const operation = operationsOf<App>();

import type { App } from "./app.ts";
import { sendMailJob, sweepMailsJob } from "./features/mails/mails.jobs.ts";
import { sweepLinks } from "./features/one-time-links/one-time-links.ts";
import { sweepSessions } from "./features/sessions/sessions.ts";
import { sweepIdempotencyKeys } from "./platform/idempotency/idempotency.ts";
import { type JobDefinition, workOff } from "./platform/jobs/jobs.ts";
import { sweepLimits } from "./platform/limits/limits.ts";

/** What has ended is removed a while later; nothing waits for it, every reader compares times itself. */
const sweepEndedJob = {
  name: "ended.sweep",
  every: "17 * * * *",
  async run(app: App): Promise<void> {
    await Promise.all([sweepSessions(app), sweepLinks(app), sweepIdempotencyKeys(app), sweepLimits(app)]);
  },
};

export const JOBS: readonly JobDefinition<App>[] = [sendMailJob, sweepMailsJob, sweepEndedJob];

export async function startWorker(app: App): Promise<{ close(): Promise<void> }> {
  return workOff(
    { url: app.config.database.listenUrlOf("system"), log: app.log, metrics: app.metrics },
    app,
    JOBS,
  );
}

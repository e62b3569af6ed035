import type { App } from "./app.ts";
import { applyBulkChangeJob, sweepBulkChangesJob } from "./numbers/bulk-changes/bulk-changes.jobs.ts";
import { keepCallPartitionsJob } from "./switching/calls/calls.records.jobs.ts";
import { sweepJobsChore } from "./numbers/jobs/jobs.jobs.ts";
import { sweepEndedJobs } from "./numbers/jobs/jobs.ts";
import { sendMailJob, sweepMailsJob } from "./events/mails/mails.jobs.ts";
import { sweepProblemsChore } from "./events/notifications/notifications.jobs.ts";
import { sweepEndedProblems } from "./events/notifications/notifications.sweep.ts";
import { sweepAuthorisationCodes } from "./people/authorisation-codes/authorisation-codes.ts";
import { sweepDeviceSignIns } from "./people/device-sign-ins/device-sign-ins.ts";
import { writeLetter } from "./people/letters/letters.ts";
import { sweepChallenges, sweepLinks } from "./people/one-time-links/one-time-links.ts";
import { sweepFeedJob } from "./switching/feed/feed.jobs.ts";
import { addNumberCountsChore } from "./numbers/numbers/numbers.jobs.ts";
import { advanceOrderJob } from "./numbers/orders/orders.jobs.ts";
import { recheckDomainsJob } from "./people/identity-providers/identity-providers.jobs.ts";
import { alignNumbersJob, sweepNumbersDueJob } from "./people/organisations/organisations.jobs.ts";
import { advanceReleaseJob, endRestsChore } from "./numbers/releases/releases.jobs.ts";
import { reconcileJob } from "./numbers/reconciliations/reconciliations.jobs.ts";
import { tellOwnersJob } from "./people/sign-ins/sign-ins.jobs.ts";
import { sweepSessions } from "./people/sessions/sessions.ts";
import { measureLagChore } from "./retention.lag.ts";
import { sweepRetentionJob, sweepRoutingHistoryJob } from "./retention.ts";
import { sweepCallBuckets } from "./switching/overview/overview.ts";
import { endProbesChore, scheduleProbesChore, sweepProbes } from "./switching/probes/probes.jobs.ts";
import { sweepDriftJob } from "./switching/switches/switches.drift.ts";
import { startSimulatedSwitch } from "./switching/switches/switches.ts";
import { sweepDeliveries } from "./events/webhook-endpoints/webhook-endpoints.ts";
import { startWebhooks } from "./events/webhook-endpoints/webhook-endpoints.deliver.ts";
import { checkClockChore } from "./platform/clock-check.ts";
import { snapshotCheck } from "./platform/snapshot-check.ts";
import { isRestoring } from "./platform/restoring.ts";
import { sweepIdempotencyKeys } from "./platform/idempotency/idempotency.ts";
import { type Chore, type JobDefinition, keepUp, workOff } from "./platform/jobs/job-queue.ts";
import { sweepLimits } from "./platform/limits/limits.ts";

/** Deletes ended rows later. The delay has no effect, because every reader compares times itself. */
const sweepEndedJob = {
  name: "ended.sweep",
  every: "17 * * * *",
  async run(app: App): Promise<void> {
    await Promise.all([
      sweepSessions(app),
      sweepLinks(app),
      sweepChallenges(app),
      sweepAuthorisationCodes(app),
      sweepDeviceSignIns(app),
      sweepIdempotencyKeys(app),
      sweepLimits(app),
      sweepDeliveries(app),
      sweepEndedJobs(app),
      sweepCallBuckets(app),
      sweepEndedProblems(app),
      sweepProbes(app),
    ]);
  },
};

export const JOBS: readonly JobDefinition<App>[] = [
  sendMailJob(writeLetter),
  sweepMailsJob,
  sweepEndedJob,
  sweepFeedJob,
  sweepDriftJob,
  advanceOrderJob,
  advanceReleaseJob,
  reconcileJob,
  applyBulkChangeJob,
  sweepBulkChangesJob,
  alignNumbersJob,
  sweepNumbersDueJob,
  tellOwnersJob,
  recheckDomainsJob,
  keepCallPartitionsJob,
  sweepRetentionJob,
  sweepRoutingHistoryJob,
];

/**
 * Work that waits while the database is being restored, because it cannot be undone, or would delete what a comparison
 * needs. Sweeps find it afterwards. Jobs of orders and releases cannot be claimed during that time.
 */
const HELD = new Set<{ name: string }>([
  sweepEndedJob,
  sweepRetentionJob,
  sweepRoutingHistoryJob,
  sweepFeedJob,
  reconcileJob,
  applyBulkChangeJob,
  sweepBulkChangesJob,
  sweepJobsChore,
  endRestsChore,
  sweepProblemsChore,
  scheduleProbesChore,
]);

function unlessHeld<Work extends { name: string; run(app: App, data: never): Promise<void> }>(
  work: Work,
): Work {
  if (!HELD.has(work)) return work;
  return {
    ...work,
    async run(app: App, data: never) {
      if (!(await app.db.forSystem("sweep", (tx) => isRestoring(tx)))) await work.run(app, data);
    },
  };
}

const CHORES: readonly Chore<App>[] = [
  sweepJobsChore,
  endRestsChore,
  addNumberCountsChore,
  sweepProblemsChore,
  endProbesChore,
  scheduleProbesChore,
  checkClockChore,
  snapshotCheck(),
  measureLagChore,
];

export async function startWorker(app: App): Promise<{ close(): Promise<void> }> {
  const jobs = await workOff(
    { login: app.config.database.directLoginOf("system"), log: app.log, metrics: app.metrics },
    app,
    JOBS.map(unlessHeld),
  );
  const chores = keepUp(app, app, CHORES.map(unlessHeld));
  const webhooks = startWebhooks(app);
  const simulated = startSimulatedSwitch(app);
  return {
    async close() {
      await Promise.all([simulated.close(), webhooks.close(), chores.close(), jobs.close()]);
    },
  };
}

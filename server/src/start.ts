import type { Server } from "node:http";
import { type Api, buildApi } from "./api.ts";
import type { App } from "./app.ts";
import { openCarriers } from "./numbers/carriers/carriers.ts";
import { ConfigError, rolePasswords } from "./config-secrets.ts";
import type { Config } from "./config.ts";
import { declareRollback } from "./switching/epochs/epochs.ts";
import { openFeed } from "./switching/feed/feed.ts";
import { openLive } from "./switching/live/live.ts";
import { openSecrets, type Resealed, resealRootKeys, setUpRootKeys } from "./people/root-keys/root-keys.ts";
import { findStandings } from "./people/sessions/sessions.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { connect } from "./platform/db/database.ts";
import { isWrongPassword } from "./platform/db/door-login.ts";
import { changeSecrets, expectedSchema, migrate, type SecretsOptions } from "./platform/db/migrate.ts";
import { listSockets } from "./switching/switches/switches.ts";
import { openNames } from "./platform/egress-names.ts";
import { installJobs, openJobs } from "./platform/jobs/job-queue.ts";
import { openLog } from "./platform/log.ts";
import { openMailer } from "./platform/mail/mailer.ts";
import { openMetrics, serveMetrics } from "./platform/metrics.ts";
import { openReadiness } from "./platform/readiness.ts";
import { JOBS, startWorker } from "./worker.ts";

/** Puts the program together; nothing runs yet. */
export async function openApp(
  config: Config,
  overrides: Partial<App> = {},
): Promise<App & { close(): Promise<void> }> {
  const clock: Clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? openLog(config.logLevel);
  const metrics = openMetrics();
  const db = connect({
    ...config.database,
    onError: (error) => log.warn({ err: error }, "database connection lost"),
  });
  metrics.watchPools(db);
  const secrets = await openSecrets({ db, log, master: config.masterSecrets }).catch(explainWrongSecret);
  const jobs = await openJobs({ login: config.database.directLoginOf("system"), log, metrics });
  const mailer = openMailer(config.mail);
  const connected = await openCarriers({ db, clock, metrics, log, secrets }, config.carriers);
  const names = openNames({ clock, egress: config.egress });
  const feed = openFeed({
    db,
    clock,
    log,
    metrics,
    pollMs: config.feedPollMs,
    declareRollback: (divergence) =>
      declareRollback({ db, clock, log, metrics, jobs, rollbackPolicy: config.rollbackPolicy }, divergence),
    // One connection stays free for reports.
    catchUps: Math.max(1, Math.min(20, config.database.connections.switch - 1)),
  });
  const live = openLive({ db, clock, log, findStandings });
  const app: App = {
    config,
    clock,
    log,
    metrics,
    db,
    secrets,
    jobs,
    mailer,
    feed,
    live,
    names,
    carriers: connected.carriers,
    inventory: connected.inventory,
    ...overrides,
  };
  app.names.closeTo(() => listSockets(db));
  return {
    ...app,
    async close() {
      secrets[Symbol.dispose]();
      connected[Symbol.dispose]();
      await Promise.all([feed.close(), live.close()]);
      await jobs.close();
      await db.close();
    },
  };
}

/** Brings the database up to date: our schema, the doors' passwords, the job queue. */
export async function migrateDatabase(config: Config): Promise<string[]> {
  return migrate({
    ...secretsOptions(config),
    async afterwards(query) {
      await query(
        await installJobs(
          config.database.ownerUrl,
          JOBS.map((job) => job.name),
        ),
      );
    },
  });
}

/** Makes the current MASTER_SECRET the only one that is needed. */
export async function resealDatabase(config: Config): Promise<Resealed> {
  let resealed: Resealed = { count: 0, known: [] };
  await changeSecrets({
    ...secretsOptions(config),
    async setUpRootKeys(query) {
      await setUpRootKeys(query, config.masterSecrets);
      resealed = await resealRootKeys(query, config.masterSecrets);
      return "current";
    },
  });
  return resealed;
}

function secretsOptions({ database, masterSecrets }: Config): SecretsOptions {
  return {
    url: database.ownerUrl,
    passwordOf(door, secret) {
      const [current, previous] = rolePasswords(masterSecrets, door);
      return secret === "previous" ? previous! : current;
    },
    setUpRootKeys: (query) => setUpRootKeys(query, masterSecrets),
  };
}

/** Role passwords are derived from it too, and are the first thing that does not fit. */
function explainWrongSecret(error: unknown): never {
  if (!isWrongPassword(error)) throw error;
  throw new ConfigError(
    "PostgreSQL rejects the password that MASTER_SECRET gives to the role dialplane_system. Set the MASTER_SECRET that this database was migrated with. If you are changing the secret, set the one before as MASTER_SECRET_PREVIOUS too.",
  );
}

export type ProcessRole = "api" | "worker" | "all";

export interface RunningServer {
  app: App;
  api: Api | undefined;
  /** URL of the API. */
  url: string | undefined;
  stop(): Promise<void>;
}

export async function startServer(
  config: Config,
  role: ProcessRole,
  overrides: Partial<App> = {},
): Promise<RunningServer> {
  const app = await openApp(config, overrides);
  app.feed.checkEpoch();
  const readiness = openReadiness(app.db, expectedSchema());
  const metricsServer: Server = await serveMetrics(app.metrics, readiness, config.metrics);
  const worker = role === "api" ? undefined : await startWorker(app);
  const api = role === "worker" ? undefined : await buildApi(app, readiness);
  const url = await api?.http.listen(config.listen);
  app.log.info({ role, url }, "started");

  return {
    app,
    api,
    url,
    /** Announces the drain to load balancers, finishes open requests and jobs, then closes everything. */
    async stop() {
      app.log.info("stopping");
      readiness.announceDrain();
      if (api) {
        await new Promise((resolve) => setTimeout(resolve, config.announceDrainSeconds * 1000));
      }
      const deadline = new Promise((resolve) => setTimeout(resolve, config.drainSeconds * 1000).unref());
      await Promise.race([Promise.all([api?.close(), worker?.close()]), deadline]);
      metricsServer.close();
      await app.close();
      app.log.info("stopped");
    },
  };
}

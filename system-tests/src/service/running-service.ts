import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { programPath } from "../../../sdk/src/testing/program-path.ts";
import { freePorts } from "../sip/loopback.ts";
import { until } from "../sip/until.ts";
import { type Environment, type Program, runProgram, startProgram } from "./program.ts";

const CLUSTER = programPath("server/testing/cluster-process.ts");
const SERVER = programPath("server/src/main.ts");
const AGENT = programPath("switch-agent/src/run-agent.ts");

const START_MS = 180_000;
/** Addresses of the phones in these tests. */
const EGRESS_ALLOW = "127.0.0.0/8";

export interface ServiceOptions {
  roles?: ("all" | "api" | "worker")[];
  more?: Environment;
  /** Replaces the private cluster. */
  databaseUrl?: string;
}

/** API and worker on a private PostgreSQL server. Disposal throws if the database has faults. */
export interface RunningService extends AsyncDisposable {
  url: string;
  mailFolder: string;
  /** Once it answers; commands need not wait for that. */
  ready(): Promise<unknown>;
  /** A command of the server; returns what it printed. */
  server(...args: string[]): Promise<string>;
  /** An operator's command; returns what it printed. */
  operator(...args: string[]): Promise<string>;
  /** Log of API and worker since their start. */
  log(): string;
  /** Rows as the database itself has them, past every wall. */
  query<Row extends object>(sql: string): Promise<Row[]>;
  /** Ends API and worker as a power cut would. */
  killServer(): Promise<void>;
  /** `more` settings than at first. */
  startServer(more?: Environment): void;
  /** Ends PostgreSQL as a power cut would; it does not come back. */
  killDatabase(): Promise<void>;
  /** Next to a switch, with the file that describes it. */
  startAgent(credential: string, switchFolder: string, settings?: Environment): Program;
}

/** `roles`: a program for each; `more` settings than it needs. */
export async function startService({
  roles = ["all"],
  more = {},
  databaseUrl: givenUrl,
}: ServiceOptions = {}): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-everything-"));
  const stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const cluster = givenUrl === undefined ? stack.use(startProgram(CLUSTER)) : undefined;
    const [port = 0, ...metricsPorts] = await freePorts(1 + roles.length);
    const url = `http://127.0.0.1:${port}`;
    const databaseUrl = givenUrl ?? (await until("PostgreSQL", () => firstLine(cluster!), START_MS));
    const mailFolder = join(folder, "mail");
    const settings = {
      ...settingsOf({ url, port, databaseUrl, folder }),
      MAIL_DIRECTORY: mailFolder,
      ...more,
    };
    await runProgram(SERVER, ["migrate"], settings);
    const startAll = (later: Environment = {}): Program[] =>
      roles.map((role, place) =>
        startProgram(SERVER, [role], { ...settings, METRICS_PORT: String(metricsPorts[place]), ...later }),
      );
    let servers = startAll();
    stack.defer(async () => void (await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))));
    let hasDatabase = true;
    stack.defer(async () => {
      if (hasDatabase) await runProgram(SERVER, ["doctor"], settings);
    });
    const owned = stack.move();
    return {
      url,
      mailFolder,
      ready: () => until("the server", () => isReady(servers, url), START_MS),
      server: (...args) => runProgram(SERVER, args, settings),
      log: () => servers.map((server) => server.output()).join(""),
      operator: (...args) => runProgram(SERVER, ["operator", ...args], settings),
      query: (sql) => askDatabase(databaseUrl, sql),
      killServer: async () => void (await Promise.all(servers.map((server) => server.kill()))),
      startServer: (more) => void (servers = startAll(more)),
      killDatabase: async () => {
        const [file] = await askDatabase<{ text: string }>(
          databaseUrl,
          "select pg_read_file('postmaster.pid') as text",
        );
        hasDatabase = false;
        process.kill(Number(file!.text.split("\n", 1)[0]), "SIGKILL");
      },
      startAgent: (credential, switchFolder, more) => startAgent(url, credential, switchFolder, more),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

function settingsOf(of: { url: string; port: number; databaseUrl: string; folder: string }): Environment {
  return {
    DIALPLANE_MODE: "development",
    OPERATOR_SECOND_FACTOR: "optional",
    BASE_URL: of.url,
    PORT: String(of.port),
    MASTER_SECRET: randomBytes(48).toString("base64"),
    DATABASE_URL: of.databaseUrl,
    EGRESS_ALLOW,
    ANNOUNCE_DRAIN_SECONDS: "0",
    // The first of many programs compiles for all.
    NODE_COMPILE_CACHE: join(of.folder, "compiled"),
  };
}

function isReady(servers: Program[], url: string): Promise<boolean> {
  for (const server of servers) server.assertRunning();
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function firstLine(cluster: Program): string | undefined {
  cluster.assertRunning();
  return /^postgres:\S+(?=\n)/m.exec(cluster.output())?.[0];
}

function startAgent(
  url: string,
  credential: string,
  switchFolder: string,
  settings: Environment = {},
): Program {
  const credentialFile = join(switchFolder, "credential");
  writeFileSync(credentialFile, credential, { mode: 0o600 });
  return startProgram(AGENT, [], {
    DIALPLANE_URL: url,
    SWITCH_CREDENTIAL_FILE: credentialFile,
    STORE_PATH: join(switchFolder, "agent.sqlite"),
    DRIVER: "kamailio",
    SWITCH_SETTINGS: join(switchFolder, "switch.json"),
    EGRESS_ALLOW,
    ...settings,
  });
}

async function askDatabase<Row extends object>(databaseUrl: string, sql: string): Promise<Row[]> {
  const asJson = `select coalesce(json_agg(found), '[]') from (${sql}) found`;
  const { stdout } = await promisify(execFile)("psql", [databaseUrl, "-XAtc", asJson], {
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout) as Row[];
}

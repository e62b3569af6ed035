import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { programPath } from "../../../sdk/src/testing/program-path.ts";
import { runProgram } from "../service/program.ts";
import { until } from "../sip/until.ts";
import { ADDRESSES, type DrillFolder } from "./drill-folder.ts";
import { Part } from "./part.ts";
import { filledIn, readEnvironment, type Values, writeFilledIn } from "./reference-files.ts";

const SERVER = programPath("server/src/main.ts");
const START_MS = 120_000;
/** The unit of the worker sets the same. */
const WORKER_METRICS_PORT = 9465;

/** One organisation can do as much as the machine can. */
const NO_LIMITS = {
  LIMIT_REQUESTS_PER_SECOND: "100000",
  LIMIT_REQUEST_BURST: "100000",
  LIMIT_WRITES_PER_SECOND: "100000",
  LIMIT_FLOOD_PER_SECOND: "100000",
  DATABASE_WRITES_PER_ORGANISATION: "4",
};

/** Two proxies in front of two machines with an API and a worker each. */
export class ServiceParts {
  readonly url: string;
  readonly mailFolder: string;
  readonly proxies: Part[];
  readonly apis: Part[];
  readonly workers: Part[];
  readonly #folder: DrillFolder;
  readonly #addresses = [ADDRESSES.APP1, ADDRESSES.APP2];
  readonly #sockets: string[];
  readonly #databaseUrl: string | undefined;

  /** `databaseUrl` takes the place of the reference's. */
  constructor(folder: DrillFolder, databaseUrl?: string) {
    this.#folder = folder;
    this.#databaseUrl = databaseUrl;
    this.url = `https://${folder.values["NAME"]}`;
    this.mailFolder = join(folder.path, "mail");
    const proxies = [ADDRESSES.PROXY1, ADDRESSES.PROXY2].map((address, at) =>
      prepareProxy(folder, `proxy-${at + 1}`, address),
    );
    this.proxies = proxies.map(({ part }) => part);
    this.#sockets = proxies.map(({ socket }) => socket);
    this.apis = this.#addresses.map((address, at) => this.#process("api", `app-${at + 1}`, address));
    this.workers = this.#addresses.map((address, at) => this.#process("worker", `app-${at + 1}`, address));
  }

  async start(): Promise<void> {
    await this.migrate();
    for (const part of [...this.apis, ...this.workers, ...this.proxies]) part.start();
    await this.waitUntilWhole();
  }

  async migrate(): Promise<void> {
    const owner = readEnvironment(filledIn("owner.environment", this.#folder.values));
    const settings = this.#settings("app-1", this.#addresses[0]!);
    await runProgram(SERVER, ["migrate"], { ...settings, ...owner });
  }

  /** A command of the server; returns what it printed. */
  server(...args: string[]): Promise<string> {
    return runProgram(SERVER, args, this.#settings("app-1", this.#addresses[0]!));
  }

  /** All processes are ready, and both proxies use both of the APIs. */
  async waitUntilWhole(): Promise<void> {
    for (const address of this.#addresses)
      await this.#until(`the worker at ${address}`, () => isReady(`${address}:${WORKER_METRICS_PORT}`));
    for (const socket of this.#sockets)
      await this.#until("both APIs behind a proxy", async () => countApis(await statistics(socket)) === 2);
  }

  #until(what: string, look: () => Promise<boolean>): Promise<unknown> {
    const parts = [...this.apis, ...this.workers, ...this.proxies];
    const lookAtAll = (): Promise<boolean> => {
      for (const part of parts) part.assertRunning();
      return look();
    };
    return until(what, lookAtAll, START_MS);
  }

  #process(role: "api" | "worker", node: string, address: string): Part {
    return new Part({
      name: `${role} of ${node}`,
      command: [process.execPath, SERVER, role],
      environment: {
        ...this.#settings(node, address),
        ...(role === "worker" && { METRICS_PORT: String(WORKER_METRICS_PORT) }),
      },
      logFile: this.#folder.log(`${role}-${node}`),
    });
  }

  /** Mail goes into a folder, the phones are on this machine, and the load exceeds the limits of a customer. */
  #settings(node: string, address: string): Values {
    return {
      ...readEnvironment(filledIn("server.environment", this.#folder.machine(node, address))),
      ...NO_LIMITS,
      ...(this.#databaseUrl && { DATABASE_URL: this.#databaseUrl }),
      DIALPLANE_MODE: "development",
      OPERATOR_SECOND_FACTOR: "optional",
      SMTP_URL: "",
      MAIL_DIRECTORY: this.mailFolder,
      EGRESS_ALLOW: "127.0.0.0/8",
      LOG_LEVEL: "warn",
      NODE_COMPILE_CACHE: join(this.#folder.path, "compiled"),
    };
  }
}

function prepareProxy(folder: DrillFolder, name: string, address: string): { part: Part; socket: string } {
  const values = folder.machine(name, address);
  writeFilledIn("problem-503.http", values, values["PROBLEM_503"]!);
  const file = writeFilledIn("haproxy.cfg", values, join(folder.path, name, "haproxy.cfg"));
  return {
    socket: join(values["HAPROXY_RUN"]!, "admin.sock"),
    part: new Part({
      name: `HAProxy of ${name}`,
      command: ["haproxy", "-db", "-f", file],
      logFile: folder.log(name),
    }),
  };
}

function isReady(address: string): Promise<boolean> {
  return fetch(`http://${address}/readyz`).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
}

const countApis = (rows: string): number => rows.match(/^api,app-\d,.*?,UP,/gm)?.length ?? 0;

/** As CSV; empty while the proxy does not run. */
async function statistics(socket: string): Promise<string> {
  const line = connect(socket);
  try {
    await once(line, "connect");
    line.end("show stat\n");
    return await text(line);
  } catch {
    return "";
  } finally {
    line.destroy();
  }
}

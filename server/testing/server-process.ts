import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { programPath } from "../../sdk/src/testing/program-path.ts";
import type { Settings } from "../src/config.ts";
import { freePort } from "../src/platform/db/private-cluster.ts";
import { poolerSettings } from "./pooler-settings.ts";
import { TEST_SECRET } from "./test-config.ts";

const MAIN = programPath("server/src/main.ts");

export interface ServerProcess extends AsyncDisposable {
  url: string;
  metricsPort: number;
  process: ChildProcess;
  output(): string;
  /** As the kernel would: no warning, no clean-up. */
  kill(): Promise<void>;
}

export interface ProcessOptions {
  databaseUrl: string;
  role?: "api" | "worker" | "all";
  port?: number;
  settings?: Settings;
  nodeOptions?: string[];
  program?: string;
}

/** The server as a separate process, ready for requests: for tests that kill, stop or multiply it. */
export async function startProcess({
  databaseUrl,
  role = "api",
  port,
  settings = {},
  nodeOptions = [],
  program = MAIN,
}: ProcessOptions): Promise<ServerProcess> {
  const chosen = port ?? (await freePort());
  const metricsPort = await freePort();
  const child = spawn(process.execPath, [...nodeOptions, program, role], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      DIALPLANE_MODE: "development",
      BASE_URL: `http://127.0.0.1:${chosen}`,
      MASTER_SECRET: TEST_SECRET,
      DATABASE_URL: databaseUrl,
      DATABASE_CONNECTIONS: "8",
      PORT: String(chosen),
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: "warn",
      ANNOUNCE_DRAIN_SECONDS: "0",
      LIMIT_REQUESTS_PER_SECOND: "100000",
      LIMIT_REQUEST_BURST: "100000",
      LIMIT_WRITES_PER_SECOND: "100000",
      LIMIT_FLOOD_PER_SECOND: "100000",
      LIMIT_INVITATIONS_PER_DAY: "100000",
      OPERATOR_SECOND_FACTOR: "optional",
      ...poolerSettings(databaseUrl),
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk));
  const url = `http://127.0.0.1:${chosen}`;
  if (role !== "worker") await untilReady(url, child, () => output);

  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return { url, metricsPort, process: child, output: () => output, kill, [Symbol.asyncDispose]: kill };
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended at once:\n${output()}`);
    const answer = await fetch(`${url}/readyz`).then(
      async (given) => ({ ok: given.ok, text: await given.text() }),
      (error: unknown) => ({ ok: false, text: String(error) }),
    );
    if (answer.ok) return;
    if (performance.now() > deadline)
      throw new Error(`The server did not get ready: ${answer.text}\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

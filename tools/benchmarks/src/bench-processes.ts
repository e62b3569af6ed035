import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Settings } from "@dialplane/server/config";
import { programPath } from "../../../sdk/src/testing/program-path.ts";
import type { BareRoute } from "./bare-route.ts";

export interface ServerUnderLoad extends AsyncDisposable {
  port: number;
  pid: number;
}

const MAIN = programPath("server/src/main.ts");
const BARE_ROUTE = fileURLToPath(new URL("./bare-route.ts", import.meta.url));
const READY_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 5_000;

/** The API as in production, in a separate process. */
export async function startApi(settings: Settings, signal: AbortSignal): Promise<ServerUnderLoad> {
  const child = spawnServer("api", settings);
  const server = serverOf(child, Number(settings.PORT));
  try {
    await untilReady(child, server.port, signal);
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** The worker likewise. Its progress is visible in the database. */
export function startWorker(settings: Settings): ServerUnderLoad {
  return serverOf(spawnServer("worker", settings), Number(settings.PORT));
}

function spawnServer(role: "api" | "worker", settings: Settings): ChildProcess {
  // The kernel ends it when this process is killed, however it is killed; setpriv becomes the server and keeps its pid.
  return spawn("setpriv", ["--pdeathsig", "TERM", process.execPath, MAIN, role], {
    env: settings,
    stdio: ["ignore", 2, 2], // its log must not get between our figures
  });
}

export async function startBareRoute(route: BareRoute): Promise<ServerUnderLoad> {
  const child = fork(BARE_ROUTE, { execArgv: [] });
  const gone = once(child, "exit").then(() => {
    throw new Error("the bare route did not start");
  });
  child.send(route);
  const [{ port }] = (await Promise.race([once(child, "message"), gone])) as [{ port: number }];
  gone.catch(() => {}); // it ends later, and the result is not needed
  return serverOf(child, port);
}

function serverOf(child: ChildProcess, port: number): ServerUnderLoad {
  return {
    port,
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      const killing = setTimeout(() => child.kill("SIGKILL"), STOPPED_WITHIN_MS);
      await gone;
      clearTimeout(killing);
    },
  };
}

async function untilReady(child: ChildProcess, port: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    signal.throwIfAborted();
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("the API ended at once");
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return;
    if (performance.now() > deadline) throw new Error("the API did not get ready");
    await pause(25);
  }
}

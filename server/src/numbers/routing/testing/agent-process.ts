import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { programPath } from "../../../../../sdk/src/testing/program-path.ts";

const RUN_AGENT = programPath("switch-agent/src/run-agent.ts");
const WATCHED_AGENT = fileURLToPath(new URL("./watched-agent.ts", import.meta.url));

export interface AgentProcess extends AsyncDisposable {
  output(): string;
  /** As the kernel would: no warning, no clean-up. */
  kill(): Promise<void>;
}

interface AgentOrder {
  url: string;
  credential: string;
  storePath: string;
}

/** Runs the agent of a simulated switch in a separate process. It connects as soon as the service responds. */
export function startAgentProcess({ url, credential, storePath }: AgentOrder): AgentProcess {
  const child = spawn(process.execPath, [RUN_AGENT], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      DIALPLANE_URL: url,
      SWITCH_CREDENTIAL: credential,
      STORE_PATH: storePath,
      DRIVER: "simulated",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return killable(child);
}

/** The same, and what its switch answers is appended to a file: see read-backs.ts. */
export function startWatchedAgent(
  { url, credential, storePath }: AgentOrder,
  readBacksPath: string,
): AgentProcess {
  const told = [WATCHED_AGENT, url, credential, storePath, readBacksPath];
  return killable(spawn(process.execPath, told, { stdio: ["ignore", "pipe", "pipe"] }));
}

function killable(child: ChildProcess): AgentProcess {
  let output = "";
  child.stdout!.on("data", (chunk: Buffer) => (output += chunk));
  child.stderr!.on("data", (chunk: Buffer) => (output += chunk));
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return { output: () => output, kill, [Symbol.asyncDispose]: kill };
}

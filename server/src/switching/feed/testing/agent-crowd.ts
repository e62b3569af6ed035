import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CrowdAnswer, CrowdOrder, CrowdReport } from "./agent-crowd-worker.ts";

const WORKER = fileURLToPath(new URL("./agent-crowd-worker.ts", import.meta.url));

export interface AgentCrowd extends AsyncDisposable {
  report(): Promise<CrowdReport>;
}

/** Runs real agents of many switches in another process. Resolves when each is up to date. */
export async function startCrowd(order: CrowdOrder): Promise<AgentCrowd> {
  const child = fork(WORKER, { execArgv: [], serialization: "advanced" });
  const crowd: AgentCrowd = {
    report: () => ask(child, "report") as Promise<CrowdReport>,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
  try {
    await ask(child, order);
    return crowd;
  } catch (error) {
    await crowd[Symbol.asyncDispose]();
    throw error;
  }
}

async function ask(child: ChildProcess, message: CrowdOrder | "report"): Promise<CrowdAnswer> {
  const ended = new AbortController();
  const gone = once(child, "exit", { signal: ended.signal }).then(() => {
    throw new Error("The agents' process ended.");
  });
  gone.catch(() => {});
  const answered = once(child, "message", { signal: ended.signal });
  answered.catch(() => {});
  child.send(message);
  try {
    const [answer] = (await Promise.race([answered, gone])) as [CrowdAnswer];
    return answer;
  } finally {
    ended.abort();
  }
}

import { once } from "node:events";
import { createServer } from "node:net";
import { freePort } from "@dialplane/server/private-cluster";
import { DemoFailure } from "./demo-failure.ts";
import type { DemoProgress } from "./demo-progress.ts";

const USUAL_PORT = 8080;

/** Called before the demo creates anything: a port in use is the most frequent reason why it cannot start. */
export async function choosePort(wanted: number | undefined, progress: DemoProgress): Promise<number> {
  if (wanted === 0) return freePort();
  if (wanted === undefined) {
    const port = await freePort(USUAL_PORT);
    if (port !== USUAL_PORT) progress.say(`Port ${USUAL_PORT} is in use. The demo uses ${port} instead.`);
    return port;
  }
  try {
    const probe = createServer().listen(wanted, "127.0.0.1");
    await once(probe, "listening");
    probe.close();
    await once(probe, "close");
    return wanted;
  } catch (error) {
    throw explainPort(error, wanted);
  }
}

/** Returns other errors unchanged. */
export function explainPort(error: unknown, port: number): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== "listen") return error;
  const problem = code === "EADDRINUSE" ? "is in use by another program" : `is not available (${code})`;
  const remedy = code === "EADDRINUSE" ? "Stop that program or choose" : "Choose";
  return new DemoFailure(`Port ${port} ${problem}. ${remedy} another --port (0 for any free port).`);
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { programPath } from "./program-path.ts";

const DEMO = programPath("demo/src/demo.ts");

/** Output of the demo: credentials of each kind of caller. */
export interface DemoService extends AsyncDisposable {
  base_url: string;
  organisations: {
    id: string;
    sessions: Record<"owner" | "admin" | "developer" | "member", string>;
    keys: Record<"numbers" | "numbers_write" | "full" | "test_full", string>;
    numbers: { id: string; e164: string }[];
  }[];
  multi: { session: string; key: string };
  operator: { session: string };
}

/** The whole service in separate processes. The SDK uses only HTTP. */
export async function startDemo(...more: string[]): Promise<DemoService> {
  const options = ["--json", "--port", "0", "--calls", "0", "--history", "0", ...more];
  const child = spawn(process.execPath, [DEMO, ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), ended.then(() => undefined)]);
  if (!first) throw new Error("The demo has ended before it was ready.");
  return {
    ...(JSON.parse(first[0] as string) as Omit<DemoService, typeof Symbol.asyncDispose>),
    [Symbol.asyncDispose]: async () => {
      process.off("exit", kill);
      child.kill("SIGTERM");
      await ended;
    },
  };
}

import { constants } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { type DemoEnd, explain, watchForEnd } from "./demo-ending.ts";
import { openHome } from "./demo-home.ts";
import { openDemoLog } from "./demo-log.ts";
import type { DemoOptions } from "./demo-options.ts";
import { choosePort, explainPort } from "./demo-port.ts";
import type { DemoProgress } from "./demo-progress.ts";
import type { DemoStart } from "./demo-start.ts";

/** Time for a start step in progress to notice that the demo is stopping. */
const STEP_MS = 2_000;

/** Runs until a signal or a failure, removes everything but the log, and returns the exit code. */
export async function runDemo(options: DemoOptions, progress: DemoProgress): Promise<number> {
  progress.step("Loading Dialplane");
  const port = await choosePort(options.port, progress);
  const home = await openHome(options);
  const log = openDemoLog(home.log);
  progress.say(`Log: ${log.path}`);
  const ending = watchForEnd(log);
  const parts = new AsyncDisposableStack();
  let isReady = false;
  const starting = loadAndStart({ options, port, home, log, progress, ending, parts }).then(
    (text) => {
      if (ending.aborted.aborted) return;
      isReady = true;
      progress.finish("Ready");
      console.log(text);
    },
    (error: unknown) => ending.fail(explainPort(error, port)),
  );
  const end = await ending.cause;
  progress.step("Stopping");
  await Promise.race([starting, pause(STEP_MS)]);
  await parts.disposeAsync().catch((error: unknown) => log.write(`${(error as Error).stack}\n`));
  home.leave();
  progress.finish("Stopped");
  if ("failure" in end) progress.say(explain(end.failure, log.path));
  return exitCode(end, isReady);
}

/** Loading the server takes seconds on a slow machine. Until then a demo that cannot start has said so. */
async function loadAndStart(start: DemoStart): Promise<string> {
  const { startDemo } = await import("./demo-start.ts");
  return startDemo(start);
}

function exitCode(end: DemoEnd, isReady: boolean): number {
  if ("failure" in end) return 1;
  return isReady ? 0 : 128 + constants.signals[end.signal];
}

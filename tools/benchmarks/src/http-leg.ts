import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Leg } from "./leg.ts";
import type { Load, LoadOutcome } from "./load-generator.ts";

const GENERATOR = fileURLToPath(new URL("./load-generator.ts", import.meta.url));

export async function runHttpLeg(load: Load, signal: AbortSignal): Promise<Leg> {
  const generator = fork(GENERATOR, { execArgv: [], signal });
  const gone = once(generator, "exit");
  generator.send(load);
  const outcome = await Promise.race([
    once(generator, "message").then(([message]) => message as LoadOutcome),
    gone.then((): LoadOutcome => ({ error: "the load generator ended early" })),
  ]);
  if ("error" in outcome) throw new Error(`${load.templates[0]!.path}: ${outcome.error}`);
  await gone;
  return outcome.leg;
}

import { setTimeout as pause } from "node:timers/promises";
import { type Client, NotAppliedError, type Routing, WaitTimeoutError } from "@dialplane/sdk";
import type { Context } from "./cli-context.ts";

const LOOK_MS = 200;

/** Waits until every switch has confirmed the generation, and shows the progress. */
export async function untilApplied(
  { terminal, signal }: Pick<Context, "terminal" | "signal">,
  client: Client,
  { number_id: id, desired: { generation } }: Routing,
  timeoutSeconds: number,
): Promise<Routing> {
  const started = performance.now();
  for (;;) {
    const routing = await client.routing.get(id, { signal });
    const seconds = (performance.now() - started) / 1_000;
    if (routing.desired.generation !== generation)
      throw new NotAppliedError(routing, `a concurrent change set generation ${routing.desired.generation}`);
    if (routing.status === "in_sync") {
      terminal.say(`Applied: every switch has read generation ${generation} back (${seconds.toFixed(1)} s).`);
      return routing;
    }
    if (routing.status === "failed")
      throw new NotAppliedError(routing, routing.last_error ?? "a switch rejected it");
    if (seconds > timeoutSeconds) throw new WaitTimeoutError(`The routing of ${id}`, routing);
    const done = routing.switches.filter(({ applied }) => applied?.generation === generation).length;
    terminal.progress(
      `Applying generation ${generation}: ${done} of ${routing.switches.length} switches, ${seconds.toFixed(1)} s …`,
    );
    await pause(LOOK_MS, undefined, { signal });
  }
}

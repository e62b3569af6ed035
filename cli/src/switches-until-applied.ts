import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "./cli-context.ts";
import { CliFailure } from "./cli-failure.ts";
import { EXIT } from "./exit-codes.ts";

interface Wait {
  /** The saved values, in plural. */
  saved: string;
  timeoutSeconds: number;
  /** Command that shows the state later. */
  next: string;
}

const LOOK_MS = 500;

/** Reads values until every switch has applied them, and returns them. Fails after the timeout. */
export async function untilSwitchesApplied<
  Shown extends { switches: { name: string; status: string | null }[] },
>(
  { terminal, signal }: Context,
  read: () => PromiseLike<Shown>,
  { saved, timeoutSeconds, next }: Wait,
): Promise<Shown> {
  const started = performance.now();
  for (;;) {
    const shown = await read();
    const waiting = shown.switches.filter(({ status }) => status !== "applied").map(({ name }) => name);
    const seconds = (performance.now() - started) / 1_000;
    if (waiting.length === 0) {
      if (shown.switches.length > 0) terminal.say(`Applied on every switch (${seconds.toFixed(1)} s).`);
      return shown;
    }
    if (seconds > timeoutSeconds)
      throw new CliFailure(
        `The ${saved} are saved, but not applied on ${waiting.join(", ")} within ${timeoutSeconds} s. A switch without contact applies them when it is back.`,
        { exitCode: EXIT.timedOut, next },
      );
    terminal.progress(`Applying on ${waiting.join(", ")}, ${seconds.toFixed(1)} s …`);
    await pause(LOOK_MS, undefined, { signal });
  }
}

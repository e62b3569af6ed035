import { setTimeout as pause } from "node:timers/promises";
import { DemoFailure } from "./demo-failure.ts";
import type { DemoLog } from "./demo-log.ts";

/** Ctrl-C and the exit of PostgreSQL break connections: their errors can arrive before the cause. */
const CAUSE_WITHIN_MS = 300;

export type DemoEnd = { signal: NodeJS.Signals } | { failure: Error };

export interface DemoEnding {
  /** Resolves with the first cause: a signal or a failure. */
  cause: Promise<DemoEnd>;
  /** Aborts at the same time, for work in progress. */
  aborted: AbortSignal;
  fail(failure: unknown): void;
}

/** After this call, no signal and no error ends the process without a cleanup. */
export function watchForEnd(log: DemoLog): DemoEnding {
  const { promise: cause, resolve } = Promise.withResolvers<DemoEnd>();
  const controller = new AbortController();
  const end = (how: DemoEnd): void => {
    resolve(how);
    controller.abort(new DemoFailure("The demo is stopping."));
  };
  const fail = (failure: unknown): void => {
    if (failure instanceof DemoFailure) return end({ failure });
    const error = failure instanceof Error ? failure : new Error(String(failure));
    log.write(`${error.stack}\n`);
    void pause(CAUSE_WITHIN_MS).then(() => end({ failure: error }));
  };
  // Not once: npm passes Ctrl-C on to a process that the terminal has sent it to already.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end({ signal }));
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  return { cause, aborted: controller.signal, fail };
}

/** One line without a stack trace, which is in the log. */
export function explain(failure: unknown, logPath?: string): string {
  if (failure instanceof DemoFailure) return failure.message;
  const [line = ""] = (failure instanceof Error ? failure.message : String(failure)).split("\n");
  const details = logPath === undefined ? "" : ` The log has the details: ${logPath}`;
  return `The demo failed: ${line.replace(/[.:]$/, "")}.${details}`;
}

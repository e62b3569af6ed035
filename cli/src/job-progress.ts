import { type Client, type Job, JobFailedError, WaitTimeoutError } from "@dialplane/sdk";
import { CliFailure } from "./cli-failure.ts";
import type { Context } from "./cli-context.ts";
import type { OptionTable } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { readCount } from "./several.ts";

export const JOB_OPTIONS = {
  "no-wait": { type: "boolean", summary: "return without waiting for the result" },
  timeout: { type: "string", value: "seconds", summary: "seconds to wait (default: 600)" },
} as const satisfies OptionTable;

const TIMEOUT_SECONDS = "600";
/** So that the seconds are seen to go by. */
const TICK_MS = 250;
const BAR = 24;

/** Waits for the job to end, with success or not, or to need action of the customer. Shows a progress bar. */
export async function followJob(
  { terminal, signal }: Pick<Context, "terminal" | "signal">,
  client: Client,
  jobId: string,
  timeout: string = TIMEOUT_SECONDS,
): Promise<Job> {
  const started = performance.now();
  const stopped = new AbortController();
  let last: Job | undefined;
  const show = (): void => {
    if (last) terminal.progress(progressLine(last, (performance.now() - started) / 1_000));
  };
  const ticker = setInterval(show, TICK_MS);
  const onProgress = (job: Job): void => {
    last = job;
    show();
    // The customer has to act, so waiting longer shows nothing.
    if (needsAction(job)) stopped.abort();
  };
  const until = AbortSignal.any([signal, stopped.signal]);
  try {
    const timeoutMs = readCount(timeout, "--timeout") * 1_000;
    return await client.jobs.wait(jobId, { timeoutMs, signal: until, onProgress });
  } catch (error) {
    if (error instanceof JobFailedError) return error.job;
    if (last && needsAction(last) && !signal.aborted) return last;
    if (signal.aborted)
      terminal.say(`Still running in the background. Check with: dialplane jobs wait ${jobId}`);
    if (error instanceof WaitTimeoutError)
      throw new CliFailure(`Job ${jobId} did not finish within ${timeout} s. It is still running.`, {
        exitCode: EXIT.timedOut,
        next: `dialplane jobs wait ${jobId}`,
      });
    throw error;
  } finally {
    clearInterval(ticker);
    terminal.progress("");
  }
}

/** Whether the job waits for evidence from the customer. */
function needsAction({ reason }: Job): boolean {
  return reason === "action_required";
}

function progressLine({ status, reason, progress }: Job, seconds: number): string {
  const { total, succeeded, failed } = progress;
  const what = reason ? `${status}: ${reason}` : status;
  return `${bar(succeeded + failed, total)}  ${succeeded + failed} of ${total}  ${what}  ${seconds.toFixed(1)} s`;
}

export function bar(done: number, total: number): string {
  const full = total > 0 ? Math.round((BAR * done) / total) : 0;
  return "█".repeat(full) + "░".repeat(BAR - full);
}

/** Exit code for a job that has finished, or waits for the customer. */
export function exitCodeOf(job: Job): typeof EXIT.ok | typeof EXIT.jobFailed | typeof EXIT.timedOut {
  const { status } = job;
  if (needsAction(job)) return EXIT.timedOut;
  return status === "succeeded" ? EXIT.ok : EXIT.jobFailed;
}

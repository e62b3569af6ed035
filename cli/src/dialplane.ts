#!/usr/bin/env node
import { Interruption } from "./cli-failure.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { runDialplane } from "./run-dialplane.ts";

const { stdin, stdout, stderr, argv } = process;
const stopping = new AbortController();

/** A second time, or where something does not let go: at once. */
const GRACE_MS = 1_000;
let isDelegated = false;
const stop = (exitCode: ExitCode): void => {
  if (stopping.signal.aborted) process.exit(exitCode);
  stopping.abort(new Interruption(exitCode));
  if (!isDelegated) setTimeout(() => process.exit(exitCode), GRACE_MS).unref();
};
process.on("SIGINT", () => stop(EXIT.interrupted));
for (const end of ["SIGTERM", "SIGHUP"]) process.on(end, () => stop(EXIT.terminated));
// The reader has closed the pipe (`| head`): exits silently, as after SIGPIPE.
for (const stream of [stdout, stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(EXIT.brokenPipe);
  });

process.exitCode = await runDialplane({
  argv: argv.slice(2),
  stdin,
  stdout,
  stderr,
  signal: stopping.signal,
  handOver: () => (isDelegated = true),
});
// Open connections and stdin must not keep the process alive.
stdin.unref?.();
await new Promise<void>((resolve) => stdout.write("", () => resolve()));
process.exit();

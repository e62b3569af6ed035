import { EXIT, type ExitCode } from "./exit-codes.ts";

/** Failure in the user's terms, and the command that continues. */
export class CliFailure extends Error {
  override name = "CliFailure";
  readonly exitCode: ExitCode;
  readonly next: string | undefined;

  constructor(
    message: string,
    { exitCode = EXIT.failure, next }: { exitCode?: ExitCode; next?: string } = {},
  ) {
    super(message);
    this.exitCode = exitCode;
    this.next = next;
  }
}

export function usageFailure(message: string, next?: string): CliFailure {
  return new CliFailure(message, { exitCode: EXIT.usage, ...(next === undefined ? {} : { next }) });
}

/** Ctrl-C, or the end of the session: nothing is wrong, so nothing is said. */
export class Interruption extends Error {
  override name = "Interruption";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super("Interrupted");
    this.exitCode = exitCode;
  }
}

/** Stable, as scripts decide by them; docs/cli.md lists them. */
export const EXIT = {
  ok: 0,
  failure: 1,
  /** Also where the person said no. */
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  unavailable: 6,
  /** Also where only a part of it succeeded. */
  jobFailed: 7,
  timedOut: 8,
  interrupted: 130,
  brokenPipe: 141,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

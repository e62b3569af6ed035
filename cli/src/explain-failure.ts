import { ApiError, ConnectionError, JobFailedError, NotAppliedError, WaitTimeoutError } from "@dialplane/sdk";
import { CliFailure } from "./cli-failure.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { plain } from "./table.ts";

export interface Explanation {
  exitCode: ExitCode;
  lines: string[];
}

/** Failure, its details, the next step, and the data for the operator. */
export function explainFailure(error: unknown): Explanation {
  if (error instanceof CliFailure) return explanation(error.exitCode, error.message, { next: error.next });
  if (error instanceof ApiError) return explainApiError(error);
  if (error instanceof ConnectionError)
    return explanation(EXIT.unavailable, `The service is unreachable: ${reasonOf(error)}.`, {
      next: "dialplane doctor",
    });
  if (error instanceof JobFailedError)
    return explanation(EXIT.jobFailed, error.message, { next: `dialplane jobs show ${error.job.id}` });
  if (error instanceof NotAppliedError)
    return explanation(EXIT.jobFailed, `${error.message}.`, {
      next: `dialplane routing get ${error.routing.number_id}`,
    });
  if (error instanceof WaitTimeoutError) return explanation(EXIT.timedOut, `${error.message}.`, {});
  return explanation(
    EXIT.failure,
    error instanceof Error ? (error.stack ?? error.message) : String(error),
    {},
  );
}

function explanation(
  exitCode: ExitCode,
  message: string,
  {
    next,
    request,
    details = [],
  }: { next?: string | undefined; request?: string | undefined; details?: string[] },
): Explanation {
  const lines = [
    `dialplane: ${message}`,
    ...details.map((detail) => `  ${detail}`),
    ...(next ? [`  next:    ${next}`] : []),
    ...(request ? [`  request: ${request}`] : []),
  ];
  return { exitCode, lines: lines.map((line) => line.split("\n").map(plain).join("\n")) };
}

const BY_STATUS: Record<number, ExitCode> = {
  400: EXIT.usage,
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  409: EXIT.conflict,
  412: EXIT.conflict,
  422: EXIT.usage,
  429: EXIT.unavailable,
};

function explainApiError(error: ApiError): Explanation {
  const { status, code, problem, requestId } = error;
  const exitCode = BY_STATUS[status] ?? (status >= 500 ? EXIT.unavailable : EXIT.failure);
  const message = problem ? `${problem.detail} (${code})` : `The service returned status ${status}.`;
  // A single fault is the message itself.
  const faults = error.errors.filter(({ detail }) => detail !== problem?.detail);
  const details = faults.map(
    ({ pointer, parameter, header, detail }) => `${pointer ?? parameter ?? header ?? "request"}: ${detail}`,
  );
  return explanation(exitCode, message, { next: nextCommand(error), request: requestId, details });
}

const NEXT: Record<string, string> = {
  unauthenticated: "dialplane login",
  reauthentication_required: "dialplane login, then repeat the command within ten minutes",
  organisation_required: "dialplane orgs list, then dialplane orgs use <organisation>",
  organisation_not_allowed: "dialplane orgs list",
  environment_not_allowed: "omit --environment, or use an API key of that environment",
  caller_kind_not_allowed: "dialplane login, without DIALPLANE_API_KEY: this is for people",
  role_not_allowed: "dialplane whoami",
  scope_missing: "dialplane whoami",
  address_not_allowed: "dialplane whoami",
  mode_not_allowed: "dialplane login, without DIALPLANE_API_KEY: this is for people",
  operator_only: "npm run operator -- grant <email>, on the server",
  number_not_found: "dialplane numbers list",
  connection_not_found: "dialplane connections list",
  connection_unknown: "dialplane connections list",
  revision_not_found: "dialplane routing history <number>",
  bulk_change_not_found: "dialplane bulk list",
  bulk_change_not_planned: "dialplane bulk show <bulk change>",
  order_not_found: "dialplane orders list",
  job_not_found: "dialplane jobs list",
  api_key_not_found: "dialplane keys list",
  switch_not_found: "dialplane operator switches list",
  switch_group_not_found: "dialplane operator switches list",
  trunk_not_found: "dialplane operator trunks list",
  trunk_revision_not_found: "dialplane operator trunks revisions",
  trunks_changed: "repeat the command",
  organisation_not_found: "dialplane operator organisations list",
  generation_mismatch: "dialplane routing get <number>, then repeat the command",
  release_blocked: "dialplane numbers unlock <number>",
  number_not_available: "dialplane inventory search",
  carrier_inventory_not_connected: "dialplane order --number <number>",
  invalid_request: "repeat the command with --help",
  rate_limited: "wait, then repeat the command",
  unavailable: "dialplane doctor",
};

function nextCommand({ code, problem }: ApiError): string | undefined {
  const { job_id: jobId } = { ...problem } as { job_id?: unknown };
  if (typeof jobId === "string") return `dialplane jobs wait ${jobId}`;
  return NEXT[code];
}

/** Message of the innermost cause: the outer errors of fetch only say that it failed. */
function reasonOf(error: Error): string {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  return cause instanceof Error ? reasonOf(cause) : error.message;
}

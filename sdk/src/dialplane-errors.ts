import type { Job, Order, Problem, Routing } from "./generated/wire.ts";

/** Base class of the SDK's errors. The reason of an AbortSignal is thrown unchanged. */
export class DialplaneError extends Error {
  override name = "DialplaneError";
}

/** Details of a failed call. */
export interface CallFacts {
  operation: string;
  attempts: number;
  /** Pass it as `idempotencyKey` to continue with this call later: it is still done once. */
  idempotencyKey: string | undefined;
}

/** The service answered, and said no. */
export class ApiError extends DialplaneError {
  override name = "ApiError";
  readonly status: number;
  /** Stable, to be compared with; "unknown" where something other than the service answered. */
  readonly code: string;
  /** Include it when you contact the operator. */
  readonly requestId: string | undefined;
  readonly problem: Problem | undefined;
  readonly headers: Headers;
  readonly call: CallFacts;

  constructor(answer: { status: number; headers: Headers; problem: Problem | undefined }, call: CallFacts) {
    const { status, headers, problem } = answer;
    const requestId = problem?.request_id ?? headers.get("request-id") ?? undefined;
    super(
      `${call.operation}: ${problem ? `${problem.detail} (${problem.code})` : `answered with ${status}`}${requestId ? `, request ${requestId}` : ""}`,
    );
    this.status = status;
    this.code = problem?.code ?? "unknown";
    this.requestId = requestId;
    this.problem = problem;
    this.headers = headers;
    this.call = call;
  }

  /** Errors by field of the request. */
  get errors(): NonNullable<Problem["errors"]> {
    return this.problem?.errors ?? [];
  }
}

export class InvalidRequestError extends ApiError {
  override name = "InvalidRequestError";
}
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
}
export class PermissionError extends ApiError {
  override name = "PermissionError";
}
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}
export class ConflictError extends ApiError {
  override name = "ConflictError";
}
/** A concurrent change happened. Read the resource again. */
export class PreconditionError extends ApiError {
  override name = "PreconditionError";
}
/** Well-formed, but impossible. */
export class UnprocessableError extends ApiError {
  override name = "UnprocessableError";
}
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}
/** This installation is not connected to what it would take. */
export class NotConnectedError extends ApiError {
  override name = "NotConnectedError";
}
export class ServerError extends ApiError {
  override name = "ServerError";
}

const BY_STATUS: Record<number, typeof ApiError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionError,
  422: UnprocessableError,
  429: RateLimitError,
  501: NotConnectedError,
};

export function apiError(...[answer, call]: ConstructorParameters<typeof ApiError>): ApiError {
  const kind = BY_STATUS[answer.status] ?? (answer.status >= 500 ? ServerError : ApiError);
  return new kind(answer, call);
}

/**
 * The service did not respond. The change may or may not have taken effect: `call.idempotencyKey` continues
 * it.
 */
export class ConnectionError extends DialplaneError {
  override name = "ConnectionError";
  readonly call: CallFacts;

  constructor(call: CallFacts, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `${call.operation}: no answer after ${call.attempts} ${call.attempts === 1 ? "try" : "tries"}: ${why}`,
      { cause },
    );
    this.call = call;
  }
}

/** As ConnectionError, and the time for it has ended. */
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
}

/** The expected state was not reached in time. It may be reached later. */
export class WaitTimeoutError<Last> extends DialplaneError {
  override name = "WaitTimeoutError";
  /** Last known state. */
  readonly last: Last;

  constructor(what: string, last: Last) {
    super(`${what}: not finished within the time to wait. It continues in the background`);
    this.last = last;
  }
}

export class JobFailedError extends DialplaneError {
  override name = "JobFailedError";
  readonly job: Job;
  /** Order with the reason for each rejected number. */
  readonly order: Order | undefined;

  constructor(job: Job, order?: Order) {
    const { detail = "no reason was given" } = (job.error ?? {}) as { detail?: string };
    super(`Job ${job.id} (${job.type}) failed: ${detail}`);
    this.job = job;
    this.order = order;
  }
}

/** The routing is saved but not applied: a switch rejected it, or it was replaced since. */
export class NotAppliedError extends DialplaneError {
  override name = "NotAppliedError";
  readonly routing: Routing;

  constructor(routing: Routing, why: string) {
    super(`The routing of ${routing.number_id} is set, but not applied: ${why}`);
    this.routing = routing;
  }
}

/** Not signed by the holder of the secret, changed on its way, or too old. */
export class WebhookVerificationError extends DialplaneError {
  override name = "WebhookVerificationError";
}

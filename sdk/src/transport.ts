import type { Answer } from "./call.ts";
import { apiError, type CallFacts, ConnectionError, TimeoutError } from "./dialplane-errors.ts";
import type { Problem } from "./generated/wire.ts";
import {
  isDeletionDone,
  mayRepeat,
  type Outcome,
  pauseBefore,
  type Repetition,
  retryAfterMs,
} from "./retry.rules.ts";
import { pause } from "./waiting.ts";

export interface Settings {
  /** URL of the service, such as `https://numbers.example.com`. */
  baseUrl: string;
  /** An API key, or the token of a session. Without it the browser's cookie counts. */
  credential?: string | undefined;
  /** Needed by who belongs to several. */
  organisation?: string | undefined;
  /** For sessions; a key belongs to one side. */
  environment?: "live" | "test" | undefined;
  /** Timeout of a whole call, including retries (default: 120,000). */
  timeoutMs?: number | undefined;
  /** Timeout of each attempt (default: 30,000), plus the requested waiting time. */
  attemptTimeoutMs?: number | undefined;
  /** Maximum number of retries (default: 10, about 30 s). */
  maxRetries?: number | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  /** Called for each attempt, for logs. It never gets the credential. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
}

export interface Attempt extends CallFacts {
  method: string;
  url: string;
  durationMs: number;
  status: number | undefined;
  requestId: string | undefined;
  error: unknown;
  /** When the next try begins, if there is one. */
  retryInMs: number | undefined;
}

/** Options of a single call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
}

export interface Request {
  operation: string;
  method: string;
  path: string;
  repetition: Repetition;
  query: string;
  body: unknown;
  idempotencyKey: string | undefined;
  ifGeneration?: number | undefined;
  waitSeconds?: number | undefined;
}

const CALL_TIMEOUT_MS = 120_000;
const ATTEMPT_TIMEOUT_MS = 30_000;
const MAX_RETRIES = 10;

/** One call: as many requests as it takes, under one key. */
export async function send<Data>(
  settings: Settings,
  request: Request,
  options: CallOptions,
): Promise<Answer<Data>> {
  const { operation, idempotencyKey, repetition } = request;
  const { signal, maxRetries = settings.maxRetries ?? MAX_RETRIES } = options;
  const deadline = performance.now() + (options.timeoutMs ?? settings.timeoutMs ?? CALL_TIMEOUT_MS);
  let mayBeDone = false;
  for (let attempts = 1; ; attempts++) {
    const call: CallFacts = { operation, attempts, idempotencyKey };
    const tried = await attempt<Data>(settings, request, { call, signal, deadline });
    signal?.throwIfAborted();
    if (tried.kind === "answer") {
      report(settings, request, { call, tried });
      return { ...tried.answer, attempts, idempotencyKey };
    }
    if (tried.kind === "refusal" && isDeletionDone(repetition, tried.status, mayBeDone)) {
      report(settings, request, { call, tried });
      return { data: undefined as Data, ...factsOf(tried.status, tried.headers), attempts, idempotencyKey };
    }
    mayBeDone ||= tried.kind === "refusal" ? tried.status >= 500 : tried.wasSent;
    const retryInMs = pauseBefore(attempts, tried.retryAfterMs, Math.random());
    const isInTime = performance.now() + retryInMs < deadline;
    const isRetried =
      attempts <= maxRetries && isInTime && !isHopeless(tried.error) && mayRepeat(repetition, tried);
    report(settings, request, { call, tried, retryInMs: isRetried ? retryInMs : undefined });
    if (!isRetried) throw tried.error;
    await pause(retryInMs, signal);
  }
}

type Tried<Data> =
  | { kind: "answer"; status: number; headers: Headers; durationMs: number; answer: Answer<Data> }
  | (Outcome & {
      status?: number;
      headers: Headers;
      durationMs: number;
      error: Error;
      retryAfterMs: number | undefined;
    });

interface Circumstances {
  call: CallFacts;
  signal: AbortSignal | undefined;
  deadline: number;
}

async function attempt<Data>(
  settings: Settings,
  request: Request,
  { call, signal, deadline }: Circumstances,
): Promise<Tried<Data>> {
  const started = performance.now();
  const limitMs = (settings.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS) + (request.waitSeconds ?? 0) * 1_000;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), Math.max(1, Math.min(limitMs, deadline - started)));
  const passed = (): number => performance.now() - started;
  try {
    const response = await (settings.fetch ?? globalThis.fetch)(urlOf(settings, request), {
      method: request.method,
      headers: headersOf(settings, request),
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    const { status, headers } = response;
    if (response.ok) {
      const data = await dataOf<Data>(response);
      const answer = {
        data,
        ...factsOf(status, headers),
        attempts: call.attempts,
        idempotencyKey: call.idempotencyKey,
      };
      return { kind: "answer", status, headers, durationMs: passed(), answer };
    }
    const problem = await problemOf(response);
    const error = apiError({ status, headers, problem }, call);
    const after = retryAfterMs(headers.get("retry-after"), Date.now());
    return {
      kind: "refusal",
      status,
      headers,
      durationMs: passed(),
      isRetryable: problem?.retryable,
      error,
      retryAfterMs: after,
    };
  } catch (cause) {
    const error = timeout.signal.aborted ? new TimeoutError(call, cause) : new ConnectionError(call, cause);
    const wasSent = !hasCode(cause, UNSENT);
    return {
      kind: "silence",
      wasSent,
      headers: new Headers(),
      durationMs: passed(),
      error,
      retryAfterMs: undefined,
    };
  } finally {
    // A returned stream has no timeout.
    clearTimeout(timer);
  }
}

function urlOf({ baseUrl }: Settings, { path, query }: Request): string {
  return `${baseUrl.replace(/\/+$/, "")}${path}${query}`;
}

function headersOf({ credential, organisation, environment }: Settings, request: Request): Headers {
  const { body, idempotencyKey, ifGeneration, waitSeconds } = request;
  const wanted: Record<string, string | undefined> = {
    accept: "application/json, */*;q=0.1",
    authorization: credential && `Bearer ${credential}`,
    "content-type": body === undefined ? undefined : "application/json",
    "idempotency-key": idempotencyKey,
    "if-match": ifGeneration === undefined ? undefined : `"${ifGeneration}"`,
    prefer: waitSeconds === undefined ? undefined : `wait=${waitSeconds}`,
    "x-service-environment": environment,
    "x-service-org": organisation,
  };
  return new Headers(Object.entries(wanted).filter((header): header is [string, string] => !!header[1]));
}

async function dataOf<Data>(response: Response): Promise<Data> {
  if (/\bjson\b/.test(response.headers.get("content-type") ?? "")) return (await response.json()) as Data;
  const isEmpty = response.status === 204 || response.headers.get("content-type") === null;
  return (isEmpty ? undefined : response.body) as Data;
}

async function problemOf(response: Response): Promise<Problem | undefined> {
  const text = await response.text();
  if (!/\bproblem\+json\b/.test(response.headers.get("content-type") ?? "")) return undefined;
  return JSON.parse(text) as Problem;
}

function factsOf(
  status: number,
  headers: Headers,
): Pick<Answer<never>, "status" | "headers" | "requestId" | "wasReplayed"> {
  const requestId = headers.get("request-id") ?? undefined;
  return { status, headers, requestId, wasReplayed: headers.get("idempotency-replayed") === "true" };
}

/** Codes of failures before sending. Node reports them, browsers do not. */
const UNSENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
/** A bad certificate or address does not become a good one by asking again. */
const HOPELESS = /CERT|SELF_SIGNED|^ERR_(TLS|SSL|INVALID)/;

function isHopeless(error: Error): boolean {
  return error instanceof ConnectionError && hasCode(error.cause, HOPELESS);
}

function hasCode(failure: unknown, pattern: RegExp): boolean {
  const cause = (failure as { cause?: { code?: unknown; errors?: { code?: unknown }[] } } | null)?.cause;
  return [cause, ...(cause?.errors ?? [])].some(
    (one) => typeof one?.code === "string" && pattern.test(one.code),
  );
}

function report<Data>(
  settings: Settings,
  request: Request,
  { call, tried, retryInMs }: { call: CallFacts; tried: Tried<Data>; retryInMs?: number | undefined },
): void {
  settings.onAttempt?.({
    ...call,
    method: request.method,
    url: urlOf(settings, request),
    durationMs: tried.durationMs,
    status: tried.status,
    requestId: tried.headers.get("request-id") ?? undefined,
    error: tried.kind === "answer" ? undefined : tried.error,
    retryInMs,
  });
}

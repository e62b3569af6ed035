import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { setTimeout as sleep } from "node:timers/promises";
import { type CarrierResponse, fetchFromCarrier } from "./carrier-fetch.ts";
import { CarrierFault, type Side } from "./carrier.ts";

export interface CarrierRequest<Answer> {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below the base URL. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  /** Instead of a body: a file with its fields. */
  form?: FormData;
  answer: { Check(value: unknown): value is Answer };
}

export type Ask = <Answer>(request: CarrierRequest<Answer>) => Promise<Answer>;

/** The HTTP API of a company, whose errors are a list with code, title and detail. */
export interface CompanyApi {
  /** Name of the company, for messages. */
  company: string;
  /** URL of its API with the version, without a slash at the end. */
  base: string;
  mediaType: string;
  /** Including the credentials. */
  headers: Record<string, string>;
  /** For all requests of one operation. */
  timeoutMs: number;
  /** Meaning of an error response. */
  kindOf(error: { status: number; code: string; said: string }): CarrierFault["kind"];
  pace?: Pace | undefined;
}

/** Limits the rate of requests, for companies that document one. */
export interface Pace {
  /** Resolves when the next request may be sent. */
  turn(signal: AbortSignal): Promise<void>;
  /** How often a request that met the rate limit (429) is sent again. */
  retries: number;
}

/** The company responded with an error. */
export class CarrierRejection extends CarrierFault {
  readonly status: number;

  constructor(
    kind: CarrierFault["kind"],
    message: string,
    { status, said }: { status: number; said?: string },
  ) {
    super(kind, message, said === undefined ? {} : { said });
    this.status = status;
  }
}

const ERRORS = Compile(
  Type.Object({
    errors: Type.Array(
      Type.Object({
        code: Type.Union([Type.String({ maxLength: 64 }), Type.Integer()]),
        title: Type.Optional(Type.String()),
        detail: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      }),
      { minItems: 1 },
    ),
  }),
);

/** Schema of the response to a deletion. */
export const NO_BODY = { Check: (value: unknown): value is undefined => value === undefined };

const MOST_SAID = 300;

/** Each call of the returned function begins one operation, whose requests share its timeout. */
export function openCompanyApi(api: CompanyApi): () => Ask {
  return () => {
    const signal = AbortSignal.timeout(api.timeoutMs);
    return async (request) => {
      const { status, body: answer } = await exchange(api, request, signal);
      if (status >= 200 && status < 300 && request.answer.Check(answer)) return answer;
      const named = `${api.company} responded to ${request.method} ${request.path} with ${status}`;
      if (status >= 400 && status < 500 && ERRORS.Check(answer)) {
        const code = String(answer.errors[0]!.code);
        const texts = answer.errors.map(({ title, detail }) => detail || title || "");
        const said = texts.filter(Boolean).join("; ").slice(0, MOST_SAID);
        const message = `${named}: ${`${code} ${said}`.slice(0, MOST_SAID)}`;
        throw new CarrierRejection(api.kindOf({ status, code, said }), message, {
          status,
          ...(said !== "" && { said }),
        });
      }
      throw new CarrierFault("unknown", status < 300 ? `${named} with an undocumented body` : named);
    };
  };
}

const TOO_MANY = 429;
const USUAL_PAUSE_MS = 1_000;

/** A request over the rate limit was not processed, so it can be sent again. */
async function exchange(
  api: CompanyApi,
  request: CarrierRequest<unknown>,
  signal: AbortSignal,
): Promise<CarrierResponse> {
  const { pace } = api;
  for (let sent = 1; ; sent++) {
    await pace?.turn(signal).catch((error: unknown) => {
      throw notSent(`${api.company} was not called: too many requests are waiting.`, error);
    });
    const response = await send(api, request, signal);
    if (response.status !== TOO_MANY || sent > (pace?.retries ?? 0)) return response;
    await sleep(response.retryAfterMs ?? USUAL_PAUSE_MS, undefined, { signal }).catch((error: unknown) => {
      throw notSent(`${api.company} limits the rate of requests.`, error);
    });
  }
}

function notSent(message: string, cause: unknown): CarrierFault {
  return new CarrierFault("not_sent", message, { cause });
}

function send(
  { company, base, mediaType, headers }: CompanyApi,
  { method, path, query = {}, body, form }: CarrierRequest<unknown>,
  signal: AbortSignal,
): Promise<CarrierResponse> {
  const address = new URL(`${base}${path}`);
  address.search = new URLSearchParams(query).toString();
  return fetchFromCarrier(company, address, {
    method,
    headers: { accept: mediaType, ...headers, ...(body && { "content-type": mediaType }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(form && { body: form }),
    signal,
  });
}

/** Companies serve the live environment only. */
export function requireLive(company: string, { environment }: Side): void {
  if (environment !== "live")
    throw new CarrierFault("refused", `${company} serves only the live environment.`);
}

import { type CarrierResponse, fetchFromCarrier } from "../carrier-fetch.ts";
import { CarrierFault } from "../carrier.ts";
import { ERRORS } from "./telnyx.schema.ts";

export interface TelnyxRequest<Answer> {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below /v2. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  answer: { Check(value: unknown): value is Answer };
}

export type Ask = <Answer>(request: TelnyxRequest<Answer>) => Promise<Answer>;

/** Telnyx responded with an error. */
export class TelnyxRejection extends CarrierFault {
  readonly status: number;

  constructor(status: number, message: string) {
    super(kindOf(status), message);
    this.status = status;
  }
}

/** Each call of the returned function begins one operation, whose requests share its timeout. */
export function openTelnyxHttp(access: { url: string; apiKey: string; timeoutMs: number }): () => Ask {
  return () => {
    const signal = AbortSignal.timeout(access.timeoutMs);
    return async (request) => {
      const { status, body: answer } = await exchange(access, request, signal);
      if (status >= 200 && status < 300 && request.answer.Check(answer)) return answer;
      const named = `Telnyx responded to ${request.method} ${request.path} with ${status}`;
      if (status >= 400 && status < 500 && ERRORS.Check(answer)) {
        const { code, title, detail } = answer.errors[0]!;
        throw new TelnyxRejection(status, `${named}: ${`${code} ${detail ?? title ?? ""}`.slice(0, 300)}`);
      }
      throw new CarrierFault("unknown", status < 300 ? `${named} with an undocumented body` : named);
    };
  };
}

function exchange(
  { url, apiKey }: { url: string; apiKey: string },
  { method, path, query = {}, body }: TelnyxRequest<unknown>,
  signal: AbortSignal,
): Promise<CarrierResponse> {
  const address = new URL(`${url.replace(/\/+$/, "")}/v2${path}`);
  address.search = new URLSearchParams(query).toString();
  return fetchFromCarrier("Telnyx", address, {
    method,
    headers: {
      accept: "application/json",
      authorization: `Bearer ${apiKey}`,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  });
}

/**
 * None of 401, 402, 403, 404 and 429 had an effect. 401, 402 and 403 are errors of the account, 404 of the address or
 * the resource, and 429 is the rate limit. 408 and 409 are inconclusive.
 */
const KINDS: Partial<Record<number, CarrierFault["kind"]>> = {
  401: "not_sent",
  402: "not_sent",
  403: "not_sent",
  404: "not_sent",
  408: "unknown",
  409: "unknown",
  429: "not_sent",
};

function kindOf(status: number): CarrierFault["kind"] {
  return KINDS[status] ?? "refused";
}

import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { fetchFromCarrier } from "../carrier-fetch.ts";
import { CarrierFault } from "../carrier.ts";
import { ProtocolError } from "./http-carrier.schema.ts";
import { signatureHeaders } from "./http-carrier.signature.ts";

export interface HttpCarrierAccess {
  /** Name of the carrier in this installation, for messages. */
  name: string;
  /** Base URL of its operations. */
  url: string;
  /** Signs our requests. */
  secret: string;
  timeoutMs: number;
}

export interface ProtocolRequest<Answer extends TSchema> {
  method: "GET" | "PUT" | "DELETE";
  /** Below the base URL, with encoded names. */
  path: string;
  query?: Record<string, string | undefined>;
  body?: object;
  answer: Answer;
}

export type Ask = <Answer extends TSchema>(
  request: ProtocolRequest<Answer>,
) => Promise<Static<Answer> | undefined>;

/** The returned function sends one signed request. Undefined if the carrier says that it does not know what the path names. */
export function openProtocol(access: HttpCarrierAccess): Ask {
  const base = access.url.replace(/\/+$/, "");
  return async ({ method, path, query = {}, body, answer }) => {
    const target = path + searchOf(query);
    const text = body ? JSON.stringify(body) : "";
    const response = await fetchFromCarrier(access.name, new URL(base + target), {
      method,
      headers: {
        accept: "application/json",
        ...signatureHeaders(access.secret, { method, target, body: text }, new Date()),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: text }),
      signal: AbortSignal.timeout(access.timeoutMs),
    });
    const { status } = response;
    if (status === 200 && checkOf(answer).Check(response.body)) return response.body as Static<typeof answer>;
    const problem = PROBLEM.Check(response.body) ? response.body : undefined;
    // Another 404 can come from a wrong address, which says nothing about an order.
    if (status === 404 && problem?.code === "unknown") return undefined;
    const said = problem ? `: ${`${problem.code} ${problem.message}`.slice(0, 300)}` : "";
    throw new CarrierFault(
      kindOf(status),
      `${access.name} responded to ${method} ${path} with ${status}${status === 200 ? " and an invalid body" : said}.`,
    );
  };
}

function searchOf(query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : "";
}

const PROBLEM = Compile(ProtocolError);

interface Check {
  Check(value: unknown): boolean;
}
const CHECKS = new Map<TSchema, Check>();

function checkOf(schema: TSchema): Check {
  const known = CHECKS.get(schema);
  if (known) return known;
  const compiled = Compile(schema);
  CHECKS.set(schema, compiled);
  return compiled;
}

/**
 * 400, 409, 413 and 422 reject the request. 401, 403, 404, 429 and 503 say that it was not processed: the secret, the
 * address or the moment is wrong. Everything else is inconclusive.
 */
const KINDS: Partial<Record<number, CarrierFault["kind"]>> = {
  400: "refused",
  409: "refused",
  413: "refused",
  422: "refused",
  401: "not_sent",
  403: "not_sent",
  404: "not_sent",
  429: "not_sent",
  503: "not_sent",
};

function kindOf(status: number): CarrierFault["kind"] {
  return KINDS[status] ?? "unknown";
}

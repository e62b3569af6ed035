import type { EgressRules } from "./egress-rules.ts";
import { EgressFault, guardedRequest } from "./egress.ts";

/** Subset of the `fetch` arguments that client libraries use. */
interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** As much as any document of OpenID Connect takes, many times over. */
const LIMITS = { timeoutMs: 5_000, maxBytes: 256 * 1024 };

/** `fetch` with the rules for customers' targets, for libraries that follow URLs from an untrusted server. */
export function guardedFetch(rules: EgressRules): (url: string, options: FetchOptions) => Promise<Response> {
  return async (url, { method, headers, body }) => {
    const message = { method, headers, ...(body !== undefined && body !== null && { body: textOf(body) }) };
    const reply = await guardedRequest(rules, url, message, LIMITS);
    const answered = Object.entries(reply.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    );
    const isEmpty = reply.status === 204 || reply.status === 304;
    return new Response(isEmpty ? null : new Uint8Array(reply.body), {
      status: reply.status,
      headers: answered,
    });
  };
}

function textOf(body: unknown): string {
  if (typeof body === "string" || body instanceof URLSearchParams) return String(body);
  throw new EgressFault("refused", "Only text is sent.");
}

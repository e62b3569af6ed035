import { type Ask, openCompanyApi } from "../carrier-http.ts";
import type { CarrierFault } from "../carrier.ts";

/** Each call of the returned function begins one operation, whose requests share its timeout. */
export function openTelnyxHttp({
  url,
  apiKey,
  timeoutMs,
}: {
  url: string;
  apiKey: string;
  timeoutMs: number;
}): () => Ask {
  return openCompanyApi({
    company: "Telnyx",
    base: `${url.replace(/\/+$/, "")}/v2`,
    mediaType: "application/json",
    headers: { authorization: `Bearer ${apiKey}` },
    timeoutMs,
    kindOf: ({ status }) => KINDS[status] ?? "refused",
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

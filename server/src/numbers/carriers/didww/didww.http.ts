import { openPace } from "../carrier-pace.ts";
import { type Ask, openCompanyApi } from "../carrier-http.ts";
import type { CarrierFault } from "../carrier.ts";

/** The version that this adapter is written for. Without the header, the account's version applies. */
const API_VERSION = "2026-04-16";
/** How often a request that met the rate limit is sent again. */
const RETRIES = 3;

export interface DidwwAccess {
  url: string;
  apiKey: string;
  timeoutMs: number;
  requestsPerSecond: number;
}

/** Each call of the returned function begins one operation, whose requests share its timeout. */
export function openDidwwHttp({ url, apiKey, timeoutMs, requestsPerSecond }: DidwwAccess): () => Ask {
  return openCompanyApi({
    company: "DIDWW",
    base: `${url.replace(/\/+$/, "").replace(/\/v3$/, "")}/v3`,
    mediaType: "application/vnd.api+json",
    headers: { "api-key": apiKey, "x-didww-api-version": API_VERSION },
    timeoutMs,
    kindOf: kindOfDidwwError,
    pace: openPace(requestsPerSecond, RETRIES),
  });
}

/** An account without money. The documentation has both words, and the code 400. */
const WITHOUT_MONEY = /insufficient (balance|funds)/i;
const CODE_WITHOUT_MONEY = "400";

/**
 * None of 401, 403, 404 and 429 had an effect: 401 and 403 are errors of the account, 404 of the address or the
 * resource, and 429 is the rate limit. They and an account without money end when the operator or time fixes the
 * cause. 400, 409 and 422 reject the request. 408 is inconclusive.
 */
const KINDS: Partial<Record<number, CarrierFault["kind"]>> = {
  401: "not_sent",
  403: "not_sent",
  404: "not_sent",
  408: "unknown",
  429: "not_sent",
};

function kindOfDidwwError({
  status,
  code,
  said,
}: {
  status: number;
  code: string;
  said: string;
}): CarrierFault["kind"] {
  const isWithoutMoney = WITHOUT_MONEY.test(said) || (status === 400 && code === CODE_WITHOUT_MONEY);
  return isWithoutMoney ? "not_sent" : (KINDS[status] ?? "refused");
}

import type { Operations } from "@dialplane/sdk/operator";
import { flagOf, RESULTS, WINDOWS } from "../calls/calls-search.ts";

export const ALL_RESULTS = [...RESULTS, "not_served"] as const;

/** Filters in the URL: a link shows the same list. */
export interface OperatorCallsSearch {
  q?: string;
  time?: (typeof WINDOWS)[number];
  result?: (typeof ALL_RESULTS)[number];
  /** Name of the switch. */
  switch?: string;
  organisation?: string;
  unmatched?: "true";
  misrouted?: "true";
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ignores unknown parameters and values that the service rejects. */
export function readOperatorCallsSearch(raw: Record<string, unknown>): OperatorCallsSearch {
  const text = (name: string, pattern = /./): string | undefined => {
    const value = raw[name];
    return typeof value === "string" && pattern.test(value) ? value : undefined;
  };
  return withoutEmpty({
    q: text("q"),
    time: WINDOWS.find((one) => one === raw["time"]),
    result: ALL_RESULTS.find((one) => one === raw["result"]),
    switch: text("switch"),
    organisation: text("organisation", UUID),
    unmatched: flagOf(raw["unmatched"]),
    misrouted: flagOf(raw["misrouted"]),
  });
}

export function withoutEmpty(wanted: {
  [Name in keyof OperatorCallsSearch]?: OperatorCallsSearch[Name] | undefined;
}): OperatorCallsSearch {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(given);
}

/** Limits of the service. */
const MIN_SEARCH = 3;
const MAX_SEARCH = 255;

/** Query of the service. A search text that is too short is left out. */
export function operatorCallsQuery(
  { q = "", result, unmatched, misrouted, organisation, switch: name }: OperatorCallsSearch,
  from: string | undefined,
): Operations["searchAllCalls"]["query"] {
  const text = q.trim();
  return {
    ...(from && { from }),
    ...(text.length >= MIN_SEARCH && { q: text.slice(0, MAX_SEARCH) }),
    ...(result && { result }),
    ...(name && { switch: name }),
    ...(organisation && { organisation_id: organisation }),
    ...(unmatched && { unmatched: true }),
    ...(misrouted && { misrouted: true }),
  };
}

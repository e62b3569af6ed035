import type { Operations } from "@dialplane/sdk";
import { callsText } from "./calls-text.ts";

export const WINDOWS = ["hour", "day", "week", "month"] as const;
export const RESULTS = ["answered", "busy", "no_answer", "cancelled", "rejected", "failed"] as const;

/** Filters in the URL: a link shows the same list. */
export interface CallsSearch {
  q?: string;
  time?: (typeof WINDOWS)[number];
  result?: (typeof RESULTS)[number];
  /** ID of the called number. */
  number?: string;
  /** ID of the connection. */
  connection?: string;
  code?: string;
  switch?: string;
  /** Minimum talk time. */
  seconds?: string;
  misrouted?: "true";
}

/** Ignores unknown parameters and values that the service rejects. */
export function readCallsSearch(raw: Record<string, unknown>): CallsSearch {
  const text = (name: string, pattern = /./): string | undefined => {
    const value = raw[name];
    return typeof value === "string" && pattern.test(value) ? value : undefined;
  };
  const read = {
    q: text("q"),
    time: WINDOWS.find((one) => one === raw["time"]),
    result: RESULTS.find((one) => one === raw["result"]),
    number: text("number", UUID),
    connection: text("connection", UUID),
    code: text("code", /^[1-6]\d\d$/),
    switch: text("switch"),
    seconds: text("seconds", /^\d{1,9}$/),
    misrouted: flagOf(raw["misrouted"]),
  };
  return filtersOf(read);
}

/** The choice of a result that is a filter of its kind: a misrouted call can have any result. */
export const MISROUTED = { value: "misrouted", label: callsText.misroutedFilter } as const;

export function chosenResult<Result extends string>(
  chosen: Result | typeof MISROUTED.value | undefined,
): {
  result: Exclude<Result, typeof MISROUTED.value> | undefined;
  misrouted: "true" | undefined;
} {
  return chosen === MISROUTED.value
    ? { result: undefined, misrouted: "true" }
    : { result: chosen as Exclude<Result, typeof MISROUTED.value> | undefined, misrouted: undefined };
}

/** Also as the router reads it from an address. */
export function flagOf(raw: unknown): "true" | undefined {
  return raw === "true" || raw === true ? "true" : undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The given filters without empty ones. */
export function filtersOf(wanted: { [Name in keyof CallsSearch]?: CallsSearch[Name] | undefined }) {
  return Object.fromEntries(
    Object.entries(wanted).filter(([, value]) => value !== undefined && value !== ""),
  ) as CallsSearch;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS };

/** Start of a window. Longer windows start at a full hour, as the service counts usage. */
export function startOf(time: CallsSearch["time"], now: number): string | undefined {
  if (!time) return undefined;
  const unit = time === "hour" ? MINUTE_MS : HOUR_MS;
  return new Date(Math.floor((now - SPANS[time]) / unit) * unit).toISOString();
}

/** Limits of the service. */
export const MIN_SEARCH = 3;
const MAX_SEARCH = 255;

export type CallsFilter = Operations["exportFoundCalls"]["query"];

/** Query of the service. A search text that is too short is left out. */
export function callsFilterOf(search: CallsSearch, from: string | undefined): CallsFilter {
  const q = search.q?.trim() ?? "";
  return {
    ...(from && { from }),
    ...(q.length >= MIN_SEARCH && { q: q.slice(0, MAX_SEARCH) }),
    ...(search.result && { result: search.result }),
    ...(search.number && { number_id: search.number }),
    ...(search.connection && { connection_id: search.connection }),
    ...(search.code && { code: Number(search.code) }),
    ...(search.switch && { switch: search.switch }),
    ...(search.seconds && { min_seconds: Number(search.seconds) }),
    ...(search.misrouted && { misrouted: true }),
  };
}

/** Start of a phone number, if the service reads the text as one. Otherwise it is a Call-ID. */
export function prefixOf(q: string): string | undefined {
  const digits = q.replaceAll(/[\s()./-]/g, "").replace(/^00|^\+/, "");
  return /^\d{2,15}$/.test(digits) ? `+${digits}` : undefined;
}

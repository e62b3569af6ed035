import type { NumberFilter, Operations } from "@dialplane/sdk";

type Query = Operations["listNumbers"]["query"];

export const MODES = ["sip_uri", "connection", "forward", "webhook", "unrouted"] as const;
export const SYNCS = ["in_sync", "pending", "failed", "drifted", "unknown"] as const;
export const HEALTHS = ["up", "partial", "down", "unknown"] as const;
export const STATUSES = ["active", "suspended", "releasing", "quarantined", "released"] as const;
export const SORTS = ["-acquired_at", "acquired_at", "e164", "-e164"] as const;

/** Filters in the URL: a link shows the same list. */
export interface NumbersSearch {
  q?: string;
  country?: string;
  tag?: string;
  status?: (typeof STATUSES)[number];
  mode?: (typeof MODES)[number];
  sync?: (typeof SYNCS)[number];
  health?: (typeof HEALTHS)[number];
  connection?: string;
  destination?: string;
  sort?: (typeof SORTS)[number];
  /** IDs of the hidden columns, separated by commas, if the user has chosen some. */
  hidden?: string;
}

/** Ignores unknown parameters. */
export function readNumbersSearch(raw: Record<string, unknown>): NumbersSearch {
  return {
    ...text(raw, "q"),
    ...text(raw, "country"),
    ...text(raw, "tag"),
    ...oneOf(raw, "status", STATUSES),
    ...oneOf(raw, "mode", MODES),
    ...oneOf(raw, "sync", SYNCS),
    ...oneOf(raw, "health", HEALTHS),
    ...text(raw, "connection"),
    ...text(raw, "destination"),
    ...oneOf(raw, "sort", SORTS),
    ...(typeof raw["hidden"] === "string" && { hidden: raw["hidden"] }),
  };
}

/** Filters of the service. */
export function filterOf(search: NumbersSearch): NumberFilter {
  const { sort: _sort, hidden: _hidden, connection, ...filter } = search;
  return { ...filter, ...(connection && { connection_id: [connection] }) };
}

export function queryOf(search: NumbersSearch): Query {
  return { ...filterOf(search), ...(search.sort && { sort: search.sort }), limit: PAGE_SIZE };
}

/** Rows per page: several screens, and a small response. */
const PAGE_SIZE = 200;

export function isFiltered(search: NumbersSearch): boolean {
  return Object.keys(filterOf(search)).length > 0;
}

function text<Name extends string>(raw: Record<string, unknown>, name: Name): { [Key in Name]?: string } {
  const value = raw[name];
  return (typeof value === "string" && value !== "" ? { [name]: value } : {}) as { [Key in Name]?: string };
}

function oneOf<Name extends string, Value extends string>(
  raw: Record<string, unknown>,
  name: Name,
  values: readonly Value[],
): { [Key in Name]?: Value } {
  const value = values.find((one) => one === raw[name]);
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}

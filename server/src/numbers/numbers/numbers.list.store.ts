import type { OrganisationScope } from "../../platform/db/database.ts";

export type NumberSort = "acquired_at" | "-acquired_at" | "e164" | "-e164";

/** Search terms: the beginning of a number or a label, or a part of either. */
export type SearchTerms = { digits: string } | { label: string } | { texts: string[] };

export interface NumberFilters {
  /** With `connections`, texts match destinations too. The search fills it, as it does in `destination`. */
  terms?: SearchTerms & { connections?: readonly string[] };
  country?: string;
  type?: string;
  status?: string;
  tag?: string;
  mode?: string;
  sync?: string;
  e164s?: readonly string[];
  connection_ids?: readonly string[];
  destination?: { texts: readonly string[]; connections: readonly string[] };
  last_call_before?: string;
  /** Connections of the wanted health, as first destination. */
  first_connections?: readonly string[];
  metadata?: Record<string, string>;
}

export interface NumberQuery {
  filters: NumberFilters;
  sort: NumberSort;
  after: { e164: string; id: string } | undefined;
  limit: number;
  showsRouting: boolean;
  /** Whether to count all results. */
  isCounted?: boolean;
}

export interface Statement {
  text: string;
  values: unknown[];
}

/** Keeps a value for the statement and names its place in the text. */
type Bind = (value: unknown) => string;

/** A page as the text of a JSON array; `last_id` and `last_e164`, where there is more, say after which number. */
export interface NumberPageRow {
  data: string;
  last_id: string | null;
  last_e164: string | null;
  /** Count, and whether there can be more; null if the page is not counted. */
  total: [number, boolean] | null;
}

/** Counting further would cost more than the page. An index counts fast, a search looks at each row. */
const MOST_COUNTED = 10_000;
const MOST_COUNTED_BY_SEARCH = 2_000;

/** The current hour and the 23 before it: the row of today, and the hours of yesterday that are among them. */
const CALLS_24H = `(select coalesce(sum(c.calls), 0)::integer from (
      select u.calls from usage_days u where u.organisation_id = h.organisation_id and u.environment = h.environment
        and u.holding_id = h.id and u.day = (now() at time zone 'UTC')::date
      union all
      select u.calls from usage_hours u where u.organisation_id = h.organisation_id and u.environment = h.environment
        and u.holding_id = h.id and u.hour >= date_trunc('hour', now(), 'UTC') - interval '23 hours'
        and u.hour < date_trunc('day', now(), 'UTC')) c)`;

/** How a number is shown, from a row `h` of holdings. */
export function shownNumber(showsRouting: boolean): string {
  return `json_build_object('id', h.id, 'e164', h.e164, 'country', h.country, 'type', h.type, 'capabilities', h.capabilities,
    'status', h.status, 'status_reason', case when h.status = 'suspended' then h.status_reason end, 'label', h.label, 'tags', h.tags, 'metadata', h.metadata, 'source', h.source, 'order_id', h.order_id,
    'routing', ${showsRouting ? ROUTING : "null"}, 'release_lock', h.release_lock,
    'acquired_at', wire_time(h.acquired_at), 'released_at', wire_time(h.released_at), 'restore_until', wire_time(h.restore_until),
    'last_call_at', wire_time((select c.started_at from last_calls c where c.holding_id = h.id)), 'calls_24h', ${CALLS_24H},
    'created_at', wire_time(h.created_at), 'updated_at', wire_time(h.updated_at))`;
}

const DESTINATION = `json_strip_nulls(json_build_object('mode', s.mode, 'sip_uri', s.sip_uri,
        'connection', case when s.connection_id is not null then (select json_build_object('id', c.id, 'name', c.name)
          from connections c where c.organisation_id = s.organisation_id and c.environment = s.environment and c.id = s.connection_id) end,
        'forward_to', s.forward_to, 'webhook_url', s.webhook_url, 'steps', s.steps))`;

/** Switches are looked at one by one only if the number is not in sync. `offset 0` keeps each part from being evaluated again. */
const ROUTING = `(select json_build_object('mode', s.mode, 'generation', s.generation, 'status', s.status,
        'destination', s.desired,
        'applied_destination', case when s.behind -> 'held' <> s.desired::jsonb then nullif(s.behind -> 'held', 'null') end,
        'switches_behind', coalesce(s.behind -> 'switches', '[]'),
        'switches', (select count(*) from switches w where w.group_id = s.group_id and w.state <> 'retired'),
        'health', case when s.connection_id is not null then connection_health(s.connection_id) end,
        'flapping', exists (select from drift_episodes d where d.item_id = h.id and d.closed_at is null and d.count >= 3))
      from (
        select s.*, ${DESTINATION} as desired, case when s.status <> 'in_sync' then switches_behind(s.holding_id) end as behind
        from (select * from routing_states s where s.holding_id = h.id offset 0) s offset 0) s)`;

/** The whole page in one statement. If a search is also counted, it runs once, and the page shows its first results. */
export function numberPageStatement(scope: OrganisationScope, query: NumberQuery): Statement {
  const values: unknown[] = [scope.organisationId, scope.environment];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const limit = bind(query.limit);
  const isCountedSearch = query.isCounted === true && isSearch(query.filters);
  const search = isCountedSearch
    ? `with found as materialized (select * from ${searchOf(bind, query, String(MOST_COUNTED_BY_SEARCH + 1))} with ordinality as f(id, is_found, n)) `
    : "";
  const source = isCountedSearch ? foundSource(limit) : sourceOf(bind, query, `${limit}::integer + 1`);
  const last = (column: string): string =>
    `coalesce(max(${column}) filter (where not h.is_found), max(${column}) filter (where h.has_more and h.n = ${limit}))`;
  const text = `${search}select '[' || coalesce(string_agg(h.shown, ',' order by h.n) filter (where h.n <= ${limit} and h.is_found), '') || ']' as data,
      ${last("h.id::text")} as last_id, ${last("h.e164")} as last_e164, ${query.isCounted ? totalOf(bind, query) : "null::json"} as total
    from (
      select row_number() over (order by ${orderOf(query.sort)}) as n, count(*) over () > ${limit} as has_more, h.id, h.e164, h.is_found,
        ${shownNumber(query.showsRouting)}::text as shown
      from (${source}) h
    ) h`;
  return { text, values };
}

/** Rows of the first results. The position where the search stopped matters only if they do not fill the page. */
function foundSource(limit: string): string {
  return `select h.*, f.is_found from found f
        cross join lateral (select * from holdings h where ${OWN("h")} and h.id = f.id limit 1) h
        where f.n <= ${limit}::integer + 1`;
}

/** Count of all results: exact up to a limit, and a minimum if there are more or the search stops before the end. */
function totalOf(bind: Bind, query: NumberQuery): string {
  const [most, rows] = isSearch(query.filters)
    ? [MOST_COUNTED_BY_SEARCH, "select is_found from found"]
    : [MOST_COUNTED, indexedCount(bind, query)];
  return `(select json_build_array(least(count(*) filter (where c.is_found), ${most}),
        count(*) > ${most} or coalesce(bool_or(not c.is_found), false)) from (${rows}) c)`;
}

/** Reads the index that has the filter, and no row. */
function indexedCount(bind: Bind, query: NumberQuery): string {
  const [filter] = Object.keys(query.filters) as IndexedFilter[];
  const whole: NumberQuery = { ...query, sort: "acquired_at", after: undefined };
  const rows =
    filter === undefined
      ? `holdings h where ${OWN("h")} and h.is_held order by h.id`
      : `(${indexedIds(bind, whole, filter)}) h order by h.value, h.id`;
  return `select true as is_found from ${rows} limit ${MOST_COUNTED + 1}`;
}

/** The ids alone, in their order; one that is not found says how far the walk came. */
export function numberIdsStatement(
  scope: OrganisationScope,
  { filters, after: last, limit }: { filters: NumberFilters; after: string | undefined; limit: number },
): Statement {
  const values: unknown[] = [scope.organisationId, scope.environment];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const query: NumberQuery = {
    filters,
    sort: "acquired_at",
    after: last === undefined ? undefined : { e164: "", id: last },
    limit,
    showsRouting: false,
  };
  const source = sourceOf(bind, query, `${bind(limit)}::integer`);
  return { text: `select h.id, h.is_found from (${source}) h order by h.id`, values };
}

type IndexedFilter = "status" | "country" | "type";

const INDEXED: ReadonlySet<string> = new Set<IndexedFilter>(["status", "country", "type"]);

/** Whether no index has filter and order, so that a search is needed. */
function isSearch(filters: NumberFilters): boolean {
  const names = Object.keys(filters);
  return names.length > 1 || (names.length === 1 && !INDEXED.has(names[0]!));
}

/** Rows of holdings, with `is_found`. If one index has filter and order, the statement scans it directly. */
function sourceOf(bind: Bind, query: NumberQuery, most: string): string {
  if (isSearch(query.filters)) return searchedSource(bind, query, most);
  const [filter] = Object.keys(query.filters) as IndexedFilter[];
  return filter === undefined ? listedSource(bind, query, most) : filteredSource(bind, query, most, filter);
}

const OWN = (alias: string): string => `${alias}.organisation_id = $1 and ${alias}.environment = $2`;

function listedSource(bind: Bind, query: NumberQuery, most: string): string {
  return `select h.*, true as is_found from holdings h where ${OWN("h")} and h.is_held${after(bind, query)}
        order by ${orderOf(query.sort)} limit ${most}`;
}

/**
 * Scans the filter's index and looks up each holding. The filter is a range and part of the order, which no other
 * index matches. A generic plan therefore cannot pick an index that reads discarded rows.
 */
function filteredSource(bind: Bind, query: NumberQuery, most: string, filter: IndexedFilter): string {
  return `select found.*, true as is_found from (${indexedIds(bind, query, filter)}) h
        cross join lateral (select * from holdings found where ${OWN("found")} and found.id = h.id limit 1) found
        order by ${orderOf(query.sort, "h.value")} limit ${most}`;
}

function indexedIds(bind: Bind, query: NumberQuery, filter: IndexedFilter): string {
  const held = filter === "status" ? "" : "h.is_held and ";
  const value = bind(query.filters[filter]);
  return `select h.id, h.e164, h.${filter} as value from holdings h where ${OWN("h")} and ${held}h.${filter} between ${value} and ${value}${after(bind, query, { column: `h.${filter}`, value })}`;
}

/** The search has its own way to the rows, and visits a bounded number; the rows themselves come through the policies. */
function searchedSource(bind: Bind, query: NumberQuery, most: string): string {
  return `select h.*, found.is_found from ${searchOf(bind, query, most)} found
        cross join lateral (select * from holdings h where ${OWN("h")} and h.id = found.id limit 1) h`;
}

function searchOf(bind: Bind, query: NumberQuery, most: string): string {
  const { terms, ...filters } = query.filters;
  const given = [
    `${bind(terms ? JSON.stringify(terms) : null)}::jsonb`,
    `${bind(JSON.stringify(filters))}::jsonb`,
    bind(query.sort),
    bind(query.after?.e164 ?? null),
    `${bind(query.after?.id ?? null)}::uuid`,
    most,
  ];
  return `search_holdings(${given.join(", ")})`;
}

/** Behind the last one shown; `filter` is what the order begins with, and the same in all rows. */
function after(
  bind: Bind,
  { after: last, sort }: NumberQuery,
  filter?: { column: string; value: string },
): string {
  if (!last) return "";
  const columns = [...(filter ? [filter.column] : []), ...columnsOf(sort)];
  const values = [
    ...(filter ? [filter.value] : []),
    ...(sort.endsWith("e164") ? [bind(last.e164)] : []),
    bind(last.id),
  ];
  return ` and (${columns.join(", ")}) ${sort.startsWith("-") ? "<" : ">"} (${values.join(", ")})`;
}

function orderOf(sort: NumberSort, first?: string): string {
  const columns = [...(first === undefined ? [] : [first]), ...columnsOf(sort)];
  return columns.map((column) => (sort.startsWith("-") ? `${column} desc` : column)).join(", ");
}

function columnsOf(sort: NumberSort): string[] {
  return sort.endsWith("e164") ? ["h.e164", "h.id"] : ["h.id"];
}

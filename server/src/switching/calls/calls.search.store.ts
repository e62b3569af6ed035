import {
  type CallPosition,
  misroutedOf,
  OF_CALL,
  PARTIES_AND_NAMES,
  positionIn,
} from "./calls.json.store.ts";
import {
  ALL,
  type Bind,
  calledCondition,
  type CallFilters,
  type CallScope,
  isSame,
  type Own,
  ownOf,
  partyConditions,
  prefixConditions,
  recordConditions,
  timesOf,
} from "./calls.search.conditions.store.ts";

export { ALL };
export type { CallFilters, CallScope };

export interface CallQuery {
  scope: CallScope;
  filters: CallFilters;
  after: CallPosition | undefined;
  limit: number;
  /** Maximum number of rows that a page scans, and of those that each need a look-up. Greater than `limit`. */
  bounds: { rows: number; lookups: number };
  /** SQL of a call as JSON, and whether calls that the service could not accept are shown. */
  view: { json: string; hasNotServed: boolean };
}

export interface Statement {
  text: string;
  values: unknown[];
}

/** A page as the text of a JSON array, newest first. `last` is the position after which the next page starts. */
export interface FoundCalls {
  data: string;
  last: string | null;
}

/** Rows to scan, newest first, and the conditions that remain for each of them. */
interface Source {
  scan: string;
  /** Whether it has whole rows of call_records, or only their keys. */
  hasRows: boolean;
  bound: number;
  /** Order of the rows, by their alias. */
  order: (alias: string) => string;
  conditions: string[];
}

export const PREFIX_HITS = 5_000;

/**
 * One index scan of bounded length, and the other filters on its rows. The last row of a scan that reaches the bound is
 * found too: it is the position where the next page continues.
 */
export function callPageStatement(query: CallQuery): Statement {
  const values: unknown[] = [];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const own = ownOf(bind, query.scope);
  const { scan, hasRows, bound, order, conditions } = sourceOf(bind, own, query);
  const limit = bind(query.limit, "integer");
  const isShown = query.view.hasNotServed ? "true" : "c.result <> 'not_served'";
  const isMatch = [isShown, ...conditions].join(" and ");
  const rows = `(select k.*, row_number() over (order by ${order("k")}) as k from (${scan}) k) k
          cross join lateral (${hasRows ? "select k.*" : `select c.*, k.k from call_records c where ${own("c")} and ${isSame("c", "k")} limit 1`}) c`;
  const text = `with found as materialized (
      select c.*, row_number() over () as n from (
        select c.*, ${isMatch} as is_match from ${rows} where (${isMatch}) or k.k = ${bound}
        order by ${order("k")} limit ${limit} + 1) c)
    select '[' || coalesce(string_agg(${query.view.json}, ',' order by c.n) filter (where c.n <= ${limit} and c.is_match), '') || ']' as data,
      case when count(*) filter (where c.is_match) > ${limit} then max(${positionIn("c")}) filter (where c.n = ${limit})
        else max(${positionIn("c")}) filter (where c.k = ${bound}) end as last
    from found c ${PARTIES_AND_NAMES}`;
  return { text, values };
}

const newestFirst =
  (...columns: string[]) =>
  (alias: string): string =>
    [...columns, "started_at", "switch_id", "id"].map((one) => `${alias}.${one} desc`).join(", ");
const byTime = newestFirst();

/** The filter that tends to match the fewest calls is the scan. */
function sourceOf(bind: Bind, own: Own, query: CallQuery): Source {
  const { filters, bounds, scope } = query;
  const either = filters.prefix ? prefixConditions(bind, filters.prefix.text) : [];
  const onParties = partyConditions(bind, filters, either, scope);
  const ofParty = (condition: string): string =>
    // A scalar subquery, which PostgreSQL never turns into a join that reads the whole table.
    `(select ${condition} from call_parties p where ${own("p")} and ${isSame("p", "c")} limit 1)`;
  const onRecords = {
    ...recordConditions(bind, filters),
    // PostgreSQL rejects values that no condition uses, so this one is bound only if it is not the scan.
    ...(filters.called && onParties.sip_call_id
      ? { called: calledCondition(bind, filters.called, ofParty) }
      : {}),
    ...(filters.misrouted !== undefined && {
      misrouted: `${ofParty(misroutedOf(OF_CALL))} = ${bind(filters.misrouted, "boolean")}`,
    }),
  };
  const conditionsBut = (used?: string): string[] => [
    ...Object.entries(onParties).flatMap(([name, condition]) => (name === used ? [] : [ofParty(condition)])),
    ...Object.entries(onRecords).flatMap(([name, condition]) => (name === used ? [] : [condition])),
  ];
  const byKeys = (used: string, keys: string): Source => ({
    scan: `select k.* from (${keys}) k order by ${byTime("k")} limit ${bounds.lookups}`,
    hasRows: false,
    bound: bounds.lookups,
    order: byTime,
    conditions: conditionsBut(used),
  });
  const byParties = (used: string, scanned: readonly string[]): Source => {
    const keys = scanned.map(
      (condition) =>
        `select p.started_at, p.switch_id, p.id from call_parties p where ${own("p")} and ${condition}${timesOf(bind, query, "p")}`,
    );
    return byKeys(used, keys.join(" union "));
  };
  if (onParties.sip_call_id) return byParties("sip_call_id", [onParties.sip_call_id]);
  if (filters.called) return byKeys("called", calledKeys(bind, query, filters.called));
  if (filters.prefix?.isRare) return byParties("prefix", either);
  if (onParties.caller) return byParties("caller", [onParties.caller]);
  const isLookedUp = either.length > 0 || filters.misrouted !== undefined;
  const bound = isLookedUp ? bounds.lookups : bounds.rows;
  const source = scope.organisationId === ALL ? byTimeOfAll : byRecords;
  return { ...source(bind, own, query, bound), conditions: conditionsBut() };
}

/** Keys of the newest calls to each holding of a number, and of those to the number that matched none. */
function calledKeys(bind: Bind, query: CallQuery, called: NonNullable<CallFilters["called"]>): string {
  const { environment, organisationId: scoped } = query.scope;
  const newest = (alias: string): string => `order by ${byTime(alias)} limit ${query.bounds.lookups}`;
  const ofHoldings = called.holdings.map(({ id, organisation_id: organisationId }) => {
    const own = ownOf(bind, { environment, organisationId })("c");
    return `(select c.started_at, c.switch_id, c.id from call_records c
        where ${own} and c.holding_id = ${bind(id, "uuid")}${timesOf(bind, query, "c")} ${newest("c")})`;
  });
  const ofNone = `(select p.started_at, p.switch_id, p.id from call_parties p
        where ${ownOf(bind, { environment, organisationId: null })("p")} and p.called collate "C" = ${bind(called.text, "text")}${timesOf(bind, query, "p")} ${newest("p")})`;
  const isOfOne = scoped !== null && scoped !== ALL;
  return [...ofHoldings, ...(isOfOne ? [] : [ofNone])].join(" union all ");
}

type Scan = Omit<Source, "conditions">;

/** The index over all organisations has an order that no search of one organisation asks for. */
function byTimeOfAll(bind: Bind, own: Own, query: CallQuery, bound: number): Scan {
  const order = (alias: string): string =>
    `${alias}.started_at desc nulls last, ${alias}.switch_id desc, ${alias}.id desc`;
  return {
    scan: `select c.* from call_records c where ${own("c")}${timesOf(bind, query, "c")}
          order by ${order("c")} limit ${bound}`,
    hasRows: true,
    bound,
    order,
  };
}

/** Columns with an index in the order of the list, those first that tend to have the rarest values. */
const SCANNED = ["holding_id", "connection_id", "code", "switch_id", "result"] as const;

/**
 * The value is a range and part of the order, which no other index matches. So a generic plan, which does not know the
 * value, cannot pick an index that reads discarded rows.
 */
function byRecords(bind: Bind, own: Own, query: CallQuery, bound: number): Scan {
  const values = scannedValues(query.filters);
  const column = SCANNED.find((name) => values[name] !== undefined);
  const value = column && bind(values[column], TYPES[column]);
  const range = column ? ` and c.${column} between ${value} and ${value}` : "";
  const extra = (sign: string, moment: string): string =>
    `(c.${column}, c.started_at) ${sign} (${value}, ${moment})`;
  const order = newestFirst(...(column ? [column] : []));
  return {
    scan: `select c.* from call_records c where ${own("c")}${range}${timesOf(bind, query, "c", column && extra)}
          order by ${order("c")} limit ${bound}`,
    hasRows: true,
    bound,
    order,
  };
}

const TYPES = {
  holding_id: "uuid",
  connection_id: "uuid",
  code: "smallint",
  switch_id: "uuid",
  result: "text",
} as const;

/** A call with talk time is an answered one. Switches of different groups can share a name. */
function scannedValues(filters: CallFilters): Partial<Record<(typeof SCANNED)[number], unknown>> {
  const { number_id, connection_id, code, switchIds, result, min_seconds = 0 } = filters;
  return {
    holding_id: number_id,
    connection_id,
    code,
    switch_id: switchIds?.length === 1 ? switchIds[0] : undefined,
    result: result ?? (min_seconds > 0 ? "answered" : undefined),
  };
}

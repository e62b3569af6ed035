import type { OrganisationScope } from "../../platform/db/database.ts";
import { type CallPosition, PARTIES_AND_NAMES, positionIn, SHOWN_CALL } from "./calls.json.store.ts";

export interface CallFilters {
  from?: Date;
  to?: Date;
  number_id?: string;
  caller?: string;
  sip_call_id?: string;
  result?: string;
  code?: number;
  connection_id?: string;
  min_seconds?: number;
  /** IDs of the switches with the requested name. */
  switchIds?: readonly string[];
  /** Start of the caller's or the called number. `isRare` if an index scan of all matches is short. */
  prefix?: { text: string; isRare: boolean };
}

export interface CallQuery {
  filters: CallFilters;
  after: CallPosition | undefined;
  limit: number;
  /** Maximum number of rows that a page scans, and of those that each need a look-up. Greater than `limit`. */
  bounds: { rows: number; lookups: number };
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

/** Stores a value for the statement and returns its placeholder. */
type Bind = (value: unknown, type: "text" | "uuid" | "smallint" | "integer" | "timestamptz") => string;

/** Rows to scan, newest first, and the conditions that remain for each of them. */
interface Source {
  scan: string;
  /** Whether it has whole rows of call_records, or only their keys. */
  hasRows: boolean;
  bound: number;
  /** Column of the index that has one value in all rows, and so does not change their order. */
  column: string | undefined;
  conditions: string[];
}

export const PREFIX_HITS = 5_000;

/**
 * One index scan of bounded length, and the other filters on its rows. The last row of a scan that reaches the bound is
 * found too: it is the position where the next page continues.
 */
export function callPageStatement(scope: OrganisationScope, query: CallQuery): Statement {
  const values: unknown[] = [scope.organisationId, scope.environment];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const { scan, hasRows, bound, column, conditions } = sourceOf(bind, query);
  const limit = bind(query.limit, "integer");
  const order = newestFirst("k", column);
  const isMatch = ["c.result <> 'not_served'", ...conditions].join(" and ");
  const rows = `(select k.*, row_number() over (order by ${order}) as k from (${scan}) k) k
          cross join lateral (${hasRows ? "select k.*" : `select c.*, k.k from call_records c where ${OWN("c")} and ${isSame("c", "k")} limit 1`}) c`;
  const text = `with found as materialized (
      select c.*, row_number() over () as n from (
        select c.*, ${isMatch} as is_match from ${rows} where (${isMatch}) or k.k = ${bound}
        order by ${order} limit ${limit} + 1) c)
    select '[' || coalesce(string_agg(${SHOWN_CALL}, ',' order by c.n) filter (where c.n <= ${limit} and c.is_match), '') || ']' as data,
      case when count(*) filter (where c.is_match) > ${limit} then max(${positionIn("c")}) filter (where c.n = ${limit})
        else max(${positionIn("c")}) filter (where c.k = ${bound}) end as last
    from found c ${PARTIES_AND_NAMES}`;
  return { text, values };
}

const OWN = (alias: string): string => `${alias}.organisation_id = $1 and ${alias}.environment = $2`;
const newestFirst = (alias: string, column?: string): string =>
  [...(column === undefined ? [] : [column]), "started_at", "switch_id", "id"]
    .map((one) => `${alias}.${one} desc`)
    .join(", ");
const isSame = (alias: string, other: string): string =>
  `${alias}.switch_id = ${other}.switch_id and ${alias}.id = ${other}.id and ${alias}.started_at = ${other}.started_at`;

/** The filter that tends to match the fewest calls is the scan. */
function sourceOf(bind: Bind, query: CallQuery): Source {
  const { filters, bounds } = query;
  const either = filters.prefix ? prefixConditions(bind, filters.prefix.text) : [];
  const onParties = partyConditions(bind, filters, either);
  const onRecords = recordConditions(bind, filters);
  const conditionsBut = (used?: string): string[] => [
    ...Object.entries(onParties).flatMap(([name, condition]) => (name === used ? [] : [ofParty(condition)])),
    ...Object.entries(onRecords).flatMap(([name, condition]) => (name === used ? [] : [condition])),
  ];
  const byParties = (used: string, scanned: readonly string[]): Source => {
    const keys = scanned.map(
      (condition) =>
        `select p.started_at, p.switch_id, p.id from call_parties p where ${OWN("p")} and ${condition}${timesOf(bind, query, "p")}`,
    );
    return {
      scan: `select k.* from (${keys.join(" union ")}) k order by ${newestFirst("k")} limit ${bounds.lookups}`,
      hasRows: false,
      bound: bounds.lookups,
      column: undefined,
      conditions: conditionsBut(used),
    };
  };
  if (onParties.sip_call_id) return byParties("sip_call_id", [onParties.sip_call_id]);
  if (filters.prefix?.isRare) return byParties("prefix", either);
  if (onParties.caller) return byParties("caller", [onParties.caller]);
  const bound = either.length > 0 ? bounds.lookups : bounds.rows;
  return { ...byRecords(bind, query, bound), conditions: conditionsBut() };
}

/** Columns with an index in the order of the list, those first that tend to have the rarest values. */
const SCANNED = ["holding_id", "connection_id", "code", "switch_id", "result"] as const;

/**
 * The value is a range and part of the order, which no other index matches. So a generic plan, which does not know the
 * value, cannot pick an index that reads discarded rows.
 */
function byRecords(bind: Bind, query: CallQuery, bound: number): Omit<Source, "conditions"> {
  const values = scannedValues(query.filters);
  const column = SCANNED.find((name) => values[name] !== undefined);
  const value = column && bind(values[column], TYPES[column]);
  const first = column === undefined ? undefined : ([`c.${column}`, value!] as const);
  const range = first ? ` and ${first[0]} between ${value} and ${value}` : "";
  return {
    scan: `select c.* from call_records c where ${OWN("c")}${range}${timesOf(bind, query, "c", first)}
          order by ${newestFirst("c", column)} limit ${bound}`,
    hasRows: true,
    bound,
    column,
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

function recordConditions(bind: Bind, filters: CallFilters): Record<string, string> {
  const { number_id, connection_id, code, switchIds, result, min_seconds } = filters;
  return {
    ...(number_id !== undefined && { number_id: `c.holding_id = ${bind(number_id, "uuid")}` }),
    ...(connection_id !== undefined && { connection_id: `c.connection_id = ${bind(connection_id, "uuid")}` }),
    ...(code !== undefined && { code: `c.code = ${bind(code, "smallint")}` }),
    ...(switchIds !== undefined && {
      switch: `c.switch_id in (${switchIds.map((id) => bind(id, "uuid")).join(", ") || "null"})`,
    }),
    ...(result !== undefined && { result: `c.result = ${bind(result, "text")}` }),
    ...(min_seconds !== undefined && {
      min_seconds: `talk_seconds(c.answered_at, c.ended_at) >= ${bind(min_seconds, "integer")}`,
    }),
  };
}

function partyConditions(
  bind: Bind,
  { caller, sip_call_id }: CallFilters,
  either: readonly string[],
): { caller?: string; sip_call_id?: string; prefix?: string } {
  return {
    ...(caller !== undefined && { caller: `p.caller collate "C" = ${bind(caller, "text")}` }),
    ...(sip_call_id !== undefined && { sip_call_id: `p.sip_call_id = ${bind(sip_call_id, "text")}` }),
    ...(either.length > 0 && { prefix: `(${either.join(" or ")})` }),
  };
}

/** In the order of bytes, ":" follows the digits. */
function prefixConditions(bind: Bind, prefix: string): string[] {
  const [first, end] = [bind(prefix, "text"), bind(`${prefix}:`, "text")];
  return ["caller", "called"].map(
    (column) => `p.${column} collate "C" >= ${first} and p.${column} collate "C" < ${end}`,
  );
}

/** A scalar subquery, which PostgreSQL never turns into a join that reads the whole table. */
function ofParty(condition: string): string {
  return `(select ${condition} from call_parties p where ${OWN("p")} and ${isSame("p", "c")} limit 1)`;
}

/** `first` is the column of the index before the time, with its value: rows are compared by both. */
function timesOf(
  bind: Bind,
  { filters: { from, to }, after }: Pick<CallQuery, "filters" | "after">,
  alias: string,
  first?: readonly [column: string, value: string],
): string {
  const at = `${alias}.started_at`;
  const compared = (sign: string, moment: string): string =>
    `${at} ${sign} ${moment}${first ? ` and (${first[0]}, ${at}) ${sign} (${first[1]}, ${moment})` : ""}`;
  const conditions = [
    ...(from ? [compared(">=", bind(from, "timestamptz"))] : []),
    ...(to ? [compared("<", bind(to, "timestamptz"))] : []),
    ...(after
      ? [compared("<=", bind(after.startedAt, "timestamptz")), afterCondition(bind, alias, after)]
      : []),
  ];
  return conditions.map((condition) => ` and ${condition}`).join("");
}

function afterCondition(bind: Bind, alias: string, { startedAt, switchId, id }: CallPosition): string {
  const position = [bind(startedAt, "timestamptz"), bind(switchId, "uuid"), bind(id, "uuid")];
  return `(${alias}.started_at, ${alias}.switch_id, ${alias}.id) < (${position.join(", ")})`;
}

/** IDs of switches with a name, and how many calls have a prefix, as far as an index scan of them is short. */
export function lookUpStatement(
  scope: OrganisationScope,
  query: Pick<CallQuery, "filters" | "after">,
  { name, prefix }: { name: string | undefined; prefix: string | undefined },
): Statement {
  const values: unknown[] = [];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const named =
    name === undefined ? "null" : `array(select s.id from switches s where s.name = ${bind(name, "text")})`;
  if (prefix === undefined) return { text: `select ${named} as switches, 0 as hits`, values };
  const own = `p.organisation_id = ${bind(scope.organisationId, "uuid")} and p.environment = ${bind(scope.environment, "text")}`;
  const times = timesOf(bind, query, "p");
  const hits = prefixConditions(bind, prefix).map(
    (condition) =>
      `(select p.id from call_parties p where ${own} and ${condition}${times} limit ${PREFIX_HITS + 1})`,
  );
  return {
    text: `select ${named} as switches, (select count(*)::integer from (${hits.join(" union all ")}) h) as hits`,
    values,
  };
}

import type { Environment } from "../../platform/db/database.ts";
import type { CallPosition } from "./calls.json.store.ts";

/** In place of an organisation. */
export const ALL = Symbol("all organisations");

/** Calls to search: of one organisation, of none (they matched no number), or of all. */
export interface CallScope {
  environment: Environment;
  organisationId: string | null | typeof ALL;
}

export interface CallFilters {
  from?: Date;
  to?: Date;
  number_id?: string;
  caller?: string;
  /** A called number: its holdings, and the number itself in calls that matched none. Only in a search of all. */
  called?: { text: string; holdings: readonly { id: string; organisation_id: string }[] };
  sip_call_id?: string;
  result?: string;
  code?: number;
  connection_id?: string;
  min_seconds?: number;
  misrouted?: boolean;
  /** IDs of the switches with the requested name. */
  switchIds?: readonly string[];
  /** Start of the caller's or the called number. `isRare` if an index scan of all matches is short. */
  prefix?: { text: string; isRare: boolean };
}

/** Stores a value for the statement and returns its placeholder. */
export type Bind = (
  value: unknown,
  type: "boolean" | "text" | "uuid" | "uuid[]" | "smallint" | "integer" | "timestamptz",
) => string;

/** Rows of the scope, by alias. */
export type Own = (alias: string) => string;

export function ownOf(bind: Bind, { environment, organisationId }: CallScope): Own {
  const inEnvironment = bind(environment, "text");
  if (organisationId === ALL) return (alias) => `${alias}.environment = ${inEnvironment}`;
  const of = organisationId === null ? "is null" : `= ${bind(organisationId, "uuid")}`;
  return (alias) => `${alias}.organisation_id ${of} and ${alias}.environment = ${inEnvironment}`;
}

export const isSame = (alias: string, other: string): string =>
  `${alias}.switch_id = ${other}.switch_id and ${alias}.id = ${other}.id and ${alias}.started_at = ${other}.started_at`;

export function recordConditions(bind: Bind, filters: CallFilters): Record<string, string> {
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

/** Calls to a number: those of its holdings, and those with the number in the INVITE that matched none. */
export function calledCondition(
  bind: Bind,
  { text, holdings }: NonNullable<CallFilters["called"]>,
  ofParty: (condition: string) => string,
): string {
  const ids = bind(
    holdings.map(({ id }) => id),
    "uuid[]",
  );
  const isCalled = ofParty(`p.called collate "C" = ${bind(text, "text")}`);
  return `(c.holding_id = any (${ids}) or c.organisation_id is null and ${isCalled})`;
}

/** The index over all organisations has the default collation, so that no search of one organisation uses it. */
export function partyConditions(
  bind: Bind,
  { caller, sip_call_id }: CallFilters,
  either: readonly string[],
  { organisationId }: CallScope,
): { caller?: string; sip_call_id?: string; prefix?: string } {
  const collated = organisationId === ALL ? "" : ` collate "C"`;
  return {
    ...(caller !== undefined && { caller: `p.caller${collated} = ${bind(caller, "text")}` }),
    ...(sip_call_id !== undefined && { sip_call_id: `p.sip_call_id = ${bind(sip_call_id, "text")}` }),
    ...(either.length > 0 && { prefix: `(${either.join(" or ")})` }),
  };
}

/** In the order of bytes, ":" follows the digits. */
export function prefixConditions(bind: Bind, prefix: string): string[] {
  const [first, end] = [bind(prefix, "text"), bind(`${prefix}:`, "text")];
  return ["caller", "called"].map(
    (column) => `p.${column} collate "C" >= ${first} and p.${column} collate "C" < ${end}`,
  );
}

export interface Times {
  filters: Pick<CallFilters, "from" | "to">;
  after: CallPosition | undefined;
}

/** `extra` compares the columns of an index in the same way. */
export function timesOf(
  bind: Bind,
  { filters: { from, to }, after }: Times,
  alias: string,
  extra?: (sign: string, moment: string) => string,
): string {
  const compared = (sign: string, moment: string): string =>
    [`${alias}.started_at ${sign} ${moment}`, ...(extra ? [extra(sign, moment)] : [])].join(" and ");
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

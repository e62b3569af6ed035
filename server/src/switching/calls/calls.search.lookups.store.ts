import {
  type Bind,
  type CallScope,
  ownOf,
  prefixConditions,
  type Times,
  timesOf,
} from "./calls.search.conditions.store.ts";
import { PREFIX_HITS, type Statement } from "./calls.search.store.ts";

/** Texts of a search that name rows of other tables. */
export interface Named {
  /** Name of a switch. */
  name?: string | undefined;
  prefix?: string | undefined;
  sip_call_id?: string | undefined;
  /** Only in a search of all organisations: a called number, and the ID of a number. */
  called?: string | undefined;
  number_id?: string | undefined;
}

export interface LookedUp {
  switches: string[] | null;
  /** Calls with the prefix, as far as an index scan of them is short. */
  hits: number;
  /** First and last day with a call of this Call-ID. */
  days: [first: string, last: string] | null;
  /** Holdings of the called number, over time. */
  holdings: { id: string; organisation_id: string }[] | null;
  /** Organisation of the number with the ID. */
  holder: string | null;
}

/** Everything that a search needs to know before its scan, in one round trip. */
export function lookUpStatement(scope: CallScope, times: Times, named: Named): Statement {
  const { name, prefix, sip_call_id, called, number_id } = named;
  const values: unknown[] = [];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const columns = {
    switches: name !== undefined && `array(select s.id from switches s where s.name = ${bind(name, "text")})`,
    hits: prefix !== undefined && hitsOf(bind, scope, times, prefix),
    days:
      sip_call_id !== undefined &&
      `(select array[min(d.day)::text, max(d.day)::text] from days_of_call_id(${bind(sip_call_id, "text")}) d having count(*) > 0)`,
    holdings:
      called !== undefined &&
      `(select json_agg(json_build_object('id', h.id, 'organisation_id', h.organisation_id)) from holdings h
        where h.number_id = (select n.id from numbers n
          where n.environment = ${bind(scope.environment, "text")} and n.e164 = ${bind(called, "text")}))`,
    holder:
      number_id !== undefined &&
      `(select h.organisation_id from holdings h where h.id = ${bind(number_id, "uuid")})`,
  };
  const list = Object.entries(columns).map(
    ([column, sql]) => `${sql || (column === "hits" ? "0" : "null")} as ${column}`,
  );
  return { text: `select ${list.join(", ")}`, values };
}

function hitsOf(bind: Bind, scope: CallScope, times: Times, prefix: string): string {
  const own = ownOf(bind, scope)("p");
  const during = timesOf(bind, times, "p");
  const hits = prefixConditions(bind, prefix).map(
    (condition) =>
      `(select p.id from call_parties p where ${own} and ${condition}${during} limit ${PREFIX_HITS + 1})`,
  );
  return `(select count(*)::integer from (${hits.join(" union all ")}) h)`;
}

import type { App } from "../../app.ts";
import type { OrganisationScope } from "../../platform/db/database.ts";
import type { Page } from "../../platform/http/page.ts";
import { searchedBy } from "./calls.search.rules.ts";
import type { CallSearch } from "./calls.search.schema.ts";
import {
  type CallFilters,
  callPageStatement,
  type FoundCalls,
  lookUpStatement,
  PREFIX_HITS,
} from "./calls.search.store.ts";
import { edgesOf, positionOf } from "./calls.ts";

/** Maximum numbers of rows that a page scans, which keep its cost within five times that of a plain list of 50. */
const BOUNDS = { rows: 4_000, lookups: 1_000 };
/** For pages of any size: a scan is longer than its page. */
const boundsOf = (limit: number): typeof BOUNDS => ({
  rows: BOUNDS.rows,
  lookups: Math.max(BOUNDS.lookups, limit + 1),
});
const NOTHING: FoundCalls = { data: "[]", last: null };

/** Calls of all numbers, newest first, written as JSON by the database. */
export async function searchCalls(
  { db }: Pick<App, "db">,
  scope: OrganisationScope,
  given: CallSearch,
  page: Page & { bounds?: typeof BOUNDS },
): Promise<FoundCalls> {
  const { q, from: _from, to: _to, switch: name, ...rest } = given;
  const { prefix, sip_call_id } = q === undefined ? {} : searchedBy(q);
  if (sip_call_id !== undefined && (rest.sip_call_id ?? sip_call_id) !== sip_call_id) return NOTHING;
  const { from, to } = edgesOf(given);
  const filters: CallFilters = {
    ...rest,
    ...(sip_call_id !== undefined && { sip_call_id }),
    ...(from && { from }),
    ...(to && { to }),
  };
  const after = positionOf(page);
  const { switches, hits } = await lookUp(db, scope, { filters, after }, { name, prefix });
  if (switches?.length === 0) return NOTHING;
  const { text, values } = callPageStatement(scope, {
    filters: {
      ...filters,
      ...(switches && { switchIds: switches }),
      ...(prefix !== undefined && { prefix: { text: prefix, isRare: hits <= PREFIX_HITS } }),
    },
    after,
    limit: page.limit,
    bounds: page.bounds ?? boundsOf(page.limit),
  });
  const [row] = await db.forOrganisation.readPlanned<FoundCalls>(scope, text, values);
  return row!;
}

async function lookUp(
  db: App["db"],
  scope: OrganisationScope,
  query: Parameters<typeof lookUpStatement>[1],
  wanted: { name: string | undefined; prefix: string | undefined },
): Promise<{ switches: string[] | null; hits: number }> {
  if (wanted.name === undefined && wanted.prefix === undefined) return { switches: null, hits: 0 };
  const { text, values } = lookUpStatement(scope, query, wanted);
  const [row] = await db.forOrganisation.readPlanned<{ switches: string[] | null; hits: number }>(
    scope,
    text,
    values,
  );
  return row!;
}

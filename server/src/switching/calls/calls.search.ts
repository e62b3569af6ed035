import type { App } from "../../app.ts";
import type { OrganisationScope } from "../../platform/db/database.ts";
import type { Page } from "../../platform/http/page.ts";
import { edgesOf } from "../../platform/http/window.ts";
import { SHOWN_CALL } from "./calls.json.store.ts";
import { type LookedUp, lookUpStatement, type Named } from "./calls.search.lookups.store.ts";
import { searchedBy } from "./calls.search.rules.ts";
import type { CallSearch } from "./calls.search.schema.ts";
import {
  ALL,
  type CallFilters,
  callPageStatement,
  type CallQuery,
  type CallScope,
  type FoundCalls,
  PREFIX_HITS,
} from "./calls.search.store.ts";
import { positionOf } from "./calls.ts";

/** Maximum numbers of rows that a page scans, which keep its cost within five times that of a plain list of 50. */
const BOUNDS = { rows: 4_000, lookups: 1_000 };
/** For pages of any size: a scan is longer than its page. */
const boundsOf = (limit: number): typeof BOUNDS => ({
  rows: BOUNDS.rows,
  lookups: Math.max(BOUNDS.lookups, limit + 1),
});
const NOTHING: FoundCalls = { data: "[]", last: null };
const DAY_MS = 86_400_000;

/** Calls of all numbers, newest first, written as JSON by the database. */
export async function searchCalls(
  { db }: Pick<App, "db">,
  scope: OrganisationScope,
  given: CallSearch,
  page: Page & { bounds?: typeof BOUNDS },
): Promise<FoundCalls> {
  return findCalls((text, values) => db.forOrganisation.readPlanned(scope, text, values), {
    scope: { organisationId: scope.organisationId, environment: scope.environment },
    view: { json: SHOWN_CALL, hasNotServed: false },
    given,
    page,
  });
}

type Read = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

interface Search {
  scope: CallScope;
  view: CallQuery["view"];
  given: Omit<CallSearch, "result"> & { result?: string; called?: string };
  page: Page & { bounds?: typeof BOUNDS };
}

export async function findCalls(read: Read, { scope, view, given, page }: Search): Promise<FoundCalls> {
  const { q, from: _from, to: _to, switch: name, called, ...rest } = given;
  const { prefix, sip_call_id = rest.sip_call_id }: ReturnType<typeof searchedBy> =
    q === undefined ? {} : searchedBy(q);
  if (rest.sip_call_id !== undefined && sip_call_id !== rest.sip_call_id) return NOTHING;
  const isOfAll = scope.organisationId === ALL;
  const times = { filters: edgesOf(given), after: positionOf(page) };
  const found = await lookUp(read, scope, times, {
    name,
    sip_call_id,
    called,
    // No index finds a prefix in the calls of all organisations.
    prefix: isOfAll ? undefined : prefix,
    number_id: isOfAll ? rest.number_id : undefined,
  });
  const { switches, hits, days, holder } = found;
  const holdings = (found.holdings ?? []).filter(
    ({ organisation_id: id }) => isOfAll || id === scope.organisationId,
  );
  const isOfNumber = isOfAll && rest.number_id !== undefined;
  if (
    switches?.length === 0 ||
    (sip_call_id !== undefined && !days) ||
    (isOfNumber && !holder) ||
    (called !== undefined && holdings.length === 0 && !isOfAll && scope.organisationId !== null)
  )
    return NOTHING;
  const filters: CallFilters = {
    ...rest,
    ...(days ? withinDays(times.filters, days) : times.filters),
    ...(sip_call_id !== undefined && { sip_call_id }),
    ...(called !== undefined && { called: { text: called, holdings } }),
    ...(switches && { switchIds: switches }),
    ...(prefix !== undefined && { prefix: { text: prefix, isRare: !isOfAll && hits <= PREFIX_HITS } }),
  };
  const { text, values } = callPageStatement({
    scope: isOfNumber ? { ...scope, organisationId: holder } : scope,
    filters,
    after: times.after,
    limit: page.limit,
    bounds: page.bounds ?? boundsOf(page.limit),
    view,
  });
  const [row] = await read<FoundCalls>(text, values);
  return row!;
}

async function lookUp(
  read: Read,
  scope: CallScope,
  times: Parameters<typeof lookUpStatement>[1],
  named: Named,
): Promise<LookedUp> {
  if (Object.values(named).every((one) => one === undefined))
    return { switches: null, hits: 0, days: null, holdings: null, holder: null };
  const { text, values } = lookUpStatement(scope, times, named);
  const [row] = await read<LookedUp>(text, values);
  return row!;
}

type Edges = Pick<CallFilters, "from" | "to">;

/** The look-up of a Call-ID names its days, so that the scan reads the partitions of these days only. */
function withinDays({ from, to }: Edges, [first, last]: readonly [string, string]): Required<Edges> {
  const [start, end] = [Date.parse(first), Date.parse(last) + DAY_MS];
  return {
    from: new Date(Math.max(start, from?.getTime() ?? start)),
    to: new Date(Math.min(end, to?.getTime() ?? end)),
  };
}

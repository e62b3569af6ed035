import type { App } from "../../app.ts";
import { notFound } from "../../platform/api-error.ts";
import type { Page } from "../../platform/http/page.ts";
import { findCallOfAll } from "./calls.detail.store.ts";
import { SHOWN_OPERATOR_CALL } from "./calls.json.store.ts";
import type { OperatorCallDetail, OperatorCallsQuery } from "./calls.operator.schema.ts";
import { findCalls } from "./calls.search.ts";
import { ALL, type CallScope, type FoundCalls } from "./calls.search.store.ts";

type Filters = Omit<OperatorCallsQuery, "limit" | "cursor">;

/** Calls of all organisations, and those that matched no number. Newest first. */
export async function searchAllCalls(
  { db }: Pick<App, "db">,
  { organisation_id, unmatched, environment = "live", result, ...given }: Filters,
  page: Page,
): Promise<FoundCalls> {
  if (unmatched && organisation_id !== undefined) return { data: "[]", last: null };
  return findCalls((text, values) => db.forSystem.readPlanned("operator", text, values), {
    scope: { environment, organisationId: unmatched ? null : (organisation_id ?? ALL) } satisfies CallScope,
    view: { json: SHOWN_OPERATOR_CALL, hasNotServed: true },
    given: { ...given, ...(result && { result }) },
    page,
  });
}

export async function getCallOfAll({ db }: Pick<App, "db">, id: string): Promise<OperatorCallDetail> {
  const call = await findCallOfAll(db, id);
  if (!call) throw notFound("call_not_found");
  return call;
}

import type { App } from "../../app.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { notFound } from "../../platform/api-error.ts";
import { edgesOf } from "../../platform/http/window.ts";
import type { OrganisationScope } from "../../platform/db/database.ts";
import { findCall } from "./calls.detail.store.ts";
import type { CallDetail, CallsWindow } from "./calls.schema.ts";
import type { CallPosition } from "./calls.json.store.ts";
import { findCallPage } from "./calls.store.ts";

export { takeRecords } from "./calls.records.ts";

/** Calls of one number, newest first, written as JSON by the database. */
export async function listCalls(
  { db }: Pick<App, "db">,
  actor: Actor,
  of: CallsWindow & { numberId: string },
  page: Page,
): Promise<{ data: string; last: string | null }> {
  const { is_known, data, last } = await findCallPage(db, actor, {
    numberId: of.numberId,
    ...edgesOf(of),
    after: positionOf(page),
    limit: page.limit,
  });
  if (!is_known) throw notFound("number_not_found");
  return { data, last };
}

/** Everything known about one call. */
export async function getCall(
  { db }: Pick<App, "db">,
  scope: OrganisationScope,
  id: string,
): Promise<CallDetail> {
  const call = await findCall(db, scope, id);
  if (!call) throw notFound("call_not_found");
  return call;
}

export function positionOf({ after }: Page): CallPosition | undefined {
  const [startedAt, switchId, id] = after?.split("/") ?? [];
  return startedAt && switchId && id ? { startedAt, switchId, id } : undefined;
}

import type { App } from "../../app.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { ApiError } from "../../platform/api-error.ts";
import { momentIn } from "../usage/usage.ts";
import type { CallsWindow } from "./calls.schema.ts";
import { findCallPage } from "./calls.store.ts";

export { takeRecords } from "./calls.records.ts";

/** Calls of one number, newest first, written as JSON by the database. */
export async function listCalls(
  { db }: Pick<App, "db">,
  actor: Actor,
  of: CallsWindow & { numberId: string },
  page: Page,
): Promise<{ data: string; last: string | null }> {
  const [startedAt, switchId, id] = page.after?.split("/") ?? [];
  const after = startedAt && switchId && id ? { startedAt, switchId, id } : undefined;
  const { is_known, data, last } = await findCallPage(db, actor, {
    numberId: of.numberId,
    ...edgesOf(of),
    after,
    limit: page.limit,
  });
  if (!is_known) throw new ApiError("number_not_found", "There is no such thing here.");
  return { data, last };
}

/** PostgreSQL has no year 0; there were no calls in it either. */
const FIRST = Date.UTC(1970, 0, 1);

function edgesOf({ from, to }: CallsWindow): { from: Date | undefined; to: Date | undefined } {
  const edge = (at: number): Date => new Date(Math.max(FIRST, at));
  return {
    from: from === undefined ? undefined : edge(momentIn({ from }, "from")),
    to: to === undefined ? undefined : edge(momentIn({ to }, "to")),
  };
}

import type { App } from "../../app.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { Actor, Role } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { lockChanges } from "../../events/events/events.ts";
import { newId } from "../../platform/ids.ts";
import type { ChangeView, CreateView } from "./views.schema.ts";
import {
  deleteView as deleteRow,
  hasRoom,
  insertView,
  listViewsAfter,
  lockView,
  MOST_VIEWS,
  setView,
  type ViewRow,
} from "./views.store.ts";

export type { ViewRow };

/** Roles that manage the views of the organisation. */
const SHARERS: readonly (Role | null)[] = ["owner", "admin", "developer"];

/** Filters under a name. They change nothing but pages of the dashboard, so they leave no events. */
export async function listViews(
  { db }: Pick<App, "db">,
  actor: Actor,
  page: string | undefined,
  at: Page,
): Promise<ViewRow[]> {
  const of = { userId: userOf(actor), page };
  return db.forOrganisation(actor, (tx) => listViewsAfter(tx, of, at.after, at.limit));
}

export async function createView(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  { page, name, query, is_shared: isShared = false }: CreateView,
): Promise<ViewRow> {
  if (isShared) rejectSharing(actor);
  const at = clock.now();
  const user_id = isShared ? null : userOf(actor);
  await rejectWithoutRoom(tx, user_id);
  const row: ViewRow = { id: newId(), page, name, query, user_id, created_at: at, updated_at: at };
  await insertView(tx, row).catch(rejectTakenName);
  return row;
}

export async function changeView(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  { id, is_shared: isShared, ...change }: ChangeView & { id: string },
): Promise<ViewRow> {
  const before = await lockedView(tx, actor, id);
  const wasShared = before.user_id === null;
  if (wasShared || isShared) rejectSharing(actor);
  const isMoved = isShared !== undefined && isShared !== wasShared;
  const user_id = isMoved ? (isShared ? null : userOf(actor)) : before.user_id;
  if (isMoved) await rejectWithoutRoom(tx, user_id);
  const after: ViewRow = { ...before, ...change, user_id, updated_at: clock.now() };
  await setView(tx, after).catch(rejectTakenName);
  return after;
}

export async function deleteView(tx: OrganisationTx, actor: Actor, id: string): Promise<void> {
  const { user_id } = await lockedView(tx, actor, id);
  if (user_id === null) rejectSharing(actor);
  await deleteRow(tx, id);
}

async function lockedView(tx: OrganisationTx, actor: Actor, id: string): Promise<ViewRow> {
  const row = await lockView(tx, userOf(actor), id);
  if (!row) throw notFound("view_not_found");
  return row;
}

function userOf({ caller }: Actor): string {
  if (caller.kind !== "session") throw new Error("Only sessions have views.");
  return caller.userId;
}

function rejectSharing({ role }: Actor): void {
  if (!SHARERS.includes(role))
    throw new ApiError("view_sharing_not_allowed", `Your role is ${role ?? "unknown"}.`);
}

async function rejectWithoutRoom(tx: OrganisationTx, userId: string | null): Promise<void> {
  // Two concurrent changes must not take the same slot.
  await lockChanges(tx, [tx.organisationId]);
  if (await hasRoom(tx, userId)) return;
  const owner = userId === null ? "The organisation has" : "You have";
  throw new ApiError("view_limit_reached", `${owner} ${MOST_VIEWS} views. Delete one first.`);
}

function rejectTakenName(error: unknown): never {
  if (violatedConstraint(error) !== "views_by_name") throw error;
  throw new ApiError("view_name_taken", "Another view of this page has this name.", {
    errors: [{ pointer: "#/name", code: "taken", detail: "Another view of this page has this name." }],
  });
}

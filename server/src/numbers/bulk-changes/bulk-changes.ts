import type { App } from "../../app.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { listMatchingIds, type NumberFilter, tidyTags } from "../numbers/numbers.ts";
import { destinationFault, destinationOf, rejectDestination, rejectModes } from "../routing/routing.ts";
import { type Change, type Outcome, rejectedFor, type Status, statusAt } from "./bulk-changes.rules.ts";
import type { PlanBulkChange } from "./bulk-changes.schema.ts";
import {
  type BulkChangeRow,
  findBulkChange,
  insertBulkChange,
  insertItems,
  type ShownItemRow,
  listBulkChangesBefore,
  listItemsAfter,
  setApplying,
  setSelection,
} from "./bulk-changes.store.ts";

export type { BulkChangeRow, ShownItemRow };

/** Queue task that wakes the worker. */
export const APPLY_BULK_CHANGE = "bulk-changes.apply";

const LIFETIME_MS = 86_400_000;
const MOST_NUMBERS = 50_000;

/** Small enough for a statement's time limit on a busy machine. */
const PAGE = 2_000;

/** Looks up the names in a plan, so that it finds them known. */
export async function foreseePlan(
  app: Pick<App, "config" | "names">,
  { change }: PlanBulkChange,
): Promise<void> {
  if (change.routing) await destinationFault(app, destinationOf(change.routing));
}

/** Stores the planned changes and the generation of each number. Changes no number. */
export async function planBulkChange(
  tx: OrganisationTx,
  app: Pick<App, "clock" | "config" | "names">,
  actor: Actor,
  wanted: PlanBulkChange,
): Promise<BulkChangeRow> {
  const change = changeOf(wanted.change);
  if ("routing" in change) await rejectDestination(tx, app, change.routing, "#/change/routing");
  const author = authorOf(actor.caller, actor.origin);
  const now = app.clock.now();
  const id = newId();
  await insertBulkChange(tx, {
    id,
    change,
    reason: wanted.reason ?? wanted.change.routing?.reason ?? null,
    created_by_kind: author.actor_kind,
    created_by_id: author.actor_id,
    created_by_name: author.actor_name,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFETIME_MS),
  });
  const row = await setSelection(tx, id, await addItems(tx, id, wanted.select));
  await recordChange(tx, author, now, {
    type: "bulk_change.planned",
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: id,
    data: { change: Object.keys(change)[0], total: row.total },
  });
  return row;
}

export async function getBulkChange(
  { db }: Pick<App, "db">,
  actor: Actor,
  id: string,
): Promise<BulkChangeRow> {
  return (await db.forOrganisation(actor, (tx) => findBulkChange(tx, id))) ?? noSuchBulkChange();
}

export async function hasBulkChange(tx: OrganisationTx, id: string): Promise<boolean> {
  return (await findBulkChange(tx, id)) !== undefined;
}

export async function listBulkChanges(
  { db }: Pick<App, "db">,
  actor: Actor,
  page: Page,
): Promise<BulkChangeRow[]> {
  return db.forOrganisation(actor, (tx) => listBulkChangesBefore(tx, page.after, page.limit));
}

export async function listBulkChangeItems(
  { db }: Pick<App, "db">,
  actor: Actor,
  of: { id: string; outcome: Outcome | undefined },
  page: Page,
): Promise<ShownItemRow[]> {
  return db.forOrganisation(actor, async (tx) => {
    if (!(await findBulkChange(tx, of.id))) noSuchBulkChange();
    return listItemsAfter(tx, of.id, of.outcome, page);
  });
}

/** Starts a plan. The worker then completes it, and it cannot be started again. */
export async function applyBulkChange(
  tx: OrganisationTx,
  app: Pick<App, "clock" | "jobs">,
  actor: Actor,
  id: string,
): Promise<BulkChangeRow> {
  const plan = (await findBulkChange(tx, id)) ?? noSuchBulkChange();
  rejectChange(actor, plan.change);
  const now = app.clock.now();
  const started = await setApplying(tx, id, now);
  if (!started) throw notPlanned(statusAt(plan, now));
  await app.jobs.enqueue(tx, APPLY_BULK_CHANGE, { id });
  await recordChange(tx, authorOf(actor.caller, actor.origin), now, {
    type: "bulk_change.started",
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: id,
    data: { total: started.total },
  });
  return started;
}

/** Rejects callers without permission for a change, both at planning and at starting. `change` is unvalidated input. */
export function rejectChange(actor: Actor, change: unknown): void {
  const given = (typeof change === "object" && change) || {};
  for (const name of ["routing", "tags", "release_lock"] as const) {
    if (!(name in given)) continue;
    const denied = rejectedFor(actor, name);
    if (denied === "caller_kind_not_allowed")
      throw new ApiError(denied, `An API key cannot change ${name}. Sign in as a user.`);
    if (denied)
      throw new ApiError(denied, `Changing ${name} needs the role owner or admin.`, {
        members: { roles: ["owner", "admin"] },
      });
  }
  rejectModes(actor, (given as { routing?: unknown }).routing);
}

async function addItems(
  tx: OrganisationTx,
  id: string,
  select: PlanBulkChange["select"],
): Promise<{ total: number; missing: string[] }> {
  const ids = select.ids
    ? [...new Set(select.ids.map((one) => one.toLowerCase()))]
    : await allMatchingIds(tx, select.filter ?? {});
  const found = new Set<string>();
  for (let from = 0; from < ids.length; from += PAGE)
    for (const one of await insertItems(tx, id, ids.slice(from, from + PAGE))) found.add(one);
  return { total: found.size, missing: ids.filter((one) => !found.has(one)) };
}

async function allMatchingIds(tx: OrganisationTx, filter: NumberFilter): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const page = await listMatchingIds(tx, filter, ids.at(-1), PAGE);
    ids.push(...page);
    if (ids.length > MOST_NUMBERS) throw tooLarge();
    if (page.length < PAGE) return ids;
  }
}

function changeOf({ routing, tags, release_lock }: PlanBulkChange["change"]): Change {
  if (routing) return { routing: destinationOf(routing) };
  if (tags) return { tags: { add: tidyTags(tags.add ?? []), remove: tidyTags(tags.remove ?? []) } };
  return { release_lock: release_lock! };
}

function notPlanned(status: Status): ApiError {
  const detail =
    status === "expired"
      ? "The plan has expired. Create a new plan."
      : "The bulk change has already started. Get it to see its progress.";
  return new ApiError("bulk_change_not_planned", detail);
}

function tooLarge(): ApiError {
  return new ApiError(
    "bulk_change_too_large",
    `A bulk change holds ${MOST_NUMBERS} numbers at most. Narrow the filter.`,
  );
}

function noSuchBulkChange(): never {
  throw notFound("bulk_change_not_found");
}

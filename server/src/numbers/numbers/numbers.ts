import type { App } from "../../app.ts";
import type { OrganisationScope, OrganisationTx } from "../../platform/db/database.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { JsonPage, Page } from "../../platform/http/page.ts";
import { changedMetadata } from "../../platform/http/metadata.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { lookedUpFor, numberFiltersOf } from "./numbers.filters.ts";
import { type NumberPageRow, numberPageStatement } from "./numbers.list.store.ts";
import { tidyTags } from "./numbers.rules.ts";
import type { ChangeNumber, NumberListFilters } from "./numbers.schema.ts";
import { findLiveGroup } from "./numbers.stock.store.ts";
import {
  findNumberJson,
  type HoldingRow,
  lockHolding,
  numberStatement,
  OPEN_NUMBER,
  setHolding,
} from "./numbers.store.ts";

export { csvLine } from "./numbers.csv.ts";
export { NUMBER_TYPES, parseNumber } from "./numbers.e164.ts";
export { importNumbers } from "./numbers.import.ts";
export {
  endRouting,
  findRouteStanding,
  type HeldNumber,
  listHoldingsToAlign,
  lockNumber,
  moveNumber,
  type RouteStanding,
  suspendHolding,
  WITH_ORGANISATION,
} from "./numbers.lifecycle.ts";
export { addMagicNumbers } from "./numbers.magic.ts";
export { changePlannedNumbers, listMatchingIds } from "./numbers.many.ts";
export { tidyTags } from "./numbers.rules.ts";
export { Flapping, Label, NumberFilter, Tag } from "./numbers.schema.ts";
export { addHoldings } from "./numbers.stock.ts";
export { suspendNumber } from "./numbers.suspension.ts";
export { stockNumbers } from "./numbers.stocking.ts";
export type { AddedHolding } from "./numbers.stock.store.ts";

/** `query` is unvalidated input. A plain member cannot see routing, and must not infer it through filters. */
export function rejectHiddenFilters(actor: Actor, query: unknown): void {
  const { mode, sync, health, connection_id, destination } = query as Record<string, unknown>;
  const filters = [mode, sync, health, connection_id, destination];
  if (!seesRouting(actor) && filters.some((filter) => filter !== undefined))
    throw roleNeeded("A filter on routing", ["owner", "admin", "developer"]);
}

/** `change` is unvalidated input. */
export function rejectLocking({ role }: Actor, change: unknown): void {
  const isWanted = typeof change === "object" && change !== null && "release_lock" in change;
  if (isWanted && role !== "owner" && role !== "admin") throw roleNeeded("release_lock", ["owner", "admin"]);
}

/** A page of what the organisation has, written as JSON by the database. */
export async function listNumbers(
  { db }: Pick<App, "db">,
  actor: Actor,
  given: NumberListFilters,
  page: Page & { isCounted?: boolean },
): Promise<JsonPage> {
  rejectHiddenFilters(actor, given);
  const { sort = "acquired_at", ...filters } = given;
  const [e164, id] = page.after?.split("/") ?? [];
  const read = <Row>(text: string, values: unknown[]) => db.forOrganisation.read<Row>(actor, text, values);
  const { text, values } = numberPageStatement(actor, {
    filters: numberFiltersOf(filters, {
      ...(await lookedUpFor(read, actor, filters)),
      seesRouting: seesRouting(actor),
    }),
    sort,
    after: e164 && id ? { e164, id } : undefined,
    limit: page.limit,
    showsRouting: seesRouting(actor),
    isCounted: page.isCounted === true,
  });
  const [row] = await read<NumberPageRow>(text, values);
  const { data, last_id, last_e164, total } = row!;
  return {
    data,
    last: last_id && `${last_e164}/${last_id}`,
    total: total ? { count: total[0], isMinimum: total[1] } : undefined,
  };
}

export async function getNumber({ db }: Pick<App, "db">, actor: Actor, id: string): Promise<string> {
  const [row] = await db.forOrganisation.read<{ json: string }>(actor, numberStatement(seesRouting(actor)), [
    actor.organisationId,
    actor.environment,
    id,
  ]);
  if (!row) throw noSuchNumber();
  return row.json;
}

/** ID of the organisation's open number with these digits, quarantined ones included. */
export async function findNumberId(
  { db }: Pick<App, "db">,
  scope: OrganisationScope,
  e164: string,
): Promise<string | undefined> {
  const [row] = await db.forOrganisation.read<{ id: string }>(scope, OPEN_NUMBER, [
    scope.organisationId,
    scope.environment,
    e164,
  ]);
  return row?.id;
}

export async function hasNumber(tx: OrganisationTx, id: string): Promise<boolean> {
  return (await findNumberJson(tx, id)) !== undefined;
}

/** A change without effect records nothing. */
export async function changeNumber(
  tx: OrganisationTx,
  app: Pick<App, "clock">,
  actor: Actor,
  { id, ...wanted }: ChangeNumber & { id: string },
): Promise<string> {
  rejectLocking(actor, wanted);
  const row = await lockHolding(tx, id);
  if (!row) throw noSuchNumber();
  if (!row.is_held)
    throw new ApiError(
      "number_not_active",
      `The number is ${row.status}. Only numbers that your organisation holds can be changed.`,
    );
  const changed = changesOf(row, wanted);
  if (Object.keys(changed).length > 0) {
    const now = app.clock.now();
    await setHolding(tx, { ...row, ...changed }, now);
    await recordChange(tx, authorOf(actor.caller, actor.origin), now, {
      type: "number.changed",
      organisationId: tx.organisationId,
      environment: tx.environment,
      subject: id,
      data: changed,
      before: picked(row, changed),
      after: changed,
    });
  }
  return (await findNumberJson(tx, id))!;
}

export async function isLiveGroup({ db }: Pick<App, "db">, name: string): Promise<boolean> {
  return db.forSystem("stock", (tx) => findLiveGroup(tx, name));
}

type NumberChange = Omit<ChangeNumber, "metadata"> & { metadata?: Record<string, string> };

/** The same fields of a row. */
function picked(row: HoldingRow, fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, row[name as keyof NumberChange]]));
}

function changesOf(row: HoldingRow, { label, tags, metadata, release_lock }: ChangeNumber): NumberChange {
  const tidy = {
    ...(label !== undefined && { label: label?.trim() ?? null }),
    ...(tags && { tags: tidyTags(tags) }),
    ...(metadata && { metadata: changedMetadata(row.metadata, metadata) }),
    ...(release_lock !== undefined && { release_lock }),
  };
  return Object.fromEntries(
    Object.entries(tidy).filter(
      ([name, value]) => JSON.stringify(row[name as keyof NumberChange]) !== JSON.stringify(value),
    ),
  );
}

function seesRouting({ role }: Actor): boolean {
  return role !== "member";
}

function roleNeeded(what: string, roles: readonly string[]): ApiError {
  return new ApiError("role_not_allowed", `${what} requires the role ${roles.join(" or ")}.`, {
    members: { roles },
  });
}

function noSuchNumber(): ApiError {
  return notFound("number_not_found");
}

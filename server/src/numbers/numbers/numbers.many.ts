import type { App } from "../../app.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/api-error.ts";
import type { Change } from "../../events/events/events.ts";
import { lookedUpFor, numberFiltersOf } from "./numbers.filters.ts";
import { type DescribedHolding, listIds, lockHoldings } from "./numbers.many.store.ts";
import type { NumberFilter } from "./numbers.schema.ts";
import { setHolding } from "./numbers.store.ts";

/** Which numbers a list with these filters shows someone who may read routing, after an ID; fewer than the limit only where there are no more. */
export async function listMatchingIds(
  tx: OrganisationTx,
  filters: NumberFilter,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const lookedUp = await lookedUpFor((text, values) => tx.query(text, values), tx, filters);
  const wanted = numberFiltersOf(filters, { ...lookedUp, seesRouting: true });
  const found: string[] = [];
  for (let from = after; ;) {
    const { ids, reached } = await listIds(tx, wanted, from, limit - found.length);
    found.push(...ids);
    if (reached === undefined) return found;
    from = reached;
  }
}

export type NumberDescription = Pick<DescribedHolding, "tags" | "release_lock">;

/** Planned change of one number, which applies only if the fields to change still have their planned values. */
export interface PlannedNumber {
  numberId: string;
  from: NumberDescription;
  to: Partial<NumberDescription>;
}

/**
 * Changes many numbers. Returns an outcome for each, and the changes for `recordChanges`, which locks the
 * organisation's event head and so comes last in the transaction.
 */
export async function changePlannedNumbers(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  planned: readonly PlannedNumber[],
): Promise<{ outcomes: PlannedOutcome[]; changes: Change[] }> {
  const rows = await lockHoldings(
    tx,
    planned.map(({ numberId }) => numberId),
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  const outcomes = planned.map((one) => outcomeOf(found.get(one.numberId), one));
  const changed = planned.filter((_, place) => outcomes[place] === "set");
  const at = clock.now();
  await Promise.all(
    changed.map(({ numberId, to }) => setHolding(tx, { ...found.get(numberId)!, ...to }, at)),
  );
  const changes = changed.map(({ numberId, to }) => ({
    type: "number.changed" as const,
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: numberId,
    data: to,
    before: beforeOf(found.get(numberId)!, to),
    after: { ...to },
  }));
  return { outcomes, changes };
}

function beforeOf(row: DescribedHolding, to: PlannedNumber["to"]): Record<string, unknown> {
  return Object.fromEntries(Object.keys(to).map((name) => [name, row[name as keyof NumberDescription]]));
}

type PlannedOutcome = "set" | "unchanged" | "stale" | ApiError;

function outcomeOf(row: DescribedHolding | undefined, { from, to }: PlannedNumber): PlannedOutcome {
  if (!row)
    return new ApiError("number_not_found", "No number with this ID in this organisation and environment.");
  if (!row.is_held) return new ApiError("number_not_active", `The number is ${row.status}.`);
  const names = Object.keys(to) as (keyof NumberDescription)[];
  if (names.some((name) => !isEqual(row[name], from[name]))) return "stale";
  return names.every((name) => isEqual(row[name], to[name])) ? "unchanged" : "set";
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

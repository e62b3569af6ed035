import type { App } from "../../app.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Author } from "../audit/audit.ts";
import { recordChange } from "../events/events.ts";
import type { NumberFilters } from "./numbers.list.store.ts";
import { type DescribedHolding, listIds, lockHoldings } from "./numbers.many.store.ts";
import { searchTermsOf } from "./numbers.rules.ts";
import type { NumberFilter } from "./numbers.schema.ts";
import { setHolding } from "./numbers.store.ts";

/** Which numbers a list with these filters would show, after an id; fewer than the limit only where there are no more. */
export async function listMatchingIds(
  tx: OrganisationTx,
  { q, ...filters }: NumberFilter,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const wanted = { ...(filters as NumberFilters), ...(q !== undefined && { terms: searchTermsOf(q) }) };
  const found: string[] = [];
  for (let from = after; ;) {
    const { ids, reached } = await listIds(tx, wanted, from, limit - found.length);
    found.push(...ids);
    if (reached === undefined) return found;
    from = reached;
  }
}

export type NumberDescription = Pick<DescribedHolding, "tags" | "release_lock">;

/** What was planned for many, each only while what is to be changed is as it was then. */
export interface PlannedNumber {
  numberId: string;
  from: NumberDescription;
  to: Partial<NumberDescription>;
}

export async function changePlannedNumbers(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  author: Author,
  planned: readonly PlannedNumber[],
): Promise<("set" | "unchanged" | "stale" | Refusal)[]> {
  const rows = await lockHoldings(
    tx,
    planned.map(({ numberId }) => numberId),
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  const at = clock.now();
  return Promise.all(
    planned.map(async ({ numberId, from, to }) => {
      const row = found.get(numberId);
      if (!row) return new Refusal("number_not_found", "There is no such number here.");
      if (!row.is_held) return new Refusal("number_not_active", `The number is ${row.status}.`);
      const names = Object.keys(to) as (keyof NumberDescription)[];
      if (names.some((name) => !isEqual(row[name], from[name]))) return "stale";
      if (names.every((name) => isEqual(row[name], to[name]))) return "unchanged";
      await setHolding(tx, { ...row, ...to }, at);
      await recordChange(tx, author, at, {
        type: "number.changed",
        organisationId: tx.organisationId,
        environment: tx.environment,
        subject: numberId,
        data: to,
      });
      return "set";
    }),
  );
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

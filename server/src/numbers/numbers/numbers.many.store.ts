import type { OrganisationTx } from "../../platform/db/database.ts";
import { type NumberFilters, numberIdsStatement } from "./numbers.list.store.ts";

/** In the order of their ids, after one of them; `reached` where the walk ended before there were enough. */
export async function listIds(
  tx: OrganisationTx,
  filters: NumberFilters,
  after: string | undefined,
  limit: number,
): Promise<{ ids: string[]; reached: string | undefined }> {
  const { text, values } = numberIdsStatement(tx, { filters, after, limit });
  const rows = await tx.query<{ id: string; is_found: boolean }>(text, values);
  return {
    ids: rows.filter((row) => row.is_found).map(({ id }) => id),
    reached: rows.find((row) => !row.is_found)?.id,
  };
}

export interface DescribedHolding {
  id: string;
  status: string;
  is_held: boolean;
  label: string | null;
  tags: string[];
  metadata: Record<string, string>;
  release_lock: boolean;
}

/** In one order, so that two who lock several never wait for each other; one by one, which no guess of the planner's makes slow. */
export async function lockHoldings(tx: OrganisationTx, ids: readonly string[]): Promise<DescribedHolding[]> {
  return tx.query<DescribedHolding>(
    `select h.* from (select id from unnest($3::uuid[]) id order by id) wanted
     cross join lateral (
       select id, status, is_held, label, tags, metadata, release_lock from holdings
       where organisation_id = $1 and environment = $2 and id = wanted.id limit 1 for no key update) h`,
    [tx.organisationId, tx.environment, ids],
  );
}

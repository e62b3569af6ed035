import type { OrganisationTx, Tx } from "../../platform/db/database.ts";
import { shownNumber } from "./numbers.list.store.ts";

/** A number as it is shown, as JSON text; also one that was released long ago. */
export function numberStatement(showsRouting: boolean): string {
  return `select ${shownNumber(showsRouting)}::text as json
    from holdings h where h.organisation_id = $1 and h.environment = $2 and h.id = $3`;
}

export async function findNumberJson(tx: OrganisationTx, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ json: string }>(numberStatement(true), [
    tx.organisationId,
    tx.environment,
    id,
  ]);
  return row?.json;
}

export interface HoldingRow {
  id: string;
  organisation_id: string;
  e164: string;
  status: string;
  is_held: boolean;
  label: string | null;
  tags: string[];
  metadata: Record<string, string>;
  release_lock: boolean;
}

export async function lockHolding(tx: OrganisationTx, id: string): Promise<HoldingRow | undefined> {
  const [row] = await tx.query<HoldingRow>(
    `select id, organisation_id, e164, status, is_held, label, tags, metadata, release_lock from holdings
     where organisation_id = $1 and environment = $2 and id = $3 for no key update`,
    [tx.organisationId, tx.environment, id],
  );
  return row;
}

export async function setHolding(
  tx: OrganisationTx,
  row: Pick<HoldingRow, "id" | "label" | "tags" | "metadata" | "release_lock">,
  at: Date,
): Promise<void> {
  await tx.query(
    `update holdings set label = $4, tags = $5, release_lock = $6, updated_at = $7, metadata = $8
     where organisation_id = $1 and environment = $2 and id = $3`,
    [tx.organisationId, tx.environment, row.id, row.label, row.tags, row.release_lock, at, row.metadata],
  );
}

/** Publishes the number's effective route to the switches. It locks the shard until the commit, so call it last. */
export async function publishRoute(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query("select publish_route($1, $2)", [id, at]);
}

/** At most one holding of a number is open. The list of statuses lets one index answer. */
export const OPEN_NUMBER = `select id from holdings where organisation_id = $1 and environment = $2
  and status in ('active', 'suspended', 'releasing', 'quarantined') and e164 = $3 limit 1`;

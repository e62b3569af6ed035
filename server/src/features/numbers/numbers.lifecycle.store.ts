import type { Environment, OrganisationScope, Tx } from "../../platform/db/database.ts";

export interface HeldNumber {
  id: string;
  e164: string;
  status: NumberStatus;
  release_lock: boolean;
  carrier: string | null;
  restore_until: Date | null;
}

export type NumberStatus = "active" | "suspended" | "releasing" | "quarantined" | "released";

/** Its routing first: whoever sets that holds its row before anything that this would keep from them. */
export async function lockNumber(
  tx: Tx,
  { organisationId, environment }: OrganisationScope,
  id: string,
): Promise<HeldNumber | undefined> {
  const where = [organisationId, environment, id];
  await tx.query(
    "select from routings where organisation_id = $1 and environment = $2 and holding_id = $3 for update",
    where,
  );
  const [row] = await tx.query<HeldNumber>(
    `select id, e164, status, release_lock, carrier, restore_until from holdings
     where organisation_id = $1 and environment = $2 and id = $3 for no key update`,
    where,
  );
  return row;
}

export interface NumberMove {
  from: NumberStatus;
  to: NumberStatus;
  at: Date;
}

/** False where the number is no longer in the first state. */
export async function setNumberStatus(
  tx: Tx,
  { organisationId, environment }: OrganisationScope,
  id: string,
  { from, to, at }: NumberMove,
): Promise<boolean> {
  const set = await tx.query(
    `update holdings set status = $5, updated_at = $6
     where organisation_id = $1 and environment = $2 and id = $3 and status = $4 returning 1`,
    [organisationId, environment, id, from, to, at],
  );
  return set.length === 1;
}

/** The same for what only the system's door may write: until when it can come back, and when it was gone. */
export async function setNumberRest(
  tx: Tx,
  { organisationId, environment }: OrganisationScope,
  id: string,
  {
    from,
    to,
    at,
    restoreUntil,
    releasedAt,
  }: NumberMove & { restoreUntil: Date | null; releasedAt: Date | null },
): Promise<boolean> {
  const set = await tx.query(
    `update holdings set status = $5, updated_at = $6, restore_until = $7, released_at = $8
     where organisation_id = $1 and environment = $2 and id = $3 and status = $4 returning 1`,
    [organisationId, environment, id, from, to, at, restoreUntil, releasedAt],
  );
  return set.length === 1;
}

/**
 * Between active and suspended, over all organisations: for the operator. Nothing where it is neither, or is so already.
 * The routing is locked first: whoever sets it holds that row while waiting for the rest.
 */
export async function setSuspension(
  tx: Tx,
  { id, isSuspended, reason, at }: { id: string; isSuspended: boolean; reason: string | null; at: Date },
): Promise<{ organisation_id: string; environment: Environment; e164: string } | undefined> {
  await tx.query("select from routings where holding_id = $1 for update", [id]);
  const [row] = await tx.query<{ organisation_id: string; environment: Environment; e164: string }>(
    `update holdings set status = $2, status_reason = $4, updated_at = $5 where id = $1 and status = $3
     returning organisation_id, environment, e164`,
    [id, ...(isSuspended ? ["suspended", "active"] : ["active", "suspended"]), reason, at],
  );
  return row;
}

export type RouteStanding = "settled" | "pending" | "unreachable";

export async function findRouteStanding(tx: Tx, id: string): Promise<RouteStanding> {
  const [row] = await tx.query<{ standing: RouteStanding }>("select route_standing($1) as standing", [id]);
  return row!.standing;
}

export async function endRouting(tx: Tx, id: string, author: string, at: Date): Promise<void> {
  await tx.query("select end_routing($1, $2, $3)", [id, { kind: "system", name: author }, at]);
}

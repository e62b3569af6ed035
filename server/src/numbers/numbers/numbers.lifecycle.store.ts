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

/** Locks the routing first, like transactions that set a routing. The other order could deadlock with them. */
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

export interface Suspending {
  id: string;
  isSuspended: boolean;
  reason: string | null;
  at: Date;
  /** Resumes the number only if it was suspended for this reason. */
  ifReason?: string | undefined;
}

/** The reason of numbers that are suspended with their organisation. Only these are resumed with it. */
export const WITH_ORGANISATION = "organisation_suspended";

/**
 * Suspends or resumes a number of any organisation, for the operator. Returns undefined if the number is in another
 * state. A number that was suspended with its organisation takes the new reason, so that it stays suspended when the
 * organisation is resumed. The routing is locked first, because changes of routing hold that row while they wait for
 * the holding.
 */
export async function setSuspension(
  tx: Tx,
  { id, isSuspended, reason, at, ifReason }: Suspending,
): Promise<{ organisation_id: string; environment: Environment; e164: string } | undefined> {
  await tx.query("select from routings where holding_id = $1 for update", [id]);
  const from = isSuspended
    ? `(status = 'active' or (status = 'suspended' and status_reason = '${WITH_ORGANISATION}' and status_reason is distinct from $3))`
    : "status = 'suspended' and ($5::text is null or status_reason = $5)";
  const [row] = await tx.query<{ organisation_id: string; environment: Environment; e164: string }>(
    `update holdings set status = $2, status_reason = $3, updated_at = $4 where id = $1 and ${from}
     returning organisation_id, environment, e164`,
    [id, isSuspended ? "suspended" : "active", reason, at, ...(isSuspended ? [] : [ifReason ?? null])],
  );
  return row;
}

/** Live numbers of an organisation that are not yet suspended with it, or not yet resumed. */
export async function listHoldingsToAlign(
  tx: Tx,
  organisationId: string,
  isSuspended: boolean,
  limit: number,
): Promise<string[]> {
  const which = isSuspended
    ? "status = 'active'"
    : `status = 'suspended' and status_reason = '${WITH_ORGANISATION}'`;
  const rows = await tx.query<{ id: string }>(
    `select id from holdings where organisation_id = $1 and environment = 'live' and ${which} order by id limit $2`,
    [organisationId, limit],
  );
  return rows.map(({ id }) => id);
}

export interface HeldByRow {
  id: string;
  e164: string;
  status: NumberStatus;
  status_reason: string | null;
  acquired_at: Date;
  organisation_id: string;
  organisation_name: string;
}

const HELD_BY = `h.id, h.e164, h.status, case when h.status = 'suspended' then h.status_reason end as status_reason,
  h.acquired_at, o.id as organisation_id, o.name as organisation_name
  from holdings h join organisations o on o.id = h.organisation_id
  where h.environment = 'live' and h.is_held`;

export interface HeldFilters {
  e164?: string | undefined;
  organisationId?: string | undefined;
  status?: NumberStatus | undefined;
}

/** Live numbers of all organisations: for the operator. */
export async function listHeldAfter(
  tx: Tx,
  { e164, organisationId, status }: HeldFilters,
  after: string | undefined,
  limit: number,
): Promise<HeldByRow[]> {
  return tx.query<HeldByRow>(
    `select ${HELD_BY} and ($1::text is null or h.number_id = (select id from numbers where environment = 'live' and e164 = $1))
       and ($2::uuid is null or h.organisation_id = $2) and ($3::text is null or h.status = $3)
       and ($4::uuid is null or h.id > $4) order by h.id limit $5`,
    [e164 ?? null, organisationId ?? null, status ?? null, after ?? null, limit + 1],
  );
}

/** Finds the live number with these digits in any organisation, for the operator. */
export async function findHeldBy(tx: Tx, e164: string): Promise<HeldByRow | undefined> {
  const [row] = await tx.query<HeldByRow>(
    `select ${HELD_BY} and h.number_id = (select id from numbers where environment = 'live' and e164 = $1)`,
    [e164],
  );
  return row;
}

export async function findHeldById(tx: Tx, id: string): Promise<HeldByRow | undefined> {
  const [row] = await tx.query<HeldByRow>(`select ${HELD_BY} and h.id = $1`, [id]);
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

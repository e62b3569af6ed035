import type { OrganisationScope, Tx } from "../../platform/db/database.ts";
import type { Author } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import {
  endRouting,
  findRouteStanding,
  type HeldNumber,
  listHoldingsToAlign,
  lockNumber,
  type NumberMove,
  type RouteStanding,
  setNumberRest,
  setNumberStatus,
  setSuspension,
  type Suspending,
  WITH_ORGANISATION,
} from "./numbers.lifecycle.store.ts";
import { publishRoute } from "./numbers.store.ts";

/** Status changes of a number. Releases decide about them. */
export {
  endRouting,
  findRouteStanding,
  type HeldNumber,
  listHoldingsToAlign,
  lockNumber,
  type RouteStanding,
  WITH_ORGANISATION,
};

/**
 * Moves a number from one status to another and publishes its effective route. It locks the shard until the commit,
 * so call it last. It throws if the number is not in the first status, because the caller has locked and checked it.
 */
export async function moveNumber(
  tx: Tx,
  of: OrganisationScope,
  id: string,
  move: NumberMove & { rest?: { restoreUntil: Date | null; releasedAt: Date | null } },
): Promise<void> {
  const isMoved = move.rest
    ? await setNumberRest(tx, of, id, { ...move, ...move.rest })
    : await setNumberStatus(tx, of, id, move);
  if (!isMoved) throw new Error(`The number is not ${move.from}.`);
  // Does not publish an unchanged route, because callers would have to wait for the switches again.
  if (reportOf(move.from) !== reportOf(move.to)) await publishRoute(tx, id, move.at);
}

/** Effective route of a number by status, like effective_route(). */
function reportOf(status: NumberMove["from"]): string {
  if (status === "active") return "as desired";
  if (status === "quarantined") return "nowhere, and they are the operator's";
  return status === "released" ? "nothing" : "nowhere";
}

/**
 * Stops the calls of an active number, for a reason its holder can read, or lets those of a suspended one continue. Its
 * desired routing stays as it is, and so does a number that is neither. Locks the shard until the commit, so it comes last.
 */
export async function suspendHolding(
  tx: Tx,
  author: Author,
  holding: Omit<Suspending, "reason"> & { reason?: string | undefined },
): Promise<boolean> {
  const { id, isSuspended, reason, at } = holding;
  const row = await setSuspension(tx, { ...holding, reason: reason ?? null });
  if (!row) return false;
  await recordChange(tx, author, at, {
    type: isSuspended ? "number.suspended" : "number.resumed",
    organisationId: row.organisation_id,
    environment: row.environment,
    subject: id,
    data: { e164: row.e164, ...(reason !== undefined && { reason }) },
  });
  await publishRoute(tx, id, at);
  return true;
}

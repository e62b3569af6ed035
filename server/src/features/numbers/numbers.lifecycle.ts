import type { OrganisationScope, Tx } from "../../platform/db/database.ts";
import type { Author } from "../audit/audit.ts";
import { recordChange } from "../events/events.ts";
import {
  endRouting,
  findRouteStanding,
  type HeldNumber,
  lockNumber,
  type NumberMove,
  type RouteStanding,
  setNumberRest,
  setNumberStatus,
  setSuspended,
} from "./numbers.lifecycle.store.ts";
import { publishRoute } from "./numbers.store.ts";

/** What becomes of a number as a whole; what leads there is decided by releases. */
export { endRouting, findRouteStanding, type HeldNumber, lockNumber, type RouteStanding };

/**
 * Moves a number from one status to another and tells the switches what that means for its calls. Locks the shard
 * until the commit, so it comes last. Throws where the number is not in the first status: whoever moves it has locked
 * it and looked.
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
  // Switches that know the right thing already are not told again: whoever waits for them would wait anew.
  if ((move.from === "active") !== (move.to === "active") || move.to === "released")
    await publishRoute(tx, id, move.at);
}

/** Stops the calls of an active number, for a reason its holder can read; any other is left as it is. */
export async function suspendHolding(
  tx: Tx,
  author: Author,
  { id, reason, at }: { id: string; reason: string; at: Date },
): Promise<void> {
  const row = await setSuspended(tx, { id, reason, at });
  if (!row) return;
  await recordChange(tx, author, at, {
    type: "number.suspended",
    organisationId: row.organisation_id,
    environment: row.environment,
    subject: id,
    data: { e164: row.e164, reason },
  });
  await publishRoute(tx, id, at);
}

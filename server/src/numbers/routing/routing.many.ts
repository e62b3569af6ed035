import type { App } from "../../app.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import { newId } from "../../platform/ids.ts";
import type { ApiError } from "../../platform/api-error.ts";
import type { Author } from "../../events/audit/audit.ts";
import { decideRoutingRows, setRoutingRows } from "./routing.many.store.ts";
import { errorOf } from "./routing.outcomes.ts";
import type { Destination } from "./routing.rules.ts";

export interface DecidedRoutings {
  /** One per item, in the order given. */
  outcomes: ("set" | "unchanged" | ApiError)[];
  toSet: string[];
  /** Unchanged, but the switches do not have it: publish it again. */
  toPublishAgain: string[];
}

/**
 * Decides what setting one destination does to many numbers, each only if it is still at its planned generation. The
 * numbers stay locked until the transaction ends.
 */
export async function decideRoutings(
  tx: OrganisationTx,
  plan: { desired: Destination; fault: string | undefined },
  items: readonly { numberId: string; generation: number }[],
): Promise<DecidedRoutings> {
  const rows = await decideRoutingRows(tx, items, plan.desired, plan.fault !== undefined);
  const byId = new Map(rows.map((row) => [row.number_id, row]));
  const outcomes = items.map(({ numberId }) => {
    const { outcome, generation } = byId.get(numberId)!;
    if (outcome === "set" || outcome === "unchanged") return outcome;
    return outcome === "publish_again" ? "unchanged" : errorOf(outcome, generation, plan.fault);
  });
  const idsWith = (wanted: string): string[] =>
    rows.filter(({ outcome }) => outcome === wanted).map((row) => row.number_id);
  return { outcomes, toSet: idsWith("set"), toPublishAgain: idsWith("publish_again") };
}

/**
 * Sets and publishes what was decided. Locks shards that all organisations share until the transaction ends, so call it
 * last. Returns how long it waited for locks.
 */
export async function publishRoutings(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  plan: { desired: Destination; author: Author; reason: string },
  { toSet, toPublishAgain }: DecidedRoutings,
): Promise<{ waitedMs: number }> {
  if (toSet.length + toPublishAgain.length === 0) return { waitedMs: 0 };
  const { actor_kind, actor_id, actor_name, request_id, address } = plan.author;
  return setRoutingRows(tx, {
    numberIds: toSet,
    again: toPublishAgain,
    desired: plan.desired,
    author: {
      kind: actor_kind,
      id: actor_id,
      name: actor_name,
      request_id,
      address,
      reason: plan.reason,
    },
    eventIds: toSet.map(newId),
    auditIds: toSet.map(newId),
    at: clock.now(),
  });
}

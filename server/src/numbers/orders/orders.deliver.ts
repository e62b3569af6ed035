import { beginDeliveries, deliverNumbers, recordDelivered } from "../deliveries/deliveries.ts";
import type { Tx } from "../../platform/db/database.ts";
import { holdJob } from "../jobs/jobs.ts";
import { carrierOf, type Change, type Moved, moveItems, type Turn } from "./orders.claim.ts";

/** Marks new numbers whose items are complete only when the carrier delivers them as desired. */
export async function withDelivery(tx: Tx, turn: Turn, changes: readonly Change[]): Promise<Change[]> {
  const ids = changes.flatMap(({ step, number_id }) => (step === "active" && number_id ? [number_id] : []));
  const pending = await beginDeliveries(tx, carrierOf(turn), ids, turn.app.clock.now());
  return changes.map((change) =>
    change.number_id && pending.has(change.number_id) ? { ...change, is_delivered: false } : change,
  );
}

/** Delivers the numbers of an order to the trunks of their switch groups, and reads them back. */
export async function deliverOrder(turn: Turn): Promise<Moved> {
  const { app, job, order } = turn;
  const items = order.items.filter(({ step, is_delivered }) => step === "active" && !is_delivered);
  const carrier = carrierOf(turn);
  if (!carrier) return { order, waits: [{ kind: "deliver" }, "carrier_not_connected"] };
  await holdJob(app, job);
  const ids = items.map(({ number_id }) => number_id!);
  // A carrier that cannot deliver any longer has nothing to confirm.
  const delivered = carrier.delivery ? await deliverNumbers(app, carrier.delivery, ids) : [];
  const waits = new Map(
    delivered.flatMap(({ observation, waits: reason }) => (reason ? [[observation.holding_id, reason]] : [])),
  );
  const moved = await moveItems(turn, async (tx) => {
    await recordDelivered(tx, delivered, app.clock.now());
    return items
      .filter(({ number_id }) => !waits.has(number_id!))
      .map(({ position }): Change => ({ position, step: "active", is_delivered: true }));
  });
  const [reason] = waits.values();
  return { order: moved, ...(reason && { waits: [{ kind: "deliver" }, reason] }) };
}

import type { Tx } from "../../platform/db/database.ts";
import { newId } from "../../platform/ids.ts";
import { ApiError } from "../../platform/api-error.ts";
import { type AddedHolding, addHoldings, parseNumber } from "../numbers/numbers.ts";
import { decideRoutings, type Destination, destinationFault, publishRoutings } from "../routing/routing.ts";
import { withDelivery } from "./orders.deliver.ts";
import { NOT_AVAILABLE } from "./orders.errors.ts";
import type { ItemRow } from "./orders.store.ts";
import { authorOfOrder, type Change, type Moved, moveItems, sideOf, type Turn } from "./orders.claim.ts";

/** Adds bought numbers to the organisation. A number that has another holder is returned to the carrier. */
export async function activateNumbers(turn: Turn): Promise<Moved> {
  const bought = turn.order.items.filter(({ step }) => step === "bought");
  const order = await moveItems(turn, async (tx) => {
    const added = await hold(tx, turn, bought);
    const changes = bought.map(({ position, e164 }): Change => {
      const { id, outcome } = added.get(e164!)!;
      if (outcome === "added") return { position, step: "active", number_id: id };
      return outcome === "undone"
        ? { position, step: "bought" }
        : { position, step: "returning", return_reference: newId(), ...NOT_AVAILABLE };
    });
    return withDelivery(tx, turn, changes);
  });
  return { order };
}

type Held = Pick<AddedHolding, "id"> & { outcome: AddedHolding["outcome"] | "undone" };

class NotAllHeld extends Error {
  readonly added: readonly AddedHolding[];
  constructor(added: readonly AddedHolding[]) {
    super("Not all of the numbers can be held.");
    this.added = added;
  }
}

/** If the order wants all or nothing and one number cannot be added, none is. */
async function hold(tx: Tx, turn: Turn, items: readonly ItemRow[]): Promise<ReadonlyMap<string, Held>> {
  const { app, order } = turn;
  try {
    const added = await tx.attempt(async (inner) => {
      const all = await addHoldings(inner, authorOfOrder(turn), app.clock.now(), {
        ...sideOf(order),
        source: "order",
        orderId: order.id,
        carrier: order.carrier,
        numbers: items.map(({ e164 }) => newNumber(turn, e164!)),
      });
      if (order.all_or_nothing && all.some(({ outcome }) => outcome !== "added")) throw new NotAllHeld(all);
      return all;
    });
    return new Map(added.map((one) => [one.e164, one]));
  } catch (error) {
    if (!(error instanceof NotAllHeld)) throw error;
    return new Map(
      error.added.map((one) => [one.e164, one.outcome === "added" ? { ...one, outcome: "undone" } : one]),
    );
  }
}

function newNumber({ order: { label, tags } }: Turn, e164: string) {
  const parsed = parseNumber(e164);
  const { country, type } = "fault" in parsed ? { country: null, type: "other" } : parsed;
  return { e164, country, type, tags, ...(label !== null && { label }) };
}

/**
 * Sets the ordered routing, with the orderer as author. It sets a routing only at its first generation: later ones
 * were set before a crash or by another client. Failures are recorded on the item.
 */
export async function routeNumbers(turn: Turn): Promise<Moved> {
  const { app, order } = turn;
  const items = order.items.filter(({ step, is_routed }) => step === "active" && !is_routed);
  const desired = order.routing as Destination;
  const fault = await destinationFault(app, desired);
  const reason = order.routing_reason ?? `Order ${order.id}`;
  const plan = { desired, fault, author: authorOfOrder(turn), reason };
  const due = items.map((item) => ({ numberId: item.number_id!, generation: 1 }));
  const { outcomes } = await app.db.forOrganisation(sideOf(order), async (tx) => {
    const decided = await decideRoutings(tx, plan, due);
    await publishRoutings(tx, app, plan, decided);
    return decided;
  });
  const changes = items.map(({ position }, at): Change => {
    const outcome = outcomes[at]!;
    const isRejected = outcome instanceof ApiError && outcome.code !== "generation_mismatch";
    return {
      position,
      step: "active",
      is_routed: true,
      ...(isRejected && { error_code: outcome.code, error_detail: outcome.message }),
    };
  });
  return { order: await moveItems(turn, async () => changes) };
}

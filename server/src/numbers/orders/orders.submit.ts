import { CarrierFault, type CarrierOrder } from "../carriers/carrier.ts";
import type { Tx } from "../../platform/db/database.ts";
import { newId } from "../../platform/ids.ts";
import { reservationsOf } from "../reservations/reservations.ts";
import { holdJob, rejectLate } from "../jobs/jobs.ts";
import { INCOMPLETE, NOT_AVAILABLE } from "./orders.errors.ts";
import { settlePurchase } from "./orders.settle.ts";
import { type ItemRow, type Order, submitItems } from "./orders.store.ts";
import {
  carrierOf,
  type Change,
  queryCarrier,
  lostChange,
  type Moved,
  moveItems,
  sideOf,
  type Turn,
  underWay,
} from "./orders.claim.ts";

/** Records the purchase with its reference before it sends the request to the carrier. */
export async function submitPurchase(turn: Turn): Promise<Moved> {
  const reference = newId();
  const since = turn.app.clock.now();
  if (!carrierOf(turn)) return { order: turn.order, waits: [{ kind: "submit" }, "carrier_not_connected"] };
  const order = await moveItems(turn, (tx) => claim(tx, turn.order, reference));
  if (underWay(order, reference).length === 0) return { order };
  const next = { ...turn, order };
  return settlePurchase(next, reference, await buy(next, reference, { since, isFirst: true }));
}

/**
 * Resumes a purchase after a crash, a timeout or a pending response. It queries the status, and repeats the order if
 * the carrier does not know it or not all its numbers.
 */
export async function askForPurchase(turn: Turn, reference: string): Promise<Moved> {
  const { app, job, order } = turn;
  const ordering = carrierOf(turn)?.ordering;
  const asked = { kind: "ask", reference } as const;
  if (!ordering) return { order, waits: [asked, "carrier_not_connected"] };
  const known = await queryCarrier(turn, () => ordering.orderStatus(sideOf(order), reference));
  if (known instanceof CarrierFault) {
    // That the question was rejected says nothing of the purchase.
    const isUnheard = known.kind === "not_sent";
    return { order, waits: [asked, isUnheard ? "carrier_unreachable" : "carrier_unknown"] };
  }
  if (known && namesAll(known, underWay(order, reference))) return settlePurchase(turn, reference, known);
  // Still ours? One question and one order may take as long as another worker waits.
  const since = await holdJob(app, job);
  const answer = await buy(turn, reference, { since });
  // A known status stays valid. A failed repetition gives no information about the other numbers.
  return settlePurchase(turn, reference, known && answer instanceof CarrierFault ? known : answer);
}

function namesAll({ items }: CarrierOrder, wanted: readonly ItemRow[]): boolean {
  const named = new Set(items.map(({ e164 }) => e164));
  return wanted.every(({ e164 }) => named.has(e164!));
}

async function buy(
  turn: Turn,
  reference: string,
  { since, isFirst }: { since: Date; isFirst?: true },
): Promise<CarrierOrder | CarrierFault> {
  const { app, order } = turn;
  const e164s = underWay(order, reference).map(({ e164 }) => e164!);
  const reservations = await ownReservations(turn, e164s);
  rejectLate(app, since);
  return queryCarrier(turn, () =>
    carrierOf(turn)!.ordering.order(sideOf(order), {
      reference,
      e164s,
      reservations,
      ...(isFirst && { isFirst }),
    }),
  );
}

/** Numbers that are chosen by criteria are free; others may be put aside for the organisation itself. */
async function ownReservations({ app, order }: Turn, e164s: readonly string[]): Promise<string[]> {
  if (order.reservation_id) return [order.reservation_id];
  return order.criteria ? [] : reservationsOf(app, sideOf(order), e164s);
}

class NotAll extends Error {
  readonly claimed: ReadonlySet<number>;
  constructor(claimed: ReadonlySet<number>) {
    super("Not all numbers are available.");
    this.claimed = claimed;
  }
}

/** Claims numbers, so that only one of several concurrent orders sends a number to the carrier. */
async function claim(tx: Tx, order: Order, reference: string): Promise<Change[]> {
  const chosen = order.items.filter(({ step }) => step === "chosen");
  try {
    return await tx.attempt(async (inner) => {
      const claimed = new Set(await submitItems(inner, order, reference));
      if (order.all_or_nothing && !order.criteria && claimed.size < chosen.length) throw new NotAll(claimed);
      return chosen.map((item): Change =>
        claimed.has(item.position)
          ? { position: item.position, step: "submitted", reference, isWritten: true }
          : lostChange(order, item, NOT_AVAILABLE),
      );
    });
  } catch (error) {
    if (!(error instanceof NotAll)) throw error;
    return chosen.map(({ position }) => ({
      position,
      step: "refused",
      ...(error.claimed.has(position) ? INCOMPLETE : NOT_AVAILABLE),
    }));
  }
}

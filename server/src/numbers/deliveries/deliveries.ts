import type { App } from "../../app.ts";
import { CarrierFault, type Delivery, type OrderingCarrier } from "../carriers/carrier.ts";
import type { Tx } from "../../platform/db/database.ts";
import {
  type DeliveryRow,
  insertObservations,
  listDeliveriesFrom,
  listDeliveriesOf,
  type Observation,
  repairsDelivery,
  syncDesired,
} from "./deliveries.store.ts";

export { repairsDelivery };

type Needs = Pick<App, "db" | "clock">;

/**
 * Begins the delivery of numbers that were just bought. Returns those that are complete only when the carrier has
 * confirmed their trunk: none if the carrier cannot deliver, or if their switch groups have no trunk there.
 */
export async function beginDeliveries(
  tx: Tx,
  carrier: OrderingCarrier | undefined,
  ids: readonly string[],
  at: Date,
): Promise<ReadonlySet<string>> {
  if (!carrier?.delivery || ids.length === 0) return new Set();
  await syncDesired(tx, carrier.name, { ids, first: "pending", at });
  const rows = await listDeliveriesOf(tx, ids);
  return new Set(rows.filter(({ status }) => status === "pending").map(({ holding_id }) => holding_id));
}

/** Follows a change of the trunks of a carrier. Numbers that are delivered elsewhere become `drifting`. */
export async function followTrunks(tx: Tx, carrier: string, at: Date): Promise<void> {
  await syncDesired(tx, carrier, { ids: null, first: "unknown", at });
}

/** Result of a delivery: its observation, and the reason to wait if it is not confirmed. */
export interface Delivered {
  observation: Observation;
  waits?: string;
}

/** How many numbers are delivered at the same time. */
const AT_ONCE = 10;

/**
 * Delivers numbers to their desired trunks and reads each one back. Numbers that are no longer held, and those
 * without a desired trunk, are missing in the result.
 */
export async function deliverNumbers(
  { db }: Needs,
  delivery: Delivery,
  ids: readonly string[],
): Promise<Delivered[]> {
  const rows = await db.forSystem("jobs", (tx) => listDeliveriesOf(tx, ids));
  const wanted = rows.filter(({ desired, status }) => desired !== null && status !== "in_sync");
  const delivered: Delivered[] = [];
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const some = wanted.slice(at, at + AT_ONCE);
    delivered.push(...(await Promise.all(some.map((row) => deliverNumber(delivery, row)))));
  }
  return delivered;
}

const WAITS = {
  refused: "delivery_refused",
  not_sent: "carrier_unreachable",
  unknown: "carrier_unknown",
} as const;

async function deliverNumber(
  delivery: Delivery,
  { holding_id, e164, desired }: DeliveryRow,
): Promise<Delivered> {
  const unread = { holding_id, trunk: null, is_read: false, is_pending: true };
  try {
    await delivery.deliver({ e164, trunk: desired! });
    const state = await delivery.deliveryOf(e164);
    // A new number may be missing in the carrier's list for a while.
    if (!state) return { observation: { ...unread, error: null }, waits: "delivery_pending" };
    const observation = { ...unread, trunk: state.trunk, is_read: true, error: null };
    return { observation, ...(state.trunk !== desired && { waits: "delivery_pending" }) };
  } catch (error) {
    if (!(error instanceof CarrierFault)) throw error;
    const isRejection = error.kind === "refused";
    return {
      observation: { ...unread, error: isRejection ? error.message.slice(0, 500) : null },
      waits: WAITS[error.kind],
    };
  }
}

export async function recordDelivered(tx: Tx, delivered: readonly Delivered[], at: Date): Promise<void> {
  await insertObservations(
    tx,
    delivered.map(({ observation }) => observation),
    at,
  );
}

/** A number that the carrier delivers elsewhere. */
export interface Misdelivered {
  e164: string;
  holdingId: string;
  found: string | null;
  expected: string;
}

/** Compares the carrier's list with the desired trunks, and records it. */
export async function compareDeliveries(
  { db, clock }: Needs,
  carrier: string,
  delivery: Delivery,
): Promise<Misdelivered[]> {
  await db.forSystem("reconcile", (tx) => followTrunks(tx, carrier, clock.now()));
  const before = await db.forSystem("reconcile", (tx) => listDeliveriesFrom(tx, carrier));
  if (before.length === 0) return [];
  const listed = await listAll(delivery);
  const read = before.filter(({ e164 }) => listed.has(e164));
  await db.forSystem("reconcile", async (tx) => {
    const observations = read.map(({ holding_id, e164 }) => ({
      holding_id,
      trunk: listed.get(e164)!,
      is_read: true,
      is_pending: false,
      error: null,
    }));
    await insertObservations(tx, observations, clock.now());
  });
  return read.flatMap(({ holding_id, e164, desired }) => {
    const found = listed.get(e164) ?? null;
    return found === desired ? [] : [{ e164, holdingId: holding_id, found, expected: desired! }];
  });
}

async function listAll(delivery: Delivery): Promise<Map<string, string | null>> {
  const listed = new Map<string, string | null>();
  let after: string | undefined;
  do {
    const page = await delivery.listDeliveries(after);
    for (const { e164, trunk } of page.numbers) listed.set(e164, trunk);
    after = page.next;
  } while (after !== undefined);
  return listed;
}

/**
 * Reads one number at the carrier, and delivers it to its desired trunk. Returns `outdated` if it is delivered there
 * already, or is no longer to be delivered.
 */
export async function repairDelivery(
  app: Needs,
  delivery: Delivery,
  holdingId: string,
): Promise<"repaired" | "outdated" | "refused"> {
  const [row] = await app.db.forSystem("reconcile", (tx) => listDeliveriesOf(tx, [holdingId]));
  if (!row || row.desired === null) return "outdated";
  const state = await delivery.deliveryOf(row.e164);
  const isThere = state?.trunk === row.desired;
  const delivered = isThere ? [] : [await deliverNumber(delivery, row)];
  const observation = { holding_id: holdingId, is_pending: false, error: null };
  const read = isThere ? [{ observation: { ...observation, trunk: row.desired, is_read: true } }] : delivered;
  await app.db.forSystem("reconcile", (tx) => recordDelivered(tx, read, app.clock.now()));
  if (isThere) return "outdated";
  const [{ waits } = {}] = delivered;
  if (waits === undefined) return "repaired";
  if (waits === "delivery_refused") return "refused";
  throw new CarrierFault("unknown", "The carrier has not confirmed the delivery.");
}

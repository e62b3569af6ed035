import type { Tx } from "../../platform/db/database.ts";

export interface DeliveryRow {
  holding_id: string;
  e164: string;
  desired: string | null;
  applied: string | null;
  status: "pending" | "in_sync" | "drifting" | "failed" | "unsupported" | "unknown";
}

/** One result of a query to the carrier. */
export interface Observation {
  holding_id: string;
  /** Trunk that the carrier reported, if it was read. */
  trunk: string | null;
  is_read: boolean;
  /** Whether the number is still to be delivered. */
  is_pending: boolean;
  error: string | null;
}

/** Updates the desired trunks of a carrier's numbers, of all of them without `ids`. */
export async function syncDesired(
  tx: Tx,
  carrier: string,
  { ids, first, at }: { ids: readonly string[] | null; first: "pending" | "unknown"; at: Date },
): Promise<void> {
  await tx.query("select sync_deliveries($1, $2, $3, $4)", [carrier, ids, first, at]);
}

export async function insertObservations(
  tx: Tx,
  observations: readonly Observation[],
  at: Date,
): Promise<void> {
  await tx.query("select record_deliveries($1, $2)", [JSON.stringify(observations), at]);
}

const ROWS = `select d.holding_id, h.e164, d.desired, d.applied, d.status from deliveries d
  join holdings h on h.organisation_id = d.organisation_id and h.environment = d.environment and h.id = d.holding_id`;

/** Only numbers that are still held: others have nothing to deliver. */
export async function listDeliveriesOf(tx: Tx, ids: readonly string[]): Promise<DeliveryRow[]> {
  return tx.query<DeliveryRow>(
    `${ROWS} where d.holding_id = any($1::uuid[]) and h.status in ('active', 'suspended')`,
    [ids],
  );
}

/** Numbers of a carrier that have a desired trunk and are not being bought or returned. */
export async function listDeliveriesFrom(tx: Tx, carrier: string): Promise<DeliveryRow[]> {
  return tx.query<DeliveryRow>(
    `${ROWS} where h.environment = 'live' and h.carrier = $1 and h.is_held and h.status in ('active', 'suspended')
       and d.desired is not null and d.status <> 'pending'`,
    [carrier],
  );
}

/** Whether reconciliation may repair deliveries at this carrier. */
export async function repairsDelivery(tx: Tx, carrier: string): Promise<boolean> {
  const [row] = await tx.query<{ repairs_delivery: boolean }>(
    "select repairs_delivery from carriers where name = $1",
    [carrier],
  );
  return row?.repairs_delivery ?? false;
}

import type { App } from "../../app.ts";
import { CarrierFault, type Inventory, rejectionText, type ReservedNumber } from "../carriers/carrier.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Actor, SessionCaller } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { spend } from "../../platform/limits/limits.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { answered, noInventory, numbersWanted } from "../inventory/inventory.ts";
import { type Status, statusAt } from "./reservations.rules.ts";
import type { CreateReservation } from "./reservations.schema.ts";
import {
  findReservation,
  insertReservation,
  listCarriersWith,
  listReservationsBefore,
  listReservationsWith,
  lockReservation,
  type ReservationRow,
  setReservationStatus,
} from "./reservations.store.ts";

export type Reservation = Omit<ReservationRow, "status"> & { status: Status };

const LIFETIME_MS = 30 * 60_000;

/**
 * Counted per request, because a carrier may hold numbers of a failed or cancelled reservation. Every purchase reads
 * all reservations of the carrier's account.
 */
export const RESERVED_NUMBERS = {
  name: "reserved_numbers",
  perWindow: 1_000,
  windowSeconds: LIFETIME_MS / 1_000,
};

/**
 * Reserves all numbers or none. The inventory comes first, because its reservation expires automatically if the
 * transaction fails.
 */
export async function createReservation(
  app: Pick<App, "db" | "clock" | "log" | "inventory">,
  actor: Actor & { caller: SessionCaller },
  { numbers }: CreateReservation,
): Promise<Reservation> {
  if (!app.inventory.isConnected()) throw noInventory();
  const inventory = app.inventory.of(actor.environment, numbersWanted(numbers));
  if (!inventory) throw notAvailable();
  const subject = `${actor.organisationId} ${actor.environment}`;
  await spend(app, actor.origin, { ...RESERVED_NUMBERS, subject, uses: numbers.length });
  const now = app.clock.now();
  const row: ReservationRow = {
    id: newId(),
    status: "active",
    carrier: inventory.name,
    numbers,
    created_by: actor.caller.userId,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFETIME_MS),
  };
  const wanted = { reference: row.id, e164s: numbers, until: row.expires_at };
  const reserved = await answered(inventory.reserve(actor, wanted).catch(rejectForGood));
  if (reserved.some(({ outcome }) => outcome === "not_available")) throw notAvailable();
  row.expires_at = earliest(row.expires_at, reserved);
  await app.db
    .forOrganisation(actor, async (tx) => {
      await insertReservation(tx, row);
      await recordChange(tx, authorOf(actor.caller, actor.origin), now, {
        type: "reservation.created",
        organisationId: tx.organisationId,
        environment: tx.environment,
        subject: row.id,
        data: { numbers, expires_at: row.expires_at.toISOString() },
      });
    })
    .catch(async (error: unknown) => {
      await cancelAtCarrier(app, inventory, row.id);
      throw error;
    });
  return row;
}

/** Unlike an outage, a rejection stays if the request is repeated. */
function rejectForGood(error: unknown): never {
  if (!(error instanceof CarrierFault) || error.kind !== "refused") throw error;
  throw new ApiError("carrier_refused", rejectionText("the reservation", error.said));
}

/** A carrier may hold a number for a shorter time than requested. */
function earliest(requested: Date, reserved: readonly ReservedNumber[]): Date {
  const ends = reserved.flatMap(({ until }) => (until === undefined ? [] : [Date.parse(until)]));
  return new Date(Math.min(requested.getTime(), ...ends));
}

export async function getReservation(
  app: Pick<App, "db" | "clock">,
  actor: Actor,
  id: string,
): Promise<Reservation> {
  const row = await app.db.forOrganisation(actor, (tx) => findReservation(tx, id));
  if (!row) throw noSuchReservation();
  return { ...row, status: statusAt(row, app.clock.now()) };
}

/** None while no inventory is connected. */
export async function listReservations(
  app: Pick<App, "db" | "clock" | "inventory">,
  actor: Actor,
  page: Page,
): Promise<Reservation[]> {
  if (!app.inventory.isConnected()) return [];
  const now = app.clock.now();
  const rows = await app.db.forOrganisation(actor, (tx) =>
    listReservationsBefore(tx, page.after, page.limit),
  );
  return rows.map((row) => ({ ...row, status: statusAt(row, now) }));
}

/** References under which these numbers may be put aside for the organisation itself. */
export async function reservationsOf(
  app: Pick<App, "db" | "clock">,
  side: Pick<Actor, "organisationId" | "environment">,
  e164s: readonly string[],
): Promise<string[]> {
  return app.db.forOrganisation(side, (tx) => listReservationsWith(tx, e164s, app.clock.now()));
}

/** Afterwards it holds nothing. One that is over already stays as it is: there is nothing left to cancel. */
export async function cancelReservation(
  app: Pick<App, "db" | "clock" | "log" | "inventory">,
  actor: Actor,
  id: string,
): Promise<void> {
  const now = app.clock.now();
  const row = await app.db.forOrganisation(actor, async (tx) => {
    const found = await lockReservation(tx, id);
    if (!found) throw noSuchReservation();
    if (statusAt(found, now) !== "active") return undefined;
    await setReservationStatus(tx, id, "cancelled");
    await recordChange(tx, authorOf(actor.caller, actor.origin), now, {
      type: "reservation.cancelled",
      organisationId: tx.organisationId,
      environment: tx.environment,
      subject: id,
      data: { numbers: found.numbers },
    });
    return found;
  });
  // Only once it is certain: the other way round, numbers of a reservation that still counts could be taken.
  const inventory = row && app.inventory.named(actor.environment, row.carrier);
  if (inventory) await cancelAtCarrier(app, inventory, id);
}

/** Carrier of a reservation of the organisation. Undefined if there is none with this ID. */
export async function carrierOfReservation(tx: OrganisationTx, id: string): Promise<string | undefined> {
  return (await findReservation(tx, id))?.carrier;
}

/** Carriers at which the organisation has reserved some of these numbers. */
export async function carriersOfReserved(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  e164s: readonly string[],
): Promise<string[]> {
  return listCarriersWith(tx, e164s, clock.now());
}

/** Used by the order that takes over the numbers. Ended, foreign and unknown reservations get the same error. */
export async function orderReservation(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  { id, carrier }: { id: string; carrier: string },
): Promise<Reservation> {
  const now = clock.now();
  const row = await lockReservation(tx, id);
  if (!row || row.carrier !== carrier || statusAt(row, now) !== "active")
    throw new ApiError(
      "reservation_not_active",
      "No active reservation with this ID in this organisation and environment.",
    );
  await setReservationStatus(tx, id, "ordered");
  await recordChange(tx, authorOf(actor.caller, actor.origin), now, {
    type: "reservation.ordered",
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: id,
    data: { numbers: row.numbers },
  });
  return { ...row, status: "ordered" };
}

/** Best effort: what cannot be returned now ends with its time. */
async function cancelAtCarrier(
  { log }: Pick<App, "log">,
  inventory: Inventory,
  reference: string,
): Promise<void> {
  await inventory.unreserve(reference).catch((error: unknown) => {
    log.warn({ err: error, reference }, "reservation could not be cancelled; it will expire");
  });
}

function notAvailable(): ApiError {
  return new ApiError("number_not_available", "Nothing was reserved: not all of the numbers are available.");
}

function noSuchReservation(): ApiError {
  return notFound("reservation_not_found");
}

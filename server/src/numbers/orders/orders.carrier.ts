import type { App } from "../../app.ts";
import type { OrderingCarrier } from "../carriers/carrier.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/api-error.ts";
import { numbersWanted } from "../inventory/inventory.ts";
import { carrierOfReservation, carriersOfReserved } from "../reservations/reservations.ts";
import type { PlaceOrder } from "./orders.schema.ts";
import { findCarrierState, shareCarrier } from "./orders.store.ts";

type Needs = Pick<App, "clock" | "carriers">;

/**
 * The carrier that holds the reserved numbers, or the preferred open carrier for their country and type. Numbers
 * that are chosen by criteria need a carrier that can be searched.
 */
export async function chooseCarrier(
  tx: OrganisationTx,
  app: Needs,
  body: PlaceOrder,
): Promise<OrderingCarrier> {
  const carrier = await preferredCarrier(tx, app, body);
  if (tx.environment === "live") await holdOpen(tx, carrier.name);
  return carrier;
}

async function preferredCarrier(
  tx: OrganisationTx,
  { clock, carriers }: Needs,
  { criteria, reservation_id, numbers = [] }: PlaceOrder,
): Promise<OrderingCarrier> {
  const open = carriers.openFor(tx.environment);
  if (reservation_id) {
    const name = await carrierOfReservation(tx, reservation_id.toLowerCase());
    return open.find((one) => one.name === name) ?? noReservation();
  }
  if (criteria) {
    const serving = carriers.openFor(tx.environment, [criteria]);
    return serving.find(({ inventory }) => inventory) ?? noCarrier({ isSearchable: serving.length === 0 });
  }
  const holding = await carriersOfReserved(tx, { clock }, numbers);
  const reserved = open.filter(({ name }) => holding.includes(name));
  if (reserved.length > 1)
    throw new ApiError(
      "no_carrier",
      "The numbers are reserved at different carriers. Order each reservation separately.",
    );
  return (
    reserved[0] ??
    carriers.openFor(tx.environment, numbersWanted(numbers))[0] ??
    noCarrier({ isSearchable: true })
  );
}

/** Keeps the carrier from being closed or drained until the order is stored. */
async function holdOpen(tx: OrganisationTx, name: string): Promise<void> {
  await shareCarrier(tx, name);
  const state = await findCarrierState(tx, name);
  // Carriers of the settings have no row.
  if (state !== undefined && state !== "open")
    throw new ApiError("unavailable", "The operator is changing the carriers. Retry.", {
      retryAfterSeconds: 5,
    });
}

function noReservation(): never {
  throw new ApiError(
    "reservation_not_active",
    "No active reservation with this ID in this organisation and environment.",
  );
}

function noCarrier({ isSearchable }: { isSearchable: boolean }): never {
  if (isSearchable)
    throw new ApiError("no_carrier", "No carrier of this installation sells all of these numbers.");
  throw new ApiError(
    "carrier_inventory_not_connected",
    "Orders go to a carrier that cannot be searched; order by numbers.",
  );
}

import { operation } from "../../app.ts";
import { ById } from "../../platform/http/shapes.ts";
import { inventoryRefusal } from "../inventory/inventory.ts";
import { CreateReservation, Reservation } from "./reservations.schema.ts";
import {
  cancelReservation,
  createReservation,
  getReservation,
  type Reservation as Reserved,
} from "./reservations.ts";

const MAKERS = {
  callers: "organisation",
  sessions: { roles: ["owner", "admin", "developer"] },
  keys: "none",
} as const;

export const createReservationOperation = operation({
  id: "createReservation",
  method: "POST",
  path: "/v1/numbers/reservations",
  tag: "Reservations",
  summary: "Reserve numbers for 30 minutes",
  description:
    "All of them or none. While no inventory is connected every request is answered with 501, whatever its body.",
  access: MAKERS,
  idempotency: "none",
  body: CreateReservation,
  answers: { 201: Reservation },
  refusals: ["number_not_available", "carrier_inventory_not_connected"],
  unavailable: inventoryRefusal,
  async run(app, { actor, caller, body }) {
    const reservation = await createReservation(app, { ...actor, caller }, body);
    return {
      status: 201,
      body: shownReservation(reservation),
      headers: { location: `${app.config.baseUrl}/v1/numbers/reservations/${reservation.id}` },
    };
  },
});

export const getReservationOperation = operation({
  id: "getReservation",
  method: "GET",
  path: "/v1/numbers/reservations/{id}",
  tag: "Reservations",
  summary: "Read a reservation",
  access: MAKERS,
  idempotency: "none",
  params: ById,
  notFound: "reservation_not_found",
  answers: { 200: Reservation },
  async run(app, { actor, params }) {
    return { status: 200, body: shownReservation(await getReservation(app, actor, params.id)) };
  },
});

export const cancelReservationOperation = operation({
  id: "cancelReservation",
  method: "DELETE",
  path: "/v1/numbers/reservations/{id}",
  tag: "Reservations",
  summary: "Cancel a reservation",
  description:
    "Afterwards it holds no number any more. One that has expired or was cancelled or ordered stays as it is.",
  access: MAKERS,
  idempotency: "none",
  params: ById,
  notFound: "reservation_not_found",
  answers: { 204: null },
  async run(app, { actor, params }) {
    await cancelReservation(app, actor, params.id);
    return { status: 204 };
  },
});

function shownReservation({ id, status, numbers, expires_at, created_at }: Reserved): Reservation {
  return {
    id,
    status,
    numbers,
    expires_at: expires_at.toISOString(),
    created_at: created_at.toISOString(),
  };
}

import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import { requireInventory } from "../inventory/inventory.ts";
import { CreateReservation, Reservation, ReservationPage, ReservationsQuery } from "./reservations.schema.ts";
import {
  cancelReservation,
  createReservation,
  getReservation,
  listReservations,
  type Reservation as Reserved,
} from "./reservations.ts";

const PATH = "/v1/numbers/reservations";
const MAKERS = {
  callers: "organisation",
  sessions: { roles: ["owner", "admin", "developer"] },
  keys: "none",
} as const;

const createReservationOperation = operation({
  id: "createReservation",
  method: "POST",
  path: PATH,
  tag: "Reservations",
  summary: "Reserve numbers",
  description:
    "Reserves all numbers or none, for 30 minutes, or for as long as the carrier holds them if that is shorter. Without a connected inventory, every request returns 501.",
  access: MAKERS,
  idempotency: "none",
  body: CreateReservation,
  answers: { 201: Reservation },
  errors: ["number_not_available", "carrier_refused", "carrier_inventory_not_connected"],
  precheck: (_, app) => requireInventory(app),
  async run(app, { actor, caller, body }) {
    const reservation = await createReservation(app, { ...actor, caller }, body);
    return {
      status: 201,
      body: shownReservation(reservation),
      headers: { location: `${app.config.baseUrl}/v1/numbers/reservations/${reservation.id}` },
    };
  },
});

const listReservationsOperation = operation({
  id: "listReservations",
  method: "GET",
  path: PATH,
  tag: "Reservations",
  summary: "List reservations",
  description:
    "Newest first. Use it to find a reservation whose response was lost. Empty without a connected inventory.",
  access: MAKERS,
  idempotency: "none",
  query: ReservationsQuery,
  answers: { 200: ReservationPage },
  async run(app, { actor, query }) {
    return pageOf(app, { path: PATH, of: actor }, query, {
      rows: (page) => listReservations(app, actor, page),
      item: shownReservation,
      position: (row) => row.id,
    });
  },
});

const getReservationOperation = operation({
  id: "getReservation",
  method: "GET",
  path: "/v1/numbers/reservations/{id}",
  tag: "Reservations",
  summary: "Get a reservation",
  description: "Includes its status and expiry time.",
  access: MAKERS,
  idempotency: "none",
  params: ById,
  notFound: "reservation_not_found",
  answers: { 200: Reservation },
  async run(app, { actor, params }) {
    return { status: 200, body: shownReservation(await getReservation(app, actor, params.id)) };
  },
});

const cancelReservationOperation = operation({
  id: "cancelReservation",
  method: "DELETE",
  path: "/v1/numbers/reservations/{id}",
  tag: "Reservations",
  summary: "Cancel a reservation",
  description: "Frees its numbers. Reservations that are expired, cancelled or ordered do not change.",
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

export const reservationsOperations = [
  createReservationOperation,
  listReservationsOperation,
  getReservationOperation,
  cancelReservationOperation,
];

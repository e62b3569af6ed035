import { type Static, Type } from "typebox";
import {
  DateTime,
  described,
  Id,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";

const E164 = Type.String({
  pattern: String.raw`^\+[1-9]\d{6,14}$`,
  maxLength: 16,
  examples: ["+442079460000"],
  description: "Phone number in E.164 format.",
});

export const CreateReservation = shape("CreateReservation", {
  numbers: Type.Array(E164, {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: "Phone numbers to reserve.",
  }),
});
export type CreateReservation = Static<typeof CreateReservation>;

export const Reservation = shape("Reservation", {
  id: described(Id, "ID of the reservation."),
  status: openEnum(["active", "ordered", "expired", "cancelled"], "Status of the reservation."),
  numbers: Type.Array(E164, { maxItems: 100, description: "Reserved phone numbers." }),
  expires_at: described(DateTime, "Time when the reservation expires."),
  created_at: described(DateTime, "Time when the reservation was created."),
});
export type Reservation = Static<typeof Reservation>;

export const ReservationPage = pageShape("ReservationPage", Reservation);
export const ReservationsQuery = Type.Object(PageQuery, { additionalProperties: false });

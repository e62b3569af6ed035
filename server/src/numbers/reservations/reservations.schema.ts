import { type Static, Type } from "typebox";
import { DateTime, Id, openEnum, PageQuery, pageShape, shape } from "../../platform/http/shapes.ts";

const E164 = Type.String({
  pattern: String.raw`^\+[1-9]\d{6,14}$`,
  maxLength: 16,
  examples: ["+442079460000"],
});

export const CreateReservation = shape("CreateReservation", {
  numbers: Type.Array(E164, { minItems: 1, maxItems: 100, uniqueItems: true }),
});
export type CreateReservation = Static<typeof CreateReservation>;

export const Reservation = shape("Reservation", {
  id: Id,
  status: openEnum(["active", "ordered", "expired", "cancelled"]),
  numbers: Type.Array(E164, { maxItems: 100 }),
  expires_at: DateTime,
  created_at: DateTime,
});
export type Reservation = Static<typeof Reservation>;

export const ReservationPage = pageShape("ReservationPage", Reservation);
export const ReservationsQuery = Type.Object(PageQuery, { additionalProperties: false });

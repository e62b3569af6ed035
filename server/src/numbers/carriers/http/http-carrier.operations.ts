import { type TSchema, Type } from "typebox";
import type { CarrierFeature } from "../carrier.ts";
import {
  AvailableNumbers,
  CarrierDescription,
  Deliveries,
  Delivery,
  DeliveryRequest,
  Done,
  Order,
  OrderRequest,
  OwnedNumbers,
  ProtocolNumber,
  Reference,
  Release,
  ReleaseRequest,
  Reservation,
  ReservationRequest,
  Restore,
  Trunks,
} from "./http-carrier.schema.ts";

/** An operation that a carrier implements. */
export interface ProtocolOperation {
  id: string;
  method: "GET" | "PUT" | "DELETE";
  path: string;
  /** The feature it belongs to; absent if every carrier has it. */
  feature?: CarrierFeature;
  summary: string;
  description: string;
  query?: Record<string, TSchema>;
  body?: TSchema;
  answer: TSchema;
  /** Whether `404` with the code `unknown` is one of the expected responses. */
  maybeUnknown?: true;
}

const after = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: "`next` of the page before. Absent: the first page.",
});
const pageQuery = {
  after,
  limit: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    format: "int32",
    description: "Maximum number of rows.",
  }),
};

const PAGES =
  "Pages are stable: a number that the account has from the first page to the last is in exactly one of them, whatever is bought or returned in between. Sort by number, and let `next` name the last one of the page.";

/** Placeholders of paths. */
export const PLACEHOLDERS: Record<string, TSchema> = { reference: Reference, number: ProtocolNumber };

export const PROTOCOL_OPERATIONS: readonly ProtocolOperation[] = [
  {
    id: "describeCarrier",
    method: "GET",
    path: "/carrier",
    summary: "Describe the carrier",
    description: "Dialplane reads it when an operator connects the carrier.",
    answer: CarrierDescription,
  },
  {
    id: "order",
    method: "PUT",
    path: "/orders/{reference}",
    summary: "Buy numbers",
    description:
      "The first request with a reference decides every number: `bought`, `pending` or `rejected`. `pending` becomes one of the other two later. Every other request with the same reference returns what was decided, buys nothing, and never turns `rejected` into `bought`, even if the number is on sale now. It may name some of the numbers only. If it names a number that the first request did not, respond with 409. Reject single numbers, not the order: a number that is not on sale, that another reference bought, or that another organisation reserved is `rejected`, and the others are bought. Concurrent requests with the same reference are one request.",
    body: OrderRequest,
    answer: Order,
  },
  {
    id: "getOrder",
    method: "GET",
    path: "/orders/{reference}",
    summary: "Get the outcome of an order",
    description:
      "Returns all numbers of the order. Respond with 404 and the code `unknown` only if no request with this reference had or will have an effect: Dialplane then orders again.",
    answer: Order,
    maybeUnknown: true,
  },
  {
    id: "release",
    method: "PUT",
    path: "/releases/{reference}",
    summary: "Return a number",
    description:
      "You stop charging for the number. A reference has its effect once: a repeat after the number was restored or bought again returns the recorded state and leaves the number alone. A number that the account does not have, or that an order other than `bought_as` has bought since, counts as `released`.",
    body: ReleaseRequest,
    answer: Release,
  },
  {
    id: "getRelease",
    method: "GET",
    path: "/releases/{reference}",
    summary: "Get the state of a release",
    description: "Respond with 404 and the code `unknown` if there was no such release.",
    answer: Release,
    maybeUnknown: true,
  },
  {
    id: "restore",
    method: "PUT",
    path: "/restores/{reference}",
    feature: "restore",
    summary: "Restore a returned number",
    description:
      "The reference is that of the release. `restored`: the account has the number again, under the order that bought it. `not_available`: it is sold or gone. A repeat returns the first outcome.",
    body: ReleaseRequest,
    answer: Restore,
  },
  {
    id: "listNumbers",
    method: "GET",
    path: "/numbers",
    summary: "List the numbers of the account",
    description: `Everything you charge for. Dialplane compares it with its own numbers every night. ${PAGES}`,
    query: pageQuery,
    answer: OwnedNumbers,
  },
  {
    id: "searchNumbers",
    method: "GET",
    path: "/available",
    feature: "inventory",
    summary: "Search numbers on sale",
    description:
      "Sorted by number, as text. Reserved numbers are not on sale, not even for the organisation that reserved them. All criteria given must hold.",
    query: {
      country: Type.String({ pattern: "^[A-Z]{2}$", maxLength: 2, description: "ISO 3166-1 code." }),
      type: Type.String({ minLength: 1, maxLength: 40, description: "Type of the number, such as `local`." }),
      contains: Type.String({
        pattern: String.raw`^\d{1,15}$`,
        maxLength: 15,
        description: "Digits that occur in the number, one after the other.",
      }),
      prefix: Type.String({
        pattern: String.raw`^\d{1,15}$`,
        maxLength: 15,
        description: "Digits that the number begins with, after the plus.",
      }),
      after: { ...ProtocolNumber, description: "Only numbers after this one." },
      limit: Type.Integer({
        minimum: 1,
        maximum: 2_000,
        format: "int32",
        description: "Maximum number of results.",
      }),
    },
    answer: AvailableNumbers,
  },
  {
    id: "reserve",
    method: "PUT",
    path: "/reservations/{reference}",
    feature: "inventory",
    summary: "Reserve numbers",
    description:
      "Reserves all numbers until the given time, or none if one is not available. Until then only the same organisation can buy them, with an order that names the reference. A repeat returns the same outcome.",
    body: ReservationRequest,
    answer: Reservation,
  },
  {
    id: "cancelReservation",
    method: "DELETE",
    path: "/reservations/{reference}",
    feature: "inventory",
    summary: "Cancel a reservation",
    description: "The numbers are on sale at once. An unknown or expired reference is not an error.",
    answer: Done,
  },
  {
    id: "listTrunks",
    method: "GET",
    path: "/trunks",
    feature: "delivery",
    summary: "List the trunks",
    description: "All trunks of the account that can receive calls.",
    answer: Trunks,
  },
  {
    id: "deliver",
    method: "PUT",
    path: "/deliveries/{number}",
    feature: "delivery",
    summary: "Deliver the calls of a number to a trunk",
    description:
      "Respond when your network uses the trunk, with the trunk it uses. A repeat changes nothing. Respond with 404 and the code `unknown` if the account does not have the number, with 422 if it does not have the trunk.",
    body: DeliveryRequest,
    answer: Delivery,
    maybeUnknown: true,
  },
  {
    id: "getDelivery",
    method: "GET",
    path: "/deliveries/{number}",
    feature: "delivery",
    summary: "Get the trunk of a number",
    description:
      "The trunk that your network uses now, which can differ from the one requested last. Respond with 404 and the code `unknown` if the account does not have the number.",
    answer: Delivery,
    maybeUnknown: true,
  },
  {
    id: "listDeliveries",
    method: "GET",
    path: "/deliveries",
    feature: "delivery",
    summary: "List the trunks of all numbers",
    description: `Every number of the account, also those without a trunk. ${PAGES}`,
    query: pageQuery,
    answer: Deliveries,
  },
];

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
  Requirements,
  Restore,
  Submission,
  SubmissionRequest,
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
  /** Whether a reference in the path can belong to another number already. */
  maybeUsed?: true;
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
    description: "Maximum number of rows. Dialplane always sends it. You may return fewer.",
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
      "The first request with a reference decides every number: `bought`, `pending` or `rejected`. `pending` becomes one of the other two later. Every other request with the same reference returns what was decided, buys nothing, and never turns `rejected` into `bought`, even if the number is on sale now. It may name some of the numbers only: return those. If it names a number that the first request did not, respond with 409. Reject single numbers, not the order: a number that is not on sale, that another reference bought, or that another organisation reserved is `rejected`, and the others are bought. Buy a number that the same organisation reserved if the order names the reference of that reservation. Otherwise you may sell or reject it. Concurrent requests with the same reference are one request.",
    body: OrderRequest,
    answer: Order,
    maybeUsed: true,
  },
  {
    id: "getOrder",
    method: "GET",
    path: "/orders/{reference}",
    summary: "Get the outcome of an order",
    description:
      "Returns all numbers of the order. While a `PUT` with this reference is in progress, wait for it, or respond with `pending` or 503. Respond with 404 and the code `unknown` only if you have no such order and none is in progress. Dialplane then orders again under the same reference, so a request that is still on its way does no harm.",
    answer: Order,
    maybeUnknown: true,
  },
  {
    id: "release",
    method: "PUT",
    path: "/releases/{reference}",
    summary: "Return a number",
    description:
      "You stop charging for the number. A reference has its effect once: a repeat after the number was restored or bought again returns the recorded state and leaves the number alone. A number that the account does not have, or that was not bought as `bought_as`, counts as `released`. Do not compare the organisation. Respond with 409 if the reference belongs to a release of another number. Report `rejected` only for a number that you must keep charging for, such as within a minimum term. The customer then keeps the number. A repeat of a rejected release may decide again. With the feature `requirements`, the release of a number whose order is still `pending` cancels it: the number becomes `rejected` in its order, and is never bought by it. You choose when you sell a returned number again.",
    body: ReleaseRequest,
    answer: Release,
    maybeUsed: true,
  },
  {
    id: "getRelease",
    method: "GET",
    path: "/releases/{reference}",
    summary: "Get the state of a release",
    description:
      "While a `PUT` with this reference is in progress, wait for it, or respond with `pending` or 503. Respond with 404 and the code `unknown` if there was no such release.",
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
      "The reference and the body are those of the release. Dialplane sends it after you reported `released`. `restored`: the account has the number again, with the order, organisation and time of its purchase. `not_available`: the number is sold or gone, or you know no such release. A repeat returns the first outcome. Respond with 409 if the reference belongs to a release of another number.",
    body: ReleaseRequest,
    answer: Restore,
    maybeUsed: true,
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
        description: "Digits that occur in the number in a row. They may include digits of the country code.",
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
        description:
          "Maximum number of results. Dialplane always sends it. Return fewer only if there are no more, because that marks the last page.",
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
      "Reserves all numbers until the given time, or none if one is not available. If one number is `not_available`, nothing is reserved, whatever the other items say. Until then no other organisation can buy the numbers, and the organisation buys them with an order that names the reference. The reservation of a number ends when the number is bought. A repeat returns the recorded outcome and reserves nothing, even after the reservation was cancelled or has expired. Respond with 409 if it names a number that the first request did not.",
    body: ReservationRequest,
    answer: Reservation,
    maybeUsed: true,
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
  {
    id: "listRequirements",
    method: "GET",
    path: "/requirements/{reference}",
    feature: "requirements",
    summary: "List the evidence that an order needs",
    description:
      "The reference is that of the order. The outcome of a number is `pending` until you have accepted all of its requirements. Then it becomes `bought` or `rejected`. Respond with 404 and the code `unknown` if you have no such order.",
    answer: Requirements,
    maybeUnknown: true,
  },
  {
    id: "submit",
    method: "PUT",
    path: "/submissions/{reference}",
    feature: "requirements",
    summary: "Submit evidence",
    description:
      "For one requirement of one number. One of `address`, `document` and `end_user` is set, as the type of the requirement says. Record it once: a repeat returns the current status, and neither restarts the review nor counts as another submission. Respond with 409 if the reference belongs to a submission for another number or requirement, with 422 if the order does not need it. A later submission for the same requirement replaces the one before. A request has at most 8 MiB.",
    body: SubmissionRequest,
    answer: Submission,
    maybeUsed: true,
  },
];

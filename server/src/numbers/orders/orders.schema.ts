import { type Static, Type } from "typebox";
import { DateTime, Id, nullable, openEnum, PageQuery, pageShape, shape } from "../../platform/http/shapes.ts";
import { Label, Tag } from "../numbers/numbers.ts";
import { RoutingDestination, SetRouting } from "../routing/routing.ts";
import { ITEM_STATUSES, ORDER_STATUSES } from "./orders.rules.ts";

const MOST_NUMBERS = 100;

const E164 = Type.String({
  pattern: String.raw`^\+[1-9]\d{6,14}$`,
  maxLength: 16,
  examples: ["+442079460000"],
});
const Quantity = Type.Integer({ minimum: 1, maximum: MOST_NUMBERS, format: "int32", examples: [1] });

const CRITERIA = {
  country: Type.String({ pattern: "^[A-Z]{2}$", maxLength: 2, examples: ["GB"] }),
  type: Type.Optional(Type.String({ pattern: "^[a-z_]+$", maxLength: 40, examples: ["local"] })),
  prefix: Type.Optional(
    Type.String({
      pattern: String.raw`^[1-9]\d{0,13}$`,
      maxLength: 14,
      description: "Digits the number begins with, its country's code first, without the plus.",
      examples: ["4420"],
    }),
  ),
};

export const PlaceOrder = Type.Object(
  {
    numbers: Type.Optional(Type.Array(E164, { minItems: 1, maxItems: MOST_NUMBERS, uniqueItems: true })),
    reservation_id: Type.Optional(Id),
    criteria: Type.Optional(shape("OrderCriteria", CRITERIA)),
    quantity: Type.Optional(Quantity),
    routing: Type.Optional(SetRouting),
    label: Type.Optional(Label),
    tags: Type.Optional(Type.Array(Tag, { maxItems: 20 })),
    external_ref: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: String.raw`^[^\u0000-\u001f\u007f]+$`,
        description: "A name of yours for it, given back with the order.",
        examples: ["PO-4711"],
      }),
    ),
    all_or_nothing: Type.Optional(Type.Boolean({ default: false })),
  },
  {
    title: "PlaceOrder",
    additionalProperties: false,
    oneOf: [
      { required: ["numbers"] },
      { required: ["reservation_id"] },
      { required: ["criteria", "quantity"] },
    ],
    description: "By `numbers`, by `reservation_id`, or by `criteria` and `quantity`: exactly one of these.",
    examples: [{ numbers: ["+442079460000"], label: "Front desk" }],
  },
);
export type PlaceOrder = Static<typeof PlaceOrder>;

const OrderItem = shape("OrderItem", {
  e164: nullable(Type.String({ maxLength: 16, description: "Null until one is chosen." })),
  status: openEnum(ITEM_STATUSES),
  number_id: nullable(Id),
  error: nullable(
    shape("OrderItemError", {
      code: Type.String({ maxLength: 64, description: "As in the list of errors." }),
      detail: Type.String({ maxLength: 1000 }),
    }),
  ),
});
export type OrderItem = Static<typeof OrderItem>;

const SUMMARY = {
  id: Id,
  job_id: Id,
  status: openEnum(ORDER_STATUSES),
  quantity: Quantity,
  criteria: nullable(shape("OrderedCriteria", CRITERIA)),
  reservation_id: nullable(Id),
  all_or_nothing: Type.Boolean(),
  routing: nullable(RoutingDestination),
  label: nullable(Type.String({ maxLength: 200 })),
  tags: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 }),
  external_ref: nullable(Type.String({ maxLength: 200 })),
  created_by: shape("OrderAuthor", {
    kind: openEnum(["session"]),
    id: nullable(Id),
    name: nullable(Type.String({ maxLength: 200 })),
  }),
  created_at: DateTime,
  finished_at: nullable(DateTime),
};

export const OrderRecord = shape("Order", {
  ...SUMMARY,
  items: Type.Array(OrderItem, { maxItems: MOST_NUMBERS }),
});
export type OrderRecord = Static<typeof OrderRecord>;

const OrderSummary = shape("OrderSummary", SUMMARY);
export type OrderSummary = Static<typeof OrderSummary>;

export const OrderPage = pageShape("OrderPage", OrderSummary);
export const OrdersQuery = Type.Object(PageQuery, { additionalProperties: false });

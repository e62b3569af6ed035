import { type Static, Type } from "typebox";
import { Metadata } from "../../platform/http/metadata.ts";
import {
  closedEnum,
  DateTime,
  described,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { Label, Tag } from "../numbers/numbers.ts";
import { RoutingDestination, SetRouting } from "../routing/routing.ts";
import { OrderRequirement } from "./orders.requirements.schema.ts";
import { ITEM_STATUSES, ORDER_STATUSES } from "./orders.rules.ts";

const MOST_NUMBERS = 100;

const E164 = Type.String({
  pattern: String.raw`^\+[1-9]\d{6,14}$`,
  maxLength: 16,
  examples: ["+442079460000"],
  description: "Phone number in E.164 format.",
});
const Quantity = Type.Integer({
  minimum: 1,
  maximum: MOST_NUMBERS,
  format: "int32",
  examples: [1],
  description: "Count of numbers to order.",
});

const CRITERIA = {
  country: Type.String({
    pattern: "^[A-Z]{2}$",
    maxLength: 2,
    examples: ["GB"],
    description: "ISO 3166-1 alpha-2 country code.",
  }),
  type: Type.Optional(
    Type.String({
      pattern: "^[a-z_]+$",
      maxLength: 40,
      examples: ["local"],
      description: "Number type, such as `local` or `mobile`.",
    }),
  ),
  prefix: Type.Optional(
    Type.String({
      pattern: String.raw`^[1-9]\d{0,13}$`,
      maxLength: 14,
      description: "Leading digits of the number, starting with the country code, without the plus.",
      examples: ["4420"],
    }),
  ),
};

export const PlaceOrder = Type.Object(
  {
    numbers: Type.Optional(
      Type.Array(E164, {
        minItems: 1,
        maxItems: MOST_NUMBERS,
        uniqueItems: true,
        description: "Phone numbers to order.",
      }),
    ),
    reservation_id: Type.Optional(described(Id, "ID of the reservation to order.")),
    criteria: Type.Optional(
      described(shape("OrderCriteria", CRITERIA), "Criteria by which the service chooses numbers."),
    ),
    quantity: Type.Optional(described(Quantity, "Count of numbers to choose by `criteria`.")),
    routing: Type.Optional(
      described(SetRouting, "Desired routing of the new numbers. Defaults to `unrouted`."),
    ),
    label: Type.Optional(described(Label, "Label of the new numbers.")),
    tags: Type.Optional(Type.Array(Tag, { maxItems: 20, description: "Tags of the new numbers." })),
    external_ref: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: String.raw`^[^\u0000-\u001f\u007f]+$`,
        description: "Your reference.",
        examples: ["PO-4711"],
      }),
    ),
    metadata: Type.Optional(described(Metadata, "Your own data about the order.")),
    all_or_nothing: Type.Optional(
      Type.Boolean({
        default: false,
        description: "If true, the order keeps no numbers unless all of them are available.",
      }),
    ),
  },
  {
    title: "PlaceOrder",
    additionalProperties: false,
    oneOf: [
      { required: ["numbers"] },
      { required: ["reservation_id"] },
      { required: ["criteria", "quantity"] },
    ],
    description: "Send exactly one of `numbers`, `reservation_id`, or `criteria` with `quantity`.",
    examples: [{ numbers: ["+442079460000"], label: "Front desk" }],
  },
);
export type PlaceOrder = Static<typeof PlaceOrder>;

const OrderItem = shape("OrderItem", {
  e164: nullable(
    Type.String({ maxLength: 16, description: "Phone number in E.164 format. `null` until one is chosen." }),
  ),
  status: described(
    openEnum(ITEM_STATUSES),
    "`pending`: not requested from the carrier yet. `submitted`: requested. `action_required`: the carrier needs evidence, see `requirements`. `succeeded`: your organisation holds the number. `failed`: see `error`. `outcome_unknown`: the carrier has not confirmed the request. New values may be added.",
  ),
  number_id: described(nullable(Id), "ID of the new number. `null` until the item has succeeded."),
  error: described(
    nullable(
      shape("OrderItemError", {
        code: Type.String({ maxLength: 64, description: "Error code, as in the error catalogue." }),
        detail: Type.String({ maxLength: 1000, description: "Explanation of the error." }),
      }),
    ),
    "Reason for a failure. `null` if the item has not failed.",
  ),
  requirements: Type.Array(OrderRequirement, {
    maxItems: 100,
    description: "Evidence that the carrier needs before it sells the number. Empty if it needs none.",
  }),
  action_required_until: described(
    nullable(DateTime),
    "Time until which you can submit missing evidence. Afterwards the item fails. `null` if the item does not wait for you.",
  ),
});
export type OrderItem = Static<typeof OrderItem>;

const SUMMARY = {
  id: described(Id, "ID of the order."),
  job_id: described(Id, "ID of the job that processes the order."),
  status: openEnum(ORDER_STATUSES, "Status of the order."),
  quantity: described(Quantity, "Count of ordered numbers."),
  criteria: described(
    nullable(shape("OrderedCriteria", CRITERIA)),
    "Criteria of the order. `null` if it was placed by numbers or reservation.",
  ),
  reservation_id: described(nullable(Id), "ID of the ordered reservation. `null` if there is none."),
  all_or_nothing: Type.Boolean({
    description: "Whether the order keeps no numbers unless all of them are available.",
  }),
  routing: described(
    nullable(RoutingDestination),
    "Desired routing of the new numbers. `null` if none was given or your role cannot read routing.",
  ),
  label: nullable(
    Type.String({ maxLength: 200, description: "Label of the new numbers. `null` if none was given." }),
  ),
  tags: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20, description: "Tags of the new numbers." }),
  external_ref: nullable(
    Type.String({ maxLength: 200, description: "Your reference. `null` if none was given." }),
  ),
  metadata: Metadata,
  created_by: described(
    shape("OrderAuthor", {
      kind: openEnum(["session"], "Type of the caller."),
      id: described(nullable(Id), "ID of the user. `null` if unknown."),
      name: nullable(Type.String({ maxLength: 200, description: "Name of the user. `null` if unknown." })),
    }),
    "User who placed the order.",
  ),
  created_at: described(DateTime, "Time when the order was placed."),
  finished_at: described(nullable(DateTime), "Time when the order finished. `null` until then."),
};

export const OrderRecord = shape("Order", {
  ...SUMMARY,
  items: Type.Array(OrderItem, { maxItems: MOST_NUMBERS, description: "Ordered numbers and their status." }),
});
export type OrderRecord = Static<typeof OrderRecord>;

const OrderSummary = shape("OrderSummary", SUMMARY);
export type OrderSummary = Static<typeof OrderSummary>;

export const OrderPage = pageShape("OrderPage", OrderSummary);
export const OrdersQuery = Type.Object(
  {
    status: Type.Optional(described(closedEnum(ORDER_STATUSES), "Only orders with this status.")),
    external_ref: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: String.raw`^[^\u0000-\u001f\u007f]*$`,
        examples: ["PO-2026-118"],
        description: "Only orders with this reference.",
      }),
    ),
    ...PageQuery,
  },
  { additionalProperties: false },
);
export type OrdersQuery = Static<typeof OrdersQuery>;

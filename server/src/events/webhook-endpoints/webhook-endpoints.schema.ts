import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  Id,
  Name,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  examples: ["https://hooks.example.com/dialplane"],
  description: "https, port 443, a public name or address.",
});
const EventTypes = Type.Array(
  Type.String({
    maxLength: 100,
    pattern: String.raw`^[a-z_]+\.([a-z_]+|\*)$`,
    examples: ["order.completed", "number.*"],
  }),
  {
    maxItems: 50,
    uniqueItems: true,
    description:
      "Types of events to deliver. `order.*` stands for every type that begins with `order.`. Leave it empty for all events, including types that are added later.",
  },
);
const Description = Type.String({ ...Name, maxLength: 200 });

export const CreateWebhookEndpoint = shape("CreateWebhookEndpoint", {
  url: Url,
  description: Type.Optional(nullable(Description)),
  event_types: Type.Optional(EventTypes),
});
export type CreateWebhookEndpoint = Static<typeof CreateWebhookEndpoint>;

export const ChangeWebhookEndpoint = shape("ChangeWebhookEndpoint", {
  url: Type.Optional(Url),
  description: Type.Optional(nullable(Description)),
  event_types: Type.Optional(EventTypes),
  status: Type.Optional(closedEnum(["active", "disabled"])),
});
export type ChangeWebhookEndpoint = Static<typeof ChangeWebhookEndpoint>;

const ENDPOINT = {
  id: Id,
  url: Url,
  description: nullable(Type.String({ maxLength: 200 })),
  event_types: EventTypes,
  status: openEnum(["active", "disabled"]),
  disabled_reason: nullable(
    Type.String({
      maxLength: 64,
      examples: ["gone"],
      description: "`gone`: it answered 410. `unreachable`: it took nothing for five days.",
    }),
  ),
  failing_since: nullable(DateTime),
  created_at: DateTime,
};
export const WebhookEndpoint = shape("WebhookEndpoint", ENDPOINT);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;
export const WebhookEndpointPage = pageShape("WebhookEndpointPage", WebhookEndpoint);
export const WebhookEndpointsQuery = Type.Object(PageQuery, { additionalProperties: false });

export const WebhookEndpointWithSecret = shape("WebhookEndpointWithSecret", {
  ...ENDPOINT,
  secret: Type.String({
    maxLength: 100,
    examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    description: "Shown once. Verify deliveries with it by any library of Standard Webhooks.",
  }),
});

const STATUSES = ["pending", "delivered", "failed"] as const;

export const WebhookDelivery = shape("WebhookDelivery", {
  id: Id,
  event_id: Id,
  event_type: Type.String({ maxLength: 100 }),
  status: openEnum(STATUSES),
  attempts: Type.Integer({ minimum: 0, maximum: 1000, format: "int32" }),
  next_attempt_at: nullable(DateTime),
  answered: nullable(
    Type.Integer({ minimum: 100, maximum: 999, format: "int32", description: "Status of the last answer." }),
  ),
  error: nullable(Type.String({ maxLength: 300 })),
  attempted_at: nullable(DateTime),
  created_at: DateTime,
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;
export const WebhookDeliveryPage = pageShape("WebhookDeliveryPage", WebhookDelivery);
export const WebhookDeliveriesQuery = Type.Object(
  { ...PageQuery, status: Type.Optional(closedEnum(STATUSES)) },
  { additionalProperties: false },
);

export const ReplayDeliveries = shape("ReplayDeliveries", {
  delivery_id: Type.Optional(Id),
  status: Type.Optional(closedEnum(["delivered", "failed"])),
  from: Type.Optional(DateTime),
  to: Type.Optional(DateTime),
});
export type ReplayDeliveries = Static<typeof ReplayDeliveries>;
export const ReplayedDeliveries = shape("ReplayedDeliveries", {
  replayed: Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" }),
});

import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  described,
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
  description: "URL that receives the events. It must use https on port 443 and a public name or address.",
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
      "Event types to deliver. `order.*` matches all types that start with `order.`. An empty list matches all types, including future ones.",
  },
);
const Description = Type.String({ ...Name, maxLength: 200 });

export const CreateWebhookEndpoint = shape("CreateWebhookEndpoint", {
  url: Url,
  description: Type.Optional(
    described(nullable(Description), "Description of the endpoint. `null` for none."),
  ),
  event_types: Type.Optional(EventTypes),
});
export type CreateWebhookEndpoint = Static<typeof CreateWebhookEndpoint>;

export const ChangeWebhookEndpoint = shape("ChangeWebhookEndpoint", {
  url: Type.Optional(Url),
  description: Type.Optional(described(nullable(Description), "New description. `null` removes it.")),
  event_types: Type.Optional(EventTypes),
  status: Type.Optional(
    described(closedEnum(["active", "disabled"]), "`disabled` stops deliveries. `active` starts them again."),
  ),
});
export type ChangeWebhookEndpoint = Static<typeof ChangeWebhookEndpoint>;

const ENDPOINT = {
  id: described(Id, "ID of the endpoint."),
  url: Url,
  description: nullable(
    Type.String({ maxLength: 200, description: "Description of the endpoint. `null` if there is none." }),
  ),
  event_types: EventTypes,
  status: openEnum(["active", "disabled"], "Status of the endpoint."),
  disabled_reason: nullable(
    Type.String({
      maxLength: 64,
      examples: ["gone"],
      description:
        "Why the service disabled the endpoint. `gone`: it returned 410. `unreachable`: it accepted no delivery for five days. `null` if there is no reason.",
    }),
  ),
  failing_since: described(
    nullable(DateTime),
    "Time of the first failed attempt since the last success. `null` if deliveries succeed.",
  ),
  created_at: described(DateTime, "Time when the endpoint was created."),
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
    description: "Signing secret for any Standard Webhooks library. It is shown only in this response.",
  }),
});

const STATUSES = ["pending", "delivered", "failed"] as const;

export const WebhookDelivery = shape("WebhookDelivery", {
  id: described(Id, "ID of the delivery."),
  event_id: described(Id, "ID of the event. Also sent as `webhook-id`."),
  event_type: Type.String({ maxLength: 100, description: "Type of the event." }),
  status: described(
    openEnum(STATUSES),
    "`pending`: not delivered yet. `delivered`: your server returned 2xx. `failed`: no retries are left. New values may be added.",
  ),
  attempts: Type.Integer({ minimum: 0, maximum: 1000, format: "int32", description: "Number of attempts." }),
  next_attempt_at: described(nullable(DateTime), "Time of the next attempt. `null` if there is none."),
  answered: nullable(
    Type.Integer({
      minimum: 100,
      maximum: 999,
      format: "int32",
      description: "HTTP status code of the last response. `null` if there was none.",
    }),
  ),
  error: nullable(
    Type.String({ maxLength: 300, description: "Error of the last attempt. `null` if there was none." }),
  ),
  attempted_at: described(nullable(DateTime), "Time of the last attempt. `null` if there was none."),
  created_at: described(DateTime, "Time when the delivery was created."),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;
export const WebhookDeliveryPage = pageShape("WebhookDeliveryPage", WebhookDelivery);
export const WebhookDeliveriesQuery = Type.Object(
  {
    ...PageQuery,
    status: Type.Optional(described(closedEnum(STATUSES), "Only deliveries with this status.")),
  },
  { additionalProperties: false },
);

export const ReplayDeliveries = shape("ReplayDeliveries", {
  delivery_id: Type.Optional(described(Id, "ID of the delivery to replay. Defaults to all that match.")),
  status: Type.Optional(described(closedEnum(["delivered", "failed"]), "Only deliveries with this status.")),
  from: Type.Optional(described(DateTime, "Only deliveries created at this time or later.")),
  to: Type.Optional(described(DateTime, "Only deliveries created before this time.")),
});
export type ReplayDeliveries = Static<typeof ReplayDeliveries>;
export const ReplayedDeliveries = shape("ReplayedDeliveries", {
  replayed: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    format: "int32",
    description: "Count of deliveries to be sent again.",
  }),
});

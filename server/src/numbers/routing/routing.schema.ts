import { type Static, type TSchema, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  Id,
  nullable,
  openEnum,
  pageShape,
  PageQuery,
  shape,
} from "../../platform/http/shapes.ts";
import { Flapping } from "../numbers/numbers.ts";

export const MODES = ["sip_uri", "connection", "unrouted", "forward", "webhook"] as const;
export type Mode = (typeof MODES)[number];
const ROUTING_STATUSES = ["in_sync", "pending", "failed", "drifted", "unknown"] as const;

const SipUri = Type.String({ minLength: 5, maxLength: 255, examples: ["sip:calls@pbx.example.com:5060"] });
const E164 = Type.String({
  pattern: String.raw`^\+[1-9]\d{6,14}$`,
  maxLength: 16,
  examples: ["+442079460000"],
});
const WebhookUrl = Type.String({
  format: "uri",
  minLength: 10,
  maxLength: 2000,
  examples: ["https://hooks.example.com/calls"],
});
const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: "Why, for whoever reads the history.",
  examples: ["The new exchange is in place"],
});

/** One shape per mode: a field of another mode is rejected. */
function byMode<const Shapes extends readonly TSchema[]>(title: string, shapes: Shapes) {
  return Type.Unsafe<Static<Shapes[number]>>({
    title,
    type: "object",
    required: ["mode"],
    discriminator: { propertyName: "mode" },
    oneOf: [...shapes],
  });
}

const Fallback = byMode("SetFallback", [
  shape("SetSipUriFallback", { mode: closedEnum(["sip_uri"]), sip_uri: SipUri }),
  shape("SetConnectionFallback", { mode: closedEnum(["connection"]), connection_id: Id }),
  shape("SetUnroutedFallback", { mode: closedEnum(["unrouted"]) }),
]);

const reason = Type.Optional(Reason);
export const SetRouting = byMode("SetRouting", [
  shape("SetSipUriRouting", { mode: closedEnum(["sip_uri"]), sip_uri: SipUri, reason }),
  shape("SetConnectionRouting", { mode: closedEnum(["connection"]), connection_id: Id, reason }),
  shape("SetUnrouted", { mode: closedEnum(["unrouted"]), reason }),
  shape("SetForwardRouting", { mode: closedEnum(["forward"]), forward_to: E164, reason }),
  shape("SetWebhookRouting", {
    mode: closedEnum(["webhook"]),
    webhook_url: WebhookUrl,
    fallback: Type.Optional(Fallback),
    reason,
  }),
]);
export type SetRouting = Static<typeof SetRouting>;

const SHOWN_DESTINATION = {
  mode: openEnum(MODES),
  sip_uri: Type.Optional(Type.String({ maxLength: 255 })),
  connection_id: Type.Optional(Id),
  forward_to: Type.Optional(Type.String({ maxLength: 16 })),
  webhook_url: Type.Optional(Type.String({ maxLength: 2000 })),
  fallback: Type.Optional(
    shape("Fallback", {
      mode: openEnum(MODES),
      sip_uri: Type.Optional(Type.String({ maxLength: 255 })),
      connection_id: Type.Optional(Id),
    }),
  ),
};

/** Stored form: the fallback is always present. */
export const RoutingDestination = shape("RevisedRouting", SHOWN_DESTINATION);

const Generation = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  format: "int64",
  description: "Grows by one with every change of what is desired.",
});

const Setter = shape("RoutingAuthor", {
  kind: openEnum(["session", "api_key", "operator", "system"]),
  id: nullable(Id),
  name: nullable(Type.String({ maxLength: 200 })),
});

const Applied = shape("AppliedRouting", {
  ...SHOWN_DESTINATION,
  generation: Generation,
  observed_at: DateTime,
});

const ErrorText = nullable(Type.String({ maxLength: 500 }));

/** Found or expected value; null if none. */
const DriftedValue = nullable(shape("DriftedDestination", { ...SHOWN_DESTINATION, generation: Generation }));

const Drift = shape("Drift", {
  switch: Type.String({ maxLength: 100 }),
  found: DriftedValue,
  expected: DriftedValue,
  is_various: Type.Boolean({
    description:
      "Whether the switch held another value each time. `found` and `expected` are then those of the last time.",
  }),
  count: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    format: "int32",
    description: "How often it was found.",
  }),
  first_at: DateTime,
  last_at: DateTime,
});

export const Routing = shape("Routing", {
  number_id: Id,
  desired: shape("DesiredRouting", {
    ...SHOWN_DESTINATION,
    generation: Generation,
    set_at: DateTime,
    set_by: Setter,
    reason: nullable(Type.String({ maxLength: 500 })),
  }),
  applied: nullable(Applied),
  status: openEnum(ROUTING_STATUSES),
  since: nullable(DateTime),
  effective_reason: nullable(
    Type.String({
      maxLength: 64,
      description: "Why calls are not routed as desired, such as number_suspended.",
    }),
  ),
  switches: Type.Array(
    shape("SwitchReading", {
      switch: Type.String({ maxLength: 100 }),
      applied: nullable(Applied),
      observed_at: nullable(DateTime),
      error: ErrorText,
    }),
    { maxItems: 1000 },
  ),
  last_error: ErrorText,
  flapping: Flapping,
  drift: nullable({
    ...Drift,
    description: "The last drift, until 10 minutes after it was last found. `null` if there was none.",
  }),
});

export const Revision = shape("RoutingRevision", {
  generation: Generation,
  desired: RoutingDestination,
  set_at: DateTime,
  set_by: Setter,
  reason: nullable(Type.String({ maxLength: 500 })),
});
export type Revision = Static<typeof Revision>;
export const RevisionPage = pageShape("RoutingRevisionPage", Revision);
export const RevisionsQuery = Type.Object(PageQuery, { additionalProperties: false });

const GenerationParameter = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, format: "int64" });
export const DiffQuery = Type.Object(
  { from: GenerationParameter, to: GenerationParameter },
  { additionalProperties: false },
);

export const RoutingDiff = shape("RoutingDiff", {
  from: Generation,
  to: Generation,
  changes: Type.Array(
    shape("RoutingDifference", {
      field: Type.String({ maxLength: 64 }),
      from: nullable(Type.String({ maxLength: 4000 })),
      to: nullable(Type.String({ maxLength: 4000 })),
    }),
    { maxItems: 20 },
  ),
});
export type RoutingDiff = Static<typeof RoutingDiff>;

export const RollBackRouting = shape("RollBackRouting", {
  generation: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    format: "int64",
    description: "The revision whose routing is to be desired again.",
  }),
  reason,
});
export type RollBackRouting = Static<typeof RollBackRouting>;

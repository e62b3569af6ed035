import { type Static, type TSchema, Type } from "typebox";
import { closedEnum, described, Id, openEnum, shape } from "../../platform/http/shapes.ts";
import { CAUSES, type Mode, MODES } from "./routing.modes.rules.ts";

const SipUri = Type.String({
  minLength: 5,
  maxLength: 255,
  examples: ["sip:calls@pbx.example.com:5060"],
  description: "SIP URI to which calls are sent.",
});
const E164 = Type.String({
  pattern: String.raw`^\+[1-9]\d{6,14}$`,
  maxLength: 16,
  examples: ["+442079460000"],
  description: "Phone number in E.164 format.",
});
const WebhookUrl = Type.String({
  format: "uri",
  minLength: 10,
  maxLength: 2000,
  examples: ["https://hooks.example.com/calls"],
  description: "URL of your server, which the switch queries for each call.",
});
const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: "Reason for the change. Shown in the routing history.",
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

const RingSeconds = Type.Optional(
  Type.Integer({
    minimum: 5,
    maximum: 120,
    format: "int32",
    examples: [25],
    description:
      "Seconds to ring before the call fails over with `no_answer`. Defaults to 30 before a fallback for `no_answer`, otherwise 120.",
  }),
);
const Causes = Type.Optional(
  Type.Array(closedEnum(CAUSES), {
    minItems: 1,
    maxItems: CAUSES.length,
    uniqueItems: true,
    description:
      "Failures of the previous destination after which this one takes the call. Defaults to `unreachable` and `no_answer`. After mode `webhook`, this destination also takes calls that your server does not decide, and `on` defaults to none.",
  }),
);

const mode = <const Name extends Mode>(name: Name) => described(closedEnum([name]), "Fallback mode.");

/** One shape for each mode that can ring, with the fields that its place in the routing adds. */
function stepsOf<const More extends Record<string, TSchema>>(name: string, more: More) {
  return [
    shape(`SetSipUri${name}`, {
      mode: mode("sip_uri"),
      sip_uri: SipUri,
      ring_seconds: RingSeconds,
      on: Causes,
      ...more,
    }),
    shape(`SetConnection${name}`, {
      mode: mode("connection"),
      connection_id: described(Id, "ID of the connection."),
      ring_seconds: RingSeconds,
      on: Causes,
      ...more,
    }),
    shape(`SetForward${name}`, {
      mode: mode("forward"),
      forward_to: described(E164, "Phone number in E.164 format to which calls are forwarded."),
      ring_seconds: RingSeconds,
      on: Causes,
      ...more,
    }),
    shape(`SetWebhook${name}`, {
      mode: mode("webhook"),
      webhook_url: WebhookUrl,
      ring_seconds: RingSeconds,
      on: Causes,
      ...more,
    }),
  ] as const;
}

const LastFallback = byMode("SetLastFallback", stepsOf("LastFallback", {}));
const Fallback = byMode("SetFallback", [
  ...stepsOf("Fallback", {
    fallback: Type.Optional(described(LastFallback, "Third destination, if this one fails.")),
  }),
  shape("SetUnroutedFallback", {
    mode: described(
      closedEnum(["unrouted"]),
      "Fallback mode: calls are rejected. Only directly after mode `webhook`.",
    ),
  }),
]);
const fallback = Type.Optional(described(Fallback, "Second destination, if this one fails."));

export const reason = Type.Optional(Reason);
export const SetRouting = byMode("SetRouting", [
  shape("SetSipUriRouting", {
    mode: described(closedEnum(["sip_uri"]), "Routing mode: calls are sent to a SIP URI."),
    sip_uri: SipUri,
    ring_seconds: RingSeconds,
    fallback,
    reason,
  }),
  shape("SetConnectionRouting", {
    mode: described(closedEnum(["connection"]), "Routing mode: calls are sent to a connection."),
    connection_id: described(Id, "ID of the connection."),
    ring_seconds: RingSeconds,
    fallback,
    reason,
  }),
  shape("SetUnrouted", {
    mode: described(closedEnum(["unrouted"]), "Routing mode: calls are rejected."),
    reason,
  }),
  shape("SetForwardRouting", {
    mode: described(closedEnum(["forward"]), "Routing mode: calls are forwarded to a phone number."),
    forward_to: described(E164, "Phone number in E.164 format to which calls are forwarded."),
    ring_seconds: RingSeconds,
    fallback,
    reason,
  }),
  shape("SetWebhookRouting", {
    mode: described(closedEnum(["webhook"]), "Routing mode: your server decides for each call."),
    webhook_url: WebhookUrl,
    ring_seconds: RingSeconds,
    fallback: Type.Optional(
      described(Fallback, "Routing if your server does not respond. Defaults to `unrouted`."),
    ),
    reason,
  }),
]);
export type SetRouting = Static<typeof SetRouting>;

const shownFields = (name: string) => ({
  mode: openEnum(MODES, `${name} mode.`),
  sip_uri: Type.Optional(Type.String({ maxLength: 255, description: "SIP URI. Only in mode `sip_uri`." })),
  connection_id: Type.Optional(described(Id, "ID of the connection. Only in mode `connection`.")),
  forward_to: Type.Optional(
    Type.String({ maxLength: 16, description: "Phone number in E.164 format. Only in mode `forward`." }),
  ),
  webhook_url: Type.Optional(
    Type.String({ maxLength: 2000, description: "URL of your server. Only in mode `webhook`." }),
  ),
  ring_seconds: Type.Optional(
    Type.Integer({
      minimum: 5,
      maximum: 120,
      format: "int32",
      description: "Seconds to ring. Absent if the limit of the switch applies.",
    }),
  ),
});
const shownCauses = Type.Optional(
  Type.Array(openEnum(CAUSES), {
    maxItems: 20,
    description:
      "Failures of the previous destination after which this one takes the call. Absent after mode `webhook` if it takes only calls that your server does not decide.",
  }),
);

export const SHOWN_DESTINATION = {
  ...shownFields("Routing"),
  fallback: Type.Optional(
    described(
      shape("Fallback", {
        ...shownFields("Fallback"),
        on: shownCauses,
        fallback: Type.Optional(
          described(
            shape("LastFallback", { ...shownFields("Fallback"), on: shownCauses }),
            "Third destination, if the second one fails.",
          ),
        ),
      }),
      "Second destination, if the first one fails. In mode `webhook`, the destination if your server does not respond.",
    ),
  ),
};

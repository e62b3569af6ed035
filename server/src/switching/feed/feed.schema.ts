import { type Static, Type } from "typebox";
import { FED_STATES } from "./feed.rules.ts";
import { closedEnum, described, Id, nullable, shape } from "../../platform/http/shapes.ts";

const Version = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64" });
const Shard = Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" });
const Text = (maxLength: number) => Type.String({ maxLength });

/** Random and assigned with each version: it proves which history the version belongs to. */
const VersionToken = Version;

const byShard = (description: string, example: Record<string, number>) =>
  Type.Unsafe<Record<number, number>>({
    type: "object",
    maxProperties: 100_000,
    patternProperties: { "^(0|[1-9][0-9]{0,8})$": { ...Version } },
    additionalProperties: false,
    description,
    examples: [example],
  });

export const FeedPosition = shape("FeedPosition", {
  epoch: nullable(
    Type.String({ maxLength: 200, description: "Epoch of the versions. `null` for a new agent." }),
  ),
  versions: byShard("Version up to which the agent has stored each shard.", { "0": 17, "1": 4 }),
  tokens: Type.Optional(
    byShard("Token of that version for each shard. Shards without a token are sent as a whole.", {
      "0": 5_120_384_417_093_222,
      "1": 880_146_310_952_577,
    }),
  ),
  switch_id: Type.Optional(
    Type.String({
      ...Id,
      description:
        "ID of the switch for which the position was stored. The service ignores positions of other switches.",
    }),
  ),
  can_hold: Type.Optional(
    Type.Boolean({
      description:
        "Whether the agent can keep its state during a restore of the database. Other agents get `feed_held`.",
    }),
  ),
});
export type FeedPosition = Static<typeof FeedPosition>;

const Small = Type.Integer({ minimum: 0, maximum: 100_000, format: "int32" });

/**
 * `Told` and `Held` values have the same shape under different names: responses may get new fields, requests are closed.
 */
const stepFields = () => ({
  mode: described(closedEnum(["sip_uri", "connection", "unrouted", "forward", "webhook"]), "Routing mode."),
  sip_uri: Type.Optional(described(Text(255), "SIP URI. Only in mode `sip_uri`.")),
  connection_id: Type.Optional(described(Id, "ID of the connection. Only in mode `connection`.")),
  forward_to: Type.Optional(described(Text(16), "Phone number in E.164 format. Only in mode `forward`.")),
  webhook_url: Type.Optional(described(Text(2_000), "URL of the customer's server. Only in mode `webhook`.")),
  ring_seconds: Type.Optional(
    described(Small, "Seconds to ring before failing over. Absent for the switch default."),
  ),
});
const causes = () =>
  Type.Optional(
    Type.Array(closedEnum(["unreachable", "no_answer", "busy", "refused"]), {
      maxItems: 4,
      description: "Failures of the previous destination after which this one takes the call.",
    }),
  );
const routeOf = (prefix: "Told" | "Held") =>
  shape(`${prefix}Route`, {
    e164: described(Text(16), "Phone number in E.164 format."),
    ...stepFields(),
    fallback: Type.Optional(
      described(
        shape(`${prefix}RouteFallback`, {
          ...stepFields(),
          on: causes(),
          fallback: Type.Optional(
            described(
              shape(`${prefix}RouteLastFallback`, { ...stepFields(), on: causes() }),
              "Third destination, if the second one fails.",
            ),
          ),
        }),
        "Second destination, if the first one fails, or if the customer's server does not respond.",
      ),
    ),
    is_resting: Type.Optional(
      Type.Boolean({
        description: "Whether the number is in quarantine. Its call records belong to the operator.",
      }),
    ),
  });
const connectionOf = (prefix: "Told" | "Held") =>
  shape(`${prefix}Connection`, {
    targets: Type.Array(
      shape(`${prefix}Target`, {
        host: described(Text(253), "Host name or IP address."),
        port: described(Small, "Port."),
        transport: described(closedEnum(["udp", "tcp", "tls"]), "SIP transport."),
        priority: described(Small, "Priority of the target. Lower values are tried first."),
        weight: described(Small, "Relative share of calls among targets with the same priority."),
      }),
      { maxItems: 100, description: "Targets of the connection." },
    ),
    max_calls: Type.Optional(described(Small, "Maximum number of concurrent calls. Absent for no limit.")),
    ring_seconds: Type.Optional(
      described(Small, "Seconds to ring a target before failing over. Absent for the switch default."),
    ),
    sources: Type.Optional(
      Type.Array(Text(18), {
        maxItems: 20,
        description: "Further addresses and networks from which in-dialog requests are accepted.",
      }),
    ),
  });

/** Value of an item that a switch has read back. */
export const HeldValue = Type.Union([routeOf("Held"), connectionOf("Held")]);

const FeedItems = Type.Array(
  shape("FeedItem", {
    kind: described(closedEnum(["route", "connection"]), "Type of the item."),
    id: described(Id, "ID of the number or connection."),
    version: described(Version, "Version of the item in its shard."),
    generation: described(Version, "Generation of the desired routing or connection."),
    organisation_id: Type.Optional(
      described(Id, "Organisation of the item. Its forwarding limits apply if the route can forward calls."),
    ),
    value: described(
      Type.Union([routeOf("Told"), connectionOf("Told"), Type.Null()]),
      "Desired value. `null` deletes the item.",
    ),
  }),
  { maxItems: 1_000_000 },
);

/** One line of the stream. */
export const FeedMessage = Type.Union(
  [
    shape("FeedHello", {
      type: described(closedEnum(["hello"]), "Message type: first message of the stream."),
      epoch: described(Text(200), "Current epoch of the feed."),
      mode: Type.Optional(
        described(
          closedEnum(["hold"]),
          "During a restore of the database. The agent keeps its items and its position. It saves its state under this epoch, and applies only the `changes` that follow.",
        ),
      ),
      instance: Type.String({
        maxLength: 30,
        description:
          "Instance of the database. If it changes, the agent reports all shards again, so that the service can compare histories.",
      }),
      lineage: Type.String({
        maxLength: 100,
        description:
          "Lineage of the database. It changes if the database is promoted or restored. The agent then sends recent call records again.",
      }),
      features: Type.Array(Text(50), {
        maxItems: 100,
        description:
          "Optional parts of the protocol that the service supports. `tokens`: `tokens` and `switch_id` of a position, `position` and `version_token` of a shard report. `sockets` and `switch_features`: `sockets` and `features` of a report.",
      }),
      switch: described(
        shape("FeedSwitch", {
          id: described(Id, "ID of the switch."),
          name: described(Text(100), "Name of the switch."),
        }),
        "The switch that the credential belongs to.",
      ),
      shards: Type.Array(Shard, { maxItems: 100_000, description: "Shards of the switch group." }),
    }),
    shape("FeedState", {
      type: described(closedEnum(["state"]), "Message type: desired state of the switch."),
      state: Type.Enum([...FED_STATES], {
        description: "Desired state. A draining switch rejects new calls and keeps active calls.",
      }),
    }),
    shape("FeedSnapshot", {
      type: described(closedEnum(["snapshot"]), "Message type: complete contents of a shard."),
      shard: described(Shard, "Number of the shard."),
      version: described(Version, "Version of the shard after this message."),
      version_token: described(VersionToken, "Token of `version`."),
      items: described(FeedItems, "All items of the shard."),
    }),
    shape("FeedChanges", {
      type: described(closedEnum(["changes"]), "Message type: changes of a shard."),
      shard: described(Shard, "Number of the shard."),
      version: described(Version, "Version of the shard after this message."),
      version_token: described(VersionToken, "Token of `version`."),
      items: described(FeedItems, "Changed items of the shard."),
    }),
    shape("FeedReady", {
      type: described(closedEnum(["ready"]), "Message type: the agent has received all current state."),
    }),
    shape("FeedPing", {
      type: described(closedEnum(["ping"]), "Message type: keep-alive, sent every 5 seconds."),
    }),
  ],
  { title: "FeedMessage" },
);

import { type Static, Type } from "typebox";
import { TOLD_STATES } from "./feed.rules.ts";
import { closedEnum, Id, nullable, shape } from "../../platform/http/shapes.ts";

const Version = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64" });
const Shard = Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" });
const Text = (maxLength: number) => Type.String({ maxLength });

const Versions = Type.Unsafe<Record<number, number>>({
  type: "object",
  maxProperties: 100_000,
  patternProperties: {
    "^(0|[1-9][0-9]{0,8})$": {
      type: "integer",
      format: "int64",
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  additionalProperties: false,
  description: "By shard, the version up to which everything is stored.",
  examples: [{ "0": 17, "1": 4 }],
});

export const FeedPosition = shape("FeedPosition", {
  epoch: nullable(
    Type.String({ maxLength: 200, description: "Under which the versions count; null for a new agent." }),
  ),
  versions: Versions,
});
export type FeedPosition = Static<typeof FeedPosition>;

const Small = Type.Integer({ minimum: 0, maximum: 100_000, format: "int32" });

/** Told and held are the same shapes under names of their own: what is answered may grow, what is taken is closed. */
const routeOf = (prefix: "Told" | "Held") =>
  shape(`${prefix}Route`, {
    e164: Text(16),
    mode: closedEnum(["sip_uri", "connection", "unrouted", "forward", "webhook"]),
    sip_uri: Type.Optional(Text(255)),
    connection_id: Type.Optional(Id),
    forward_to: Type.Optional(Text(16)),
    webhook_url: Type.Optional(Text(2_000)),
    fallback: Type.Optional(
      shape(`${prefix}RouteFallback`, {
        mode: closedEnum(["sip_uri", "connection", "unrouted"]),
        sip_uri: Type.Optional(Text(255)),
        connection_id: Type.Optional(Id),
      }),
    ),
    is_resting: Type.Optional(
      Type.Boolean({ description: "Given back and not yet anybody else's: its calls are the operator's." }),
    ),
  });
const connectionOf = (prefix: "Told" | "Held") =>
  shape(`${prefix}Connection`, {
    targets: Type.Array(
      shape(`${prefix}Target`, {
        host: Text(253),
        port: Small,
        transport: closedEnum(["udp", "tcp", "tls"]),
        priority: Small,
        weight: Small,
      }),
      { maxItems: 100 },
    ),
    max_calls: Type.Optional(Small),
    ring_seconds: Type.Optional(Small),
  });

/** What a switch answered it holds under the name of an item. */
export const HeldValue = Type.Union([routeOf("Held"), connectionOf("Held")]);

const FeedItems = Type.Array(
  shape("FeedItem", {
    kind: closedEnum(["route", "connection"]),
    id: Id,
    version: Version,
    generation: Version,
    value: Type.Union([routeOf("Told"), connectionOf("Told"), Type.Null()]),
  }),
  { maxItems: 1_000_000 },
);

/** One line of the stream. */
export const FeedMessage = Type.Union(
  [
    shape("FeedHello", {
      type: closedEnum(["hello"]),
      epoch: Text(200),
      switch: shape("FeedSwitch", { id: Id, name: Text(100) }),
      shards: Type.Array(Shard, { maxItems: 100_000 }),
    }),
    shape("FeedState", {
      type: closedEnum(["state"]),
      state: Type.Enum([...TOLD_STATES], {
        description: "As the operator decided. A draining switch refuses new calls; those that are up go on.",
      }),
    }),
    shape("FeedSnapshot", {
      type: closedEnum(["snapshot"]),
      shard: Shard,
      version: Version,
      items: FeedItems,
    }),
    shape("FeedChanges", { type: closedEnum(["changes"]), shard: Shard, version: Version, items: FeedItems }),
    shape("FeedReady", { type: closedEnum(["ready"]) }),
    shape("FeedPing", { type: closedEnum(["ping"]) }),
  ],
  { title: "FeedMessage" },
);

import { type Static, Type } from "typebox";
import { TOLD_STATES } from "./feed.rules.ts";
import { closedEnum, Id, nullable, shape } from "../../platform/http/shapes.ts";

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
    Type.String({ maxLength: 200, description: "Under which the versions count; null for a new agent." }),
  ),
  versions: byShard("By shard, the version up to which everything is stored.", { "0": 17, "1": 4 }),
  tokens: Type.Optional(
    byShard("By shard, the token of that version. Shards without one are loaded as a whole.", {
      "0": 5_120_384_417_093_222,
      "1": 880_146_310_952_577,
    }),
  ),
  switch_id: Type.Optional(
    Type.String({
      ...Id,
      description:
        "The switch that the position was stored for. If it is another one, the position is ignored.",
    }),
  ),
});
export type FeedPosition = Static<typeof FeedPosition>;

const Small = Type.Integer({ minimum: 0, maximum: 100_000, format: "int32" });

/**
 * `Told` and `Held` values have the same shape under different names: responses may get new fields, requests are closed.
 */
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
    sources: Type.Optional(Type.Array(Text(18), { maxItems: 20 })),
  });

/** Value of an item that a switch has read back. */
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
      instance: Type.String({
        maxLength: 30,
        description:
          "The instance of the database. When it changes, the agent reports every shard again, so that the service can compare histories.",
      }),
      lineage: Type.String({
        maxLength: 100,
        description:
          "Changes when the database is promoted or restored, even if no route is lost. The agent then sends recent call records again.",
      }),
      features: Type.Array(Text(50), {
        maxItems: 100,
        description:
          "Optional parts of the protocol that this service understands. An agent sends only those. `tokens`: `tokens` and `switch_id` of a position, `position` and `version_token` of a shard report.",
      }),
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
      version_token: VersionToken,
      items: FeedItems,
    }),
    shape("FeedChanges", {
      type: closedEnum(["changes"]),
      shard: Shard,
      version: Version,
      version_token: VersionToken,
      items: FeedItems,
    }),
    shape("FeedReady", { type: closedEnum(["ready"]) }),
    shape("FeedPing", { type: closedEnum(["ping"]) }),
  ],
  { title: "FeedMessage" },
);

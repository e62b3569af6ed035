import { type Static, Type } from "typebox";
import { HeldValue } from "../feed/feed.ts";
import { closedEnum, Id, nullable, shape } from "../../platform/http/shapes.ts";

const Version = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64" });
const Text = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: String.raw`^[^\u0000]*$` });
const Moment = Type.String({
  format: "date-time",
  maxLength: 32,
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$`,
  examples: ["2026-11-15T09:30:00.000Z"],
});

const ReportedException = shape("ReportedException", {
  kind: closedEnum(["route", "connection"]),
  id: Id,
  version: Version,
  state: closedEnum(["pending", "failed", "drifted"]),
  applied: nullable(
    shape("ReportedReading", {
      generation: Version,
      value: HeldValue,
    }),
  ),
  error: Type.String({ maxLength: 2_000 }),
  observed_at: Moment,
});

const ShardReport = shape("ShardReport", {
  shard: Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" }),
  version: Version,
  position: Type.Optional({
    ...Version,
    description: "The version up to which the agent has stored the shard.",
  }),
  version_token: Type.Optional({
    ...Version,
    description: "The token of `position`. Proves that both sides mean the same history.",
  }),
  observed_at: Moment,
  exceptions: Type.Array(ReportedException, { maxItems: 100_000 }),
});

const TargetState = closedEnum(["up", "down", "unknown"]);

const ReportedTarget = shape("ReportedTarget", {
  host: Text(253),
  port: Type.Integer({ minimum: 1, maximum: 65_535, format: "int32" }),
  transport: closedEnum(["udp", "tcp", "tls"]),
  state: TargetState,
  addresses: Type.Array(shape("ReportedAddress", { address: Text(60), state: TargetState }), {
    maxItems: 20,
  }),
});

const ReportedHealth = shape("ReportedHealth", {
  connections: Type.Array(
    shape("ReportedConnection", { id: Id, targets: Type.Array(ReportedTarget, { maxItems: 20 }) }),
    {
      maxItems: 1_000,
      description: "Each whole; those not listed are as they were told before. Without targets: it is gone.",
    },
  ),
});

export const SwitchReport = shape("SwitchReport", {
  epoch: Text(200),
  boot: Text(100),
  agent_version: Text(100),
  is_complete: Type.Boolean(),
  shards: Type.Array(ShardReport, { maxItems: 100_000 }),
  sockets: Type.Optional(
    Type.Array(
      Type.String({
        maxLength: 60,
        pattern: String.raw`^[\d.]{7,15}:\d{1,5}$`,
        examples: ["203.0.113.5:5060"],
      }),
      {
        maxItems: 50,
        description: "Where the switch takes calls. No customer's calls are sent there.",
      },
    ),
  ),
  health: Type.Optional({
    ...ReportedHealth,
    description: "How the targets of connections are, where that was read since the last report.",
  }),
});
export type SwitchReport = Static<typeof SwitchReport>;

import { type Static, Type } from "typebox";
import { HeldValue } from "../feed/feed.ts";
import { closedEnum, described, Id, nullable, shape } from "../../platform/http/shapes.ts";

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
  kind: described(closedEnum(["route", "connection"]), "Type of the item."),
  id: described(Id, "ID of the number or connection."),
  version: described(Version, "Version of the item in its shard."),
  state: described(
    closedEnum(["pending", "failed", "drifted"]),
    "`pending`: not applied yet. `failed`: the switch rejected it. `drifted`: the switch holds another value.",
  ),
  applied: described(
    nullable(
      shape("ReportedReading", {
        generation: described(Version, "Generation of the value."),
        value: described(HeldValue, "Value that the switch holds."),
      }),
    ),
    "Value that the switch has read back. `null` if it holds none.",
  ),
  error: Type.String({ maxLength: 2_000, description: "Error of the switch. Empty if there is none." }),
  observed_at: described(Moment, "Time when the switch was read."),
});

const ShardReport = shape("ShardReport", {
  shard: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    format: "int32",
    description: "Number of the shard.",
  }),
  version: described(
    Version,
    "Version up to which the switch has read back the shard, except for `exceptions`.",
  ),
  position: Type.Optional({
    ...Version,
    description: "Version up to which the agent has stored the shard.",
  }),
  version_token: Type.Optional({
    ...Version,
    description: "Token of `position`. It proves that agent and service have the same history.",
  }),
  observed_at: described(Moment, "Time when the switch was read."),
  exceptions: Type.Array(ReportedException, {
    maxItems: 100_000,
    description: "Items that do not have the expected value.",
  }),
});

const TargetState = closedEnum(["up", "down", "unknown"]);

const ReportedTarget = shape("ReportedTarget", {
  host: described(Text(253), "Host name or IP address."),
  port: Type.Integer({ minimum: 1, maximum: 65_535, format: "int32", description: "Port." }),
  transport: described(closedEnum(["udp", "tcp", "tls"]), "SIP transport."),
  state: described(TargetState, "State of the target."),
  addresses: Type.Array(
    shape("ReportedAddress", {
      address: described(Text(60), "IP address and port."),
      state: described(TargetState, "State of the address."),
    }),
    {
      maxItems: 20,
      description: "Addresses that the host name resolves to.",
    },
  ),
});

const ReportedHealth = shape("ReportedHealth", {
  connections: Type.Array(
    shape("ReportedConnection", {
      id: described(Id, "ID of the connection."),
      targets: Type.Array(ReportedTarget, { maxItems: 20, description: "All targets of the connection." }),
    }),
    {
      maxItems: 1_000,
      description:
        "Connections with a changed state. Connections that are not listed keep theirs. An empty target list removes a connection.",
    },
  ),
});

export const SwitchReport = shape("SwitchReport", {
  epoch: described(Text(200), "Epoch of the versions."),
  boot: described(Text(100), "ID of the switch's current start. It changes with every restart."),
  agent_version: described(Text(100), "Version of the agent."),
  is_complete: Type.Boolean({
    description: "Whether the switch has read back all shards and the agent has reported each of them.",
  }),
  shards: Type.Array(ShardReport, {
    maxItems: 100_000,
    description: "Shard reports. An empty list is a keep-alive.",
  }),
  sockets: Type.Optional(
    Type.Array(
      Type.String({
        maxLength: 60,
        pattern: String.raw`^[\d.]{7,15}:\d{1,5}$`,
        examples: ["203.0.113.5:5060"],
      }),
      {
        maxItems: 50,
        description:
          "Addresses on which the switch accepts calls. The service rejects them as customer destinations.",
      },
    ),
  ),
  features: Type.Optional(
    Type.Array(Type.String({ maxLength: 50, pattern: "^[a-z_]{1,50}$", examples: ["failover"] }), {
      maxItems: 50,
      description:
        "Optional abilities of the switch. `failover`: it routes calls with several destinations. `trunks`: it applies the trunks of the service. Values that the service does not know are ignored.",
    }),
  ),
  health: Type.Optional({
    ...ReportedHealth,
    description: "Health of connection targets, if it was read since the last report.",
  }),
});
export type SwitchReport = Static<typeof SwitchReport>;

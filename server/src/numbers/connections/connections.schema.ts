import { type Static, Type } from "typebox";
import { Metadata, MetadataChange } from "../../platform/http/metadata.ts";
import {
  closedEnum,
  DateTime,
  described,
  Id,
  nullable,
  openEnum,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";

const TRANSPORTS = ["udp", "tcp", "tls"] as const;
export type Transport = (typeof TRANSPORTS)[number];

const ConnectionName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: String.raw`^[^\u0000-\u001f\u007f]*\S[^\u0000-\u001f\u007f]*$`,
  examples: ["Head office"],
  description: "Name of the connection.",
});
const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  description: "Public host name or IP address. IPv6 addresses have no brackets.",
  examples: ["pbx.example.com"],
});
const Priority = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 1,
  format: "int32",
  description: "Priority of the target. Lower values are tried first.",
});
const Weight = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 1,
  format: "int32",
  description: "Relative share of calls among targets with the same priority.",
});
const Port = Type.Integer({ minimum: 1, maximum: 65_535, format: "int32", examples: [5060] });
const MaxCalls = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 100_000,
    format: "int32",
    description: "Maximum number of concurrent calls. `null` for no limit.",
    examples: [30],
  }),
);
const RingSeconds = nullable(
  Type.Integer({
    minimum: 5,
    maximum: 300,
    format: "int32",
    description: "Seconds to ring a target before failing over. `null` uses the switch default.",
    examples: [20],
  }),
);

const Sources = Type.Array(
  Type.String({
    maxLength: 18,
    pattern: String.raw`^\d{1,3}(\.\d{1,3}){3}(/(2[4-9]|3[0-2]))?$`,
    examples: ["203.0.113.0/28"],
  }),
  {
    maxItems: 20,
    description:
      "Further public addresses and networks (/24 to /32) of your cluster. Switches accept in-dialog requests such as BYE from them, as from the targets.",
  },
);

const SetTarget = shape("SetConnectionTarget", {
  host: Host,
  port: Type.Optional({ ...Port, description: "Port (default: 5060, or 5061 for `tls`)." }),
  transport: Type.Optional({ ...closedEnum(TRANSPORTS), default: "udp", description: "SIP transport." }),
  priority: Type.Optional(Priority),
  weight: Type.Optional(Weight),
  health: Type.Optional(
    Type.Object(
      {
        state: Type.String({ maxLength: 64, description: "Ignored." }),
        switches: Type.Array(Type.Unknown(), { maxItems: 1000, description: "Ignored." }),
      },
      {
        additionalProperties: false,
        description: "Ignored, so that you can send targets as you received them.",
      },
    ),
  ),
});
export type SetTarget = Static<typeof SetTarget>;

const SetTargets = Type.Array(SetTarget, {
  minItems: 1,
  maxItems: 20,
  description: "Targets of the connection.",
});

export const CreateConnection = shape("CreateConnection", {
  name: ConnectionName,
  targets: SetTargets,
  max_calls: Type.Optional(MaxCalls),
  ring_seconds: Type.Optional(RingSeconds),
  sources: Type.Optional(Sources),
  metadata: Type.Optional(Metadata),
});
export type CreateConnection = Static<typeof CreateConnection>;

export const ChangeConnection = shape("ChangeConnection", {
  name: Type.Optional(ConnectionName),
  targets: Type.Optional(SetTargets),
  max_calls: Type.Optional(MaxCalls),
  ring_seconds: Type.Optional(RingSeconds),
  sources: Type.Optional(Sources),
  metadata: Type.Optional(MetadataChange),
});
export type ChangeConnection = Static<typeof ChangeConnection>;

const TARGET_STATES = ["up", "down", "unknown"] as const;
export type TargetState = (typeof TARGET_STATES)[number];
const State = openEnum(TARGET_STATES);

const TargetHealth = shape("TargetHealth", {
  state: {
    ...State,
    description:
      "Combined state. `down`: the target does not respond to at least one switch. `unknown`: at least one switch cannot tell, or there are no reports. `up`: it responds to all switches.",
  },
  switches: Type.Array(
    shape("TargetReading", {
      switch: Type.String({ maxLength: 100, description: "Name of the switch." }),
      state: {
        ...State,
        description:
          "`up`: the target responds to SIP OPTIONS. `down`: it does not, or its name does not resolve. `unknown`: no check yet, or the switch has stopped reporting.",
      },
      addresses: Type.Array(
        shape("TargetAddress", {
          address: Type.String({
            maxLength: 60,
            examples: ["203.0.113.9:5060"],
            description: "IP address and port.",
          }),
          state: described(State, "State of this address."),
        }),
        {
          maxItems: 20,
          description: "Addresses that the host name resolves to at this switch, each checked separately.",
        },
      ),
      since: nullable({
        ...DateTime,
        description: "Time since which the target has this state. `null` if unknown.",
      }),
      checked_at: nullable({
        ...DateTime,
        description: "Time of the switch's last health report. `null` if there was none.",
      }),
    }),
    { maxItems: 1000, description: "State of the target at each switch." },
  ),
});
export type TargetHealth = Static<typeof TargetHealth>;

export const Connection = shape("Connection", {
  id: described(Id, "ID of the connection."),
  name: Type.String({ maxLength: 100, description: "Name of the connection." }),
  targets: Type.Array(
    shape("ConnectionTarget", {
      host: Type.String({ maxLength: 253, description: "Host name or IP address." }),
      port: described(Port, "Port."),
      transport: openEnum(TRANSPORTS, "SIP transport."),
      priority: Priority,
      weight: Weight,
      health: described(TargetHealth, "Health of the target."),
    }),
    { maxItems: 20, description: "Targets of the connection." },
  ),
  max_calls: MaxCalls,
  ring_seconds: RingSeconds,
  sources: Sources,
  metadata: Metadata,
  generation: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    format: "int64",
    description:
      "Revision number. Increases by 1 with each change, except of metadata, which switches do not have. Also the `ETag`.",
  }),
  in_use_by: Type.Integer({
    minimum: 0,
    maximum: 1000,
    format: "int32",
    description: "Count of numbers whose routing or fallback uses the connection, up to 1,000.",
  }),
  created_at: described(DateTime, "Time when the connection was created."),
  updated_at: described(DateTime, "Time of the last change."),
});
export type Connection = Static<typeof Connection>;

export const ConnectionPage = pageShape("ConnectionPage", Connection);

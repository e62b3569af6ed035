import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
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
});
const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  description: "A name or an address; IPv6 without brackets. It must be public.",
  examples: ["pbx.example.com"],
});
const Priority = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 1,
  format: "int32",
  description: "Lower is tried first.",
});
const Weight = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 1,
  format: "int32",
  description: "Share of the calls among targets of one priority.",
});
const Port = Type.Integer({ minimum: 1, maximum: 65_535, format: "int32", examples: [5060] });
const MaxCalls = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 100_000,
    format: "int32",
    description: "Calls at once; null for no limit.",
    examples: [30],
  }),
);
const RingSeconds = nullable(
  Type.Integer({
    minimum: 5,
    maximum: 300,
    format: "int32",
    description:
      "How long a target may ring before the next is tried; null for what the switch does by itself.",
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
      "Addresses and networks (/24 to /32) of your cluster beside its targets: hang-ups and other requests within a call are accepted from there too. They must be public.",
  },
);

const SetTarget = shape("SetConnectionTarget", {
  host: Host,
  port: Type.Optional({ ...Port, description: "5060 when left out; 5061 for tls." }),
  transport: Type.Optional({ ...closedEnum(TRANSPORTS), default: "udp" }),
  priority: Type.Optional(Priority),
  weight: Type.Optional(Weight),
  health: Type.Optional(
    Type.Object(
      {
        state: Type.String({ maxLength: 64 }),
        switches: Type.Array(Type.Unknown(), { maxItems: 1000 }),
      },
      {
        additionalProperties: false,
        description: "Ignored: targets may be sent back as they were read.",
      },
    ),
  ),
});
export type SetTarget = Static<typeof SetTarget>;

const SetTargets = Type.Array(SetTarget, { minItems: 1, maxItems: 20 });

export const CreateConnection = shape("CreateConnection", {
  name: ConnectionName,
  targets: SetTargets,
  max_calls: Type.Optional(MaxCalls),
  ring_seconds: Type.Optional(RingSeconds),
  sources: Type.Optional(Sources),
});
export type CreateConnection = Static<typeof CreateConnection>;

export const ChangeConnection = shape("ChangeConnection", {
  name: Type.Optional(ConnectionName),
  targets: Type.Optional(SetTargets),
  max_calls: Type.Optional(MaxCalls),
  ring_seconds: Type.Optional(RingSeconds),
  sources: Type.Optional(Sources),
});
export type ChangeConnection = Static<typeof ChangeConnection>;

const TARGET_STATES = ["up", "down", "unknown"] as const;
export type TargetState = (typeof TARGET_STATES)[number];
const State = openEnum(TARGET_STATES);

const TargetHealth = shape("TargetHealth", {
  state: {
    ...State,
    description:
      "Of all switches that know the connection: `down` if one gets no answer, else `unknown` if one cannot tell or there is none, else `up`.",
  },
  switches: Type.Array(
    shape("TargetReading", {
      switch: Type.String({ maxLength: 100 }),
      state: {
        ...State,
        description:
          "`up`: it answers the switch's questions (SIP OPTIONS). `down`: it does not, or its name leads to no address. `unknown`: it was not asked yet, or the switch has not been heard of for a while.",
      },
      addresses: Type.Array(
        shape("TargetAddress", {
          address: Type.String({ maxLength: 60, examples: ["203.0.113.9:5060"] }),
          state: State,
        }),
        { maxItems: 20, description: "What its name leads to there, each asked by itself." },
      ),
      since: nullable({ ...DateTime, description: "Since when it is so; null where nobody knows." }),
      checked_at: nullable({
        ...DateTime,
        description: "When the switch last said how its targets are; null if never.",
      }),
    }),
    { maxItems: 1000 },
  ),
});
export type TargetHealth = Static<typeof TargetHealth>;

export const Connection = shape("Connection", {
  id: Id,
  name: Type.String({ maxLength: 100 }),
  targets: Type.Array(
    shape("ConnectionTarget", {
      host: Type.String({ maxLength: 253 }),
      port: Port,
      transport: openEnum(TRANSPORTS),
      priority: Priority,
      weight: Weight,
      health: TargetHealth,
    }),
    { maxItems: 20 },
  ),
  max_calls: MaxCalls,
  ring_seconds: RingSeconds,
  sources: Sources,
  generation: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    format: "int64",
    description: "Grows by one with every change; also the ETag.",
  }),
  in_use_by: Type.Integer({
    minimum: 0,
    maximum: 1000,
    format: "int32",
    description: "Numbers whose routing or fallback names it; counted up to 1,000.",
  }),
  created_at: DateTime,
  updated_at: DateTime,
});
export type Connection = Static<typeof Connection>;

export const ConnectionPage = pageShape("ConnectionPage", Connection);

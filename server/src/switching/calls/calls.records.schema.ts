import { type Static, Type } from "typebox";
import { closedEnum, DateTime, nullable, openEnum, shape } from "../../platform/http/shapes.ts";

const Text = (maxLength: number, example: string) =>
  nullable(
    Type.String({
      minLength: 1,
      maxLength,
      pattern: String.raw`^[^\u0000-\u001f\u007f]*$`,
      examples: [example],
    }),
  );
/** To the microsecond: the moment a call began is part of what identifies it. */
const Moment = Type.String({
  maxLength: 27,
  pattern: String.raw`^20\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$`,
  examples: ["2026-11-15T09:30:00.000000Z"],
});
const Milliseconds = nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" }));
const MODES = ["sip_uri", "connection", "unrouted", "forward", "webhook"] as const;
const Mode = Type.Unsafe<(typeof MODES)[number] | null>({ type: ["string", "null"], enum: [...MODES, null] });
const ENDERS = ["caller", "callee", "switch"] as const;
const Ender = Type.Unsafe<(typeof ENDERS)[number] | null>({
  type: ["string", "null"],
  enum: [...ENDERS, null],
});
const Uuid = String.raw`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`;

export const CallAttempt = shape("CallAttempt", {
  step: Type.Integer({
    minimum: 1,
    maximum: 100,
    format: "int32",
    description: "Counts the destinations of a routing; 1 unless it has a failover.",
  }),
  mode: openEnum(["sip_uri", "connection", "forward"]),
  host: nullable(
    Type.String({
      maxLength: 253,
      description: "As the routing or connection names it; null for a gateway.",
    }),
  ),
  address: Type.String({
    maxLength: 60,
    description: "Where the switch sent the call.",
    examples: ["203.0.113.9:5060"],
  }),
  transport: openEnum(["udp", "tcp", "tls"]),
  outcome: openEnum(["answered", "unreachable", "no_answer", "busy", "refused", "cancelled", "unknown"]),
  code: nullable(
    Type.Integer({
      minimum: 200,
      maximum: 699,
      format: "int32",
      description: "SIP status of the target's final response; null if there was none.",
    }),
  ),
  started_at: DateTime,
  ringing_at: nullable(DateTime),
  ended_at: nullable({ ...DateTime, description: "When the target answered or the switch gave up on it." }),
});

const Attempt = Type.Object(
  {
    ...CallAttempt.properties,
    started_at: Moment,
    ringing_at: nullable(Moment),
    ended_at: nullable(Moment),
  },
  { additionalProperties: false },
);

export const CallRecord = shape("CallRecord", {
  id: Type.String({
    maxLength: 32,
    pattern: "^[0-9a-f]{32}$",
    examples: ["d1d65e35312d4db28306db0d41a81a3a"],
    description: "The same however often it is sent.",
  }),
  started_at: Moment,
  answered_at: nullable(Moment),
  ended_at: nullable(Moment),
  ending: closedEnum(["refused", "hung_up", "unknown"]),
  number_id: nullable(
    Type.String({ maxLength: 36, pattern: Uuid, examples: ["0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"] }),
  ),
  mode: Mode,
  generation: nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64" })),
  trunk: Text(100, "acme"),
  code: nullable(Type.Integer({ minimum: 100, maximum: 699, format: "int32" })),
  why: Text(64, "unrouted"),
  caller: Text(255, "+442079460000"),
  called: Text(255, "+4930901820"),
  target: Text(500, "sip:calls@pbx.example.com"),
  sip_call_id: Text(255, "1-11035@sip.example.com"),
  // Agents of an earlier version send none of these.
  ended_by: Type.Optional(Ender),
  setup_ms: Type.Optional(Milliseconds),
  ring_ms: Type.Optional(Milliseconds),
  q850: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 127, format: "int32" }))),
  gateway: Type.Optional(Text(100, "acme")),
  caller_raw: Type.Optional(Text(255, "02079460000")),
  asserted_caller: Type.Optional(Text(255, "+442079460000")),
  attempts: Type.Optional(Type.Array(Attempt, { maxItems: 100 })),
});
export type CallRecord = Static<typeof CallRecord>;

const MAX_RECORDS = 1_000;

/** Accepts anything else too: one invalid record must not block the others of its batch. */
const SentRecord = Type.Unsafe<unknown>({ anyOf: [CallRecord, { title: "AnythingElse" }] });

export const CallRecordBatch = shape("CallRecordBatch", {
  records: Type.Array(SentRecord, { minItems: 1, maxItems: MAX_RECORDS }),
});

const RejectedRecord = shape("RejectedRecord", {
  index: Type.Integer({ minimum: 0, maximum: MAX_RECORDS, format: "int32" }),
  code: closedEnum(["malformed", "too_old", "in_the_future"]),
  detail: Type.String({ maxLength: 500 }),
});
export type RejectedRecord = Static<typeof RejectedRecord>;

export const CallRecordReceipt = shape("CallRecordReceipt", {
  epoch: nullable(
    Type.String({ maxLength: 200, description: "Acknowledged under another one, records are sent again." }),
  ),
  acknowledged: Type.Array(Type.String({ maxLength: 32 }), { maxItems: MAX_RECORDS }),
  rejected: Type.Array(RejectedRecord, { maxItems: MAX_RECORDS }),
});
export type CallRecordReceipt = Static<typeof CallRecordReceipt>;

import { type Static, Type } from "typebox";
import { closedEnum, DateTime, described, nullable, openEnum, shape } from "../../platform/http/shapes.ts";

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
    description:
      "Position of the destination in the routing, starting at 1. Greater than 1 only after a failover.",
  }),
  mode: openEnum(["sip_uri", "connection", "forward"], "Mode of the destination."),
  host: nullable(
    Type.String({
      maxLength: 253,
      description: "Host name or address, as in the routing or connection. `null` for a gateway.",
    }),
  ),
  address: Type.String({
    maxLength: 60,
    description: "IP address and port to which the switch sent the call.",
    examples: ["203.0.113.9:5060"],
  }),
  transport: openEnum(["udp", "tcp", "tls"], "SIP transport."),
  outcome: openEnum(
    ["answered", "unreachable", "no_answer", "busy", "refused", "cancelled", "unknown"],
    "Result of the attempt.",
  ),
  code: nullable(
    Type.Integer({
      minimum: 200,
      maximum: 699,
      format: "int32",
      description: "SIP status code of the target's final response. `null` if there was none.",
    }),
  ),
  started_at: described(DateTime, "Time when the switch sent the call to the target."),
  ringing_at: described(nullable(DateTime), "Time when the target started to ring. `null` if it did not."),
  ended_at: nullable({
    ...DateTime,
    description: "Time when the target answered or the attempt ended. `null` if unknown.",
  }),
});

const Attempt = Type.Object(
  {
    ...CallAttempt.properties,
    started_at: described(Moment, "Time when the switch sent the call to the target."),
    ringing_at: described(nullable(Moment), "Time when the target started to ring. `null` if it did not."),
    ended_at: described(
      nullable(Moment),
      "Time when the target answered or the attempt ended. `null` if unknown.",
    ),
  },
  { additionalProperties: false },
);

export const CallRecord = shape("CallRecord", {
  id: Type.String({
    maxLength: 32,
    pattern: "^[0-9a-f]{32}$",
    examples: ["d1d65e35312d4db28306db0d41a81a3a"],
    description: "ID of the call. A repeated record has the same ID.",
  }),
  started_at: described(Moment, "Time of the INVITE, to the microsecond."),
  answered_at: described(nullable(Moment), "Time when the call was answered. `null` if it was not."),
  ended_at: described(nullable(Moment), "Time when the call ended. `null` if unknown."),
  ending: described(
    closedEnum(["refused", "hung_up", "unknown"]),
    "`refused`: the call was not answered. `hung_up`: it was answered and ended. `unknown`: it was answered and its end is unknown.",
  ),
  number_id: nullable(
    Type.String({
      maxLength: 36,
      pattern: Uuid,
      examples: ["0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"],
      description: "ID of the number. `null` if the call matched no number.",
    }),
  ),
  mode: described(Mode, "Routing mode that handled the call. `null` if there was none."),
  generation: nullable(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      format: "int64",
      description: "Generation of the routing that handled the call. `null` if there was none.",
    }),
  ),
  trunk: described(Text(100, "acme"), "Trunk from which the call arrived. `null` if unknown."),
  code: nullable(
    Type.Integer({
      minimum: 100,
      maximum: 699,
      format: "int32",
      description: "Final SIP status code. `null` if unknown.",
    }),
  ),
  why: described(Text(64, "unrouted"), "Reason for which the switch ended the call. `null` if it did not."),
  caller: described(Text(255, "+442079460000"), "Caller's number in E.164 format. `null` if there is none."),
  called: described(Text(255, "+4930901820"), "Called number. `null` if unknown."),
  target: described(
    Text(500, "sip:calls@pbx.example.com"),
    "Target to which the switch sent the call. `null` if there was none.",
  ),
  sip_call_id: described(
    Text(255, "1-11035@sip.example.com"),
    "Call-ID of the carrier's INVITE. `null` if unknown.",
  ),
  // Agents of an earlier version send none of these.
  ended_by: Type.Optional(described(Ender, "Party that ended the call. `null` if unknown.")),
  setup_ms: Type.Optional(
    described(
      Milliseconds,
      "Milliseconds from the INVITE until the call rings, or until it is answered without ringing. `null` if neither happened.",
    ),
  ),
  ring_ms: Type.Optional(
    described(
      Milliseconds,
      "Milliseconds from the first ringing until the call is answered or ends. `null` if it never rang.",
    ),
  ),
  q850: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: 127,
        format: "int32",
        description: "Q.850 cause of the other party. `null` if it sent none.",
      }),
    ),
  ),
  gateway: Type.Optional(
    described(Text(100, "acme"), "Gateway that carried a forwarded call. `null` if there was none."),
  ),
  caller_raw: Type.Optional(
    described(Text(255, "02079460000"), "Caller's number as the carrier sent it. `null` if there is none."),
  ),
  asserted_caller: Type.Optional(
    described(
      Text(255, "+442079460000"),
      "Caller's number as asserted by a trusted trunk. `null` if there is none.",
    ),
  ),
  attempts: Type.Optional(
    Type.Array(Attempt, { maxItems: 100, description: "Targets that the switch tried, in order." }),
  ),
});
export type CallRecord = Static<typeof CallRecord>;

const MAX_RECORDS = 1_000;

/** Accepts anything else too: one invalid record must not block the others of its batch. */
const SentRecord = Type.Unsafe<unknown>({ anyOf: [CallRecord, { title: "AnythingElse" }] });

export const CallRecordBatch = shape("CallRecordBatch", {
  records: Type.Array(SentRecord, {
    minItems: 1,
    maxItems: MAX_RECORDS,
    description: "Call records. Each invalid record is rejected separately.",
  }),
});

const RejectedRecord = shape("RejectedRecord", {
  index: Type.Integer({
    minimum: 0,
    maximum: MAX_RECORDS,
    format: "int32",
    description: "Index of the record in the request, starting at 0.",
  }),
  code: described(
    closedEnum(["malformed", "too_old", "in_the_future"]),
    "`malformed`: the record is invalid. `too_old`: the call is older than the retention period. `in_the_future`: a time is in the future.",
  ),
  detail: Type.String({ maxLength: 500, description: "Explanation of the rejection." }),
});
export type RejectedRecord = Static<typeof RejectedRecord>;

export const CallRecordReceipt = shape("CallRecordReceipt", {
  epoch: nullable(
    Type.String({
      maxLength: 200,
      description: "Epoch of the receipt. If it changes, send the records again. `null` if there is none.",
    }),
  ),
  acknowledged: Type.Array(Type.String({ maxLength: 32 }), {
    maxItems: MAX_RECORDS,
    description: "IDs of the stored records.",
  }),
  rejected: Type.Array(RejectedRecord, {
    maxItems: MAX_RECORDS,
    description: "Records that were not stored. Do not send them again.",
  }),
});
export type CallRecordReceipt = Static<typeof CallRecordReceipt>;

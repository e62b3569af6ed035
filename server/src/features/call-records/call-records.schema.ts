import { type Static, Type } from "typebox";
import { closedEnum, nullable, shape } from "../../platform/http/shapes.ts";

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
const MODES = ["sip_uri", "connection", "unrouted", "forward", "webhook"] as const;
const Mode = Type.Unsafe<(typeof MODES)[number] | null>({ type: ["string", "null"], enum: [...MODES, null] });
const Uuid = String.raw`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`;

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
});
export type CallRecord = Static<typeof CallRecord>;

const MAX_RECORDS = 1_000;

/** Anything else is let in too: one record that is none must not hold up those it was sent with. */
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

import { type Static, Type } from "typebox";
import { DateTime, Id, nullable, openEnum, shape } from "../../platform/http/shapes.ts";

export const MAX_IDS = 200;
const MODES = ["sip_uri", "connection", "unrouted", "forward", "webhook"] as const;

export const LiveQuery = Type.Object(
  {
    ids: Type.Array(Type.String({ maxLength: 16_384, examples: ["0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"] }), {
      minItems: 1,
      maxItems: MAX_IDS,
      description: `Ids of numbers, 1 to ${MAX_IDS} as sent: separated by commas, or the parameter repeated.`,
    }),
  },
  { additionalProperties: false },
);

const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" });

export const LiveNumber = shape("LiveNumber", {
  number_id: Id,
  active_calls: Count,
  calls_last_minute: Count,
  last_call_at: nullable(DateTime),
  applied_mode: nullable(openEnum(MODES)),
  switch_online: Type.Boolean({
    description: "Whether every switch of the number has been heard of lately.",
  }),
  observed_at: nullable(DateTime),
});
export type LiveNumber = Static<typeof LiveNumber>;

export const LiveNumbers = shape("LiveNumbers", {
  as_of: DateTime,
  data: Type.Array(LiveNumber, { maxItems: MAX_IDS }),
  missing: Type.Array(Id, {
    maxItems: MAX_IDS,
    description: "Ids that are no number of this organisation's on this side.",
  }),
});
export type LiveNumbers = Static<typeof LiveNumbers>;

export const LiveEvents = Type.String({
  maxLength: 100_000_000,
  examples: [
    'id: 5XzYb2bJcVQnX0dE6Sx3rw\nevent: live\ndata: {"as_of":"2026-11-15T09:30:00.000Z","data":[],"missing":[]}\n\n',
  ],
});

const Moment = Type.String({
  maxLength: 24,
  pattern: String.raw`^20\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$`,
  examples: ["2026-11-15T09:30:00.000Z"],
});

const ReportedNumber = shape("ReportedNumber", {
  number_id: Id,
  active_calls: Type.Integer({ minimum: 0, maximum: 1_000_000, format: "int32" }),
  calls_last_minute: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0, format: "int32" }),
  ),
  last_call_at: Type.Optional(nullable(Moment)),
});

export const LiveReport = shape("LiveReport", {
  session: Id,
  sequence: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64" }),
  is_snapshot: Type.Boolean({
    description: "All numbers with calls, now or within the last minute; else those that have changed.",
  }),
  numbers: Type.Array(ReportedNumber, { maxItems: 50_000 }),
});
export type LiveReport = Static<typeof LiveReport>;

export const LiveReceipt = shape("LiveReceipt", {
  is_taken: Type.Boolean({ description: "If not, a report before it is missing: send a snapshot." }),
});

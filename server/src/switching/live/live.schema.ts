import { type Static, Type } from "typebox";
import { DateTime, described, Id, nullable, openEnum, shape } from "../../platform/http/shapes.ts";

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
  number_id: described(Id, "ID of the number."),
  active_calls: described(Count, "Count of active calls."),
  calls_last_minute: described(Count, "Count of calls that started within the last minute."),
  last_call_at: described(nullable(DateTime), "Start of the newest call. `null` if there is none."),
  applied_mode: nullable(
    openEnum(MODES, "Applied routing mode. `null` if unknown, and for the role `member`."),
  ),
  switch_online: Type.Boolean({
    description: "Whether every switch that serves this number is reporting.",
  }),
  observed_at: described(
    nullable(DateTime),
    "Time of the oldest of the switches' last reports. `null` if a switch has not reported.",
  ),
});
export type LiveNumber = Static<typeof LiveNumber>;

export const LiveNumbers = shape("LiveNumbers", {
  as_of: described(DateTime, "Time of the response."),
  data: Type.Array(LiveNumber, { maxItems: MAX_IDS, description: "Numbers in the order of the request." }),
  missing: Type.Array(Id, {
    maxItems: MAX_IDS,
    description: "Requested IDs that match no number in this organisation and environment.",
  }),
});
export type LiveNumbers = Static<typeof LiveNumbers>;

export const LiveEvents = Type.String({
  maxLength: 100_000_000,
  examples: [
    'id: 5XzYb2bJcVQnX0dE6Sx3rw\nevent: live\ndata: {"as_of":"2026-11-15T09:30:00.000Z","data":[],"missing":[]}\n\n',
  ],
  description: "Server-sent events. The data of each event is a `LiveNumbers` object.",
});

const Moment = Type.String({
  maxLength: 24,
  pattern: String.raw`^20\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$`,
  examples: ["2026-11-15T09:30:00.000Z"],
});

const ReportedNumber = shape("ReportedNumber", {
  number_id: described(Id, "ID of the number."),
  active_calls: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    format: "int32",
    description: "Count of active calls.",
  }),
  calls_last_minute: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000_000,
      default: 0,
      format: "int32",
      description: "Count of calls that started within the last minute.",
    }),
  ),
  last_call_at: Type.Optional(
    described(nullable(Moment), "Start of the newest call. `null` or absent if there is none."),
  ),
});

export const LiveReport = shape("LiveReport", {
  session: described(Id, "ID of the agent's reporting session. A new session starts with a snapshot."),
  sequence: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    format: "int64",
    description: "Position of the report in its session. Increases by 1 with each report.",
  }),
  is_snapshot: Type.Boolean({
    description:
      "Whether the report contains all numbers with calls now or within the last minute. If false, it contains only changed numbers.",
  }),
  numbers: Type.Array(ReportedNumber, { maxItems: 50_000, description: "Numbers and their calls." }),
});
export type LiveReport = Static<typeof LiveReport>;

export const LiveReceipt = shape("LiveReceipt", {
  is_taken: Type.Boolean({
    description:
      "Whether the report was accepted. If false, an earlier report is missing and you must send a snapshot.",
  }),
});

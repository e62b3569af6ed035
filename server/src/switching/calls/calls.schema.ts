import { type Static, Type } from "typebox";
import { CallAttempt } from "./calls.records.ts";
import { UsageMoment } from "../usage/usage.ts";
import { DateTime, nullable, openEnum, pageShape, PageQuery, shape } from "../../platform/http/shapes.ts";

const Milliseconds = (description: string) =>
  nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32", description }));
const Edge = (description: string) => Type.Optional(Type.String({ ...UsageMoment, description }));
const WINDOW = {
  from: Edge("Calls that began at this moment or later."),
  to: Edge("Calls that began before this moment."),
};

export const CallsQuery = Type.Object({ ...WINDOW, ...PageQuery }, { additionalProperties: false });
export const CallsExportQuery = Type.Object(WINDOW, { additionalProperties: false });
export type CallsWindow = Static<typeof CallsExportQuery>;

export const Call = shape("Call", {
  id: Type.String({ maxLength: 32, examples: ["d1d65e35312d4db28306db0d41a81a3a"] }),
  started_at: DateTime,
  answered_at: nullable(DateTime),
  ended_at: nullable(DateTime),
  result: openEnum(["answered", "busy", "no_answer", "cancelled", "rejected", "failed"]),
  ending: openEnum(["refused", "hung_up", "unknown"]),
  ended_by: nullable(
    Type.String({
      maxLength: 40,
      description: "`caller`, `callee` or `switch`; null if unknown.",
      examples: ["caller"],
    }),
  ),
  setup_ms: Milliseconds("From the INVITE to the first ringing, or to the answer of a call that never rang."),
  ring_ms: Milliseconds("From the first ringing to the answer or the end; null for a call that never rang."),
  talk_seconds: Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" }),
  mode: nullable(Type.String({ maxLength: 40, description: "Of the routing that the call found." })),
  generation: nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64" })),
  code: nullable(Type.Integer({ minimum: 100, maximum: 699, format: "int32", description: "Of SIP." })),
  reason: nullable(Type.String({ maxLength: 64, description: "Why the switch ended it, where it did." })),
  q850: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 127,
      format: "int32",
      description: "Cause by ITU-T Q.850, if the other side gave one.",
    }),
  ),
  switch: nullable(Type.String({ maxLength: 100 })),
  caller: nullable(
    Type.String({
      maxLength: 255,
      description:
        "In E.164. Null if the caller sent no number, withheld it, or when the time is over for which callers are kept.",
    }),
  ),
  caller_raw: nullable(
    Type.String({ maxLength: 255, description: "As the carrier sent it; kept as long as the caller." }),
  ),
  target: nullable(Type.String({ maxLength: 500, description: "Kept as long as the caller." })),
  attempts: Type.Array(CallAttempt, {
    maxItems: 100,
    description: "Every target that the switch tried, in order; kept as long as the caller.",
  }),
  sip_call_id: nullable(
    Type.String({
      maxLength: 255,
      description: "Call-ID of the carrier's INVITE; kept as long as the caller.",
      examples: ["1-11035@sip.example.com"],
    }),
  ),
});
export type Call = Static<typeof Call>;
export const CallPage = pageShape("CallPage", Call);

export const CallTable = Type.String({
  maxLength: 2_000_000_000,
  description:
    "One line per call, with the members of Call as columns. A text that a spreadsheet would take for a formula begins with an apostrophe.",
  examples: ["id,started_at,answered_at\r\nd1d65e35312d4db28306db0d41a81a3a,2026-11-15T09:30:00.000Z,\r\n"],
});

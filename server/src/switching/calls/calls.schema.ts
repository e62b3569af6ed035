import { type Static, Type } from "typebox";
import { CallAttempt } from "./calls.records.ts";
import { RoutingDestination } from "../../numbers/routing/routing.ts";
import {
  DateTime,
  described,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { windowOf } from "../../platform/http/window.ts";

const Milliseconds = (description: string) =>
  nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32", description }));
export const WINDOW = windowOf("calls that started");

export const RESULTS = ["answered", "busy", "no_answer", "cancelled", "rejected", "failed"] as const;

/** Why a switch ends a call itself. docs/calls.md explains each, in this order. */
export const REASONS = [
  "unrouted",
  "no_address",
  "no_target",
  "not_sent",
  "no_answer",
  "target_failed",
  "redirected",
  "connection_full",
  "webhook_refused",
  "prefix_barred",
  "forward_loop",
  "forward_rate",
  "forwards_at_once",
  "organisation_full",
  "organisation_calls",
  "organisation_minutes",
  "no_gateway",
  "gateway_full",
  "gateway_barred",
  "max_length",
  "never_acknowledged",
  "late_answer",
  "unknown_number",
  "not_a_number",
  "unknown_source",
  "too_many_hops",
  "trunk_full",
  "cannot_tell",
  "draining",
] as const;

export const CallsQuery = Type.Object({ ...WINDOW, ...PageQuery }, { additionalProperties: false });
export const CallsExportQuery = Type.Object(WINDOW, { additionalProperties: false });
export type CallsWindow = Static<typeof CallsExportQuery>;

export const Call = shape("Call", {
  id: Type.String({
    maxLength: 32,
    examples: ["d1d65e35312d4db28306db0d41a81a3a"],
    description: "ID of the call.",
  }),
  number_id: described(Id, "ID of the called number."),
  e164: Type.String({
    maxLength: 16,
    examples: ["+493010000001"],
    description: "Called number in E.164 format.",
  }),
  started_at: described(DateTime, "Time when the call arrived at the switch."),
  answered_at: described(nullable(DateTime), "Time when the call was answered. `null` if it was not."),
  ended_at: described(nullable(DateTime), "Time when the call ended. `null` if unknown."),
  result: openEnum(RESULTS, "Result of the call."),
  ending: described(
    openEnum(["refused", "hung_up", "unknown"]),
    "`refused`: the call was not answered. `hung_up`: it was answered and ended. `unknown`: it was answered and its end is unknown. New values may be added.",
  ),
  ended_by: nullable(
    Type.String({
      maxLength: 40,
      description: "Party that ended the call: `caller`, `callee` or `switch`. `null` if unknown.",
      examples: ["caller"],
    }),
  ),
  setup_ms: Milliseconds(
    "Milliseconds from the INVITE until the call rings, or until it is answered without ringing. `null` if neither happened.",
  ),
  ring_ms: Milliseconds(
    "Milliseconds from the first ringing until the call is answered or ends. `null` if it never rang.",
  ),
  talk_seconds: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    format: "int32",
    description: "Talk time in seconds, rounded up. 0 if the call was not answered.",
  }),
  mode: nullable(
    Type.String({
      maxLength: 40,
      description: "Routing mode that handled the call. `null` if there was none.",
    }),
  ),
  generation: nullable(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      format: "int64",
      description: "Generation of the routing that handled the call. `null` if there was none.",
    }),
  ),
  step: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      format: "int32",
      description:
        "Position in the routing of the last destination that the call tried. Greater than 1 after a failover. `null` if it tried none, and for calls from before this field.",
    }),
  ),
  connection_id: described(
    nullable(Id),
    "ID of the connection that the switch used. `null` if it used none, and for calls from before this field.",
  ),
  code: nullable(
    Type.Integer({
      minimum: 100,
      maximum: 699,
      format: "int32",
      description: "Final SIP status code. `null` if unknown.",
    }),
  ),
  reason: nullable(
    openEnum(REASONS, "Reason for which the switch rejected or ended the call. `null` if it did neither."),
  ),
  q850: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 127,
      format: "int32",
      description: "ITU-T Q.850 cause of the other party. `null` if it sent none.",
    }),
  ),
  switch: nullable(
    Type.String({
      maxLength: 100,
      description: "Name of the switch that handled the call. `null` if unknown.",
    }),
  ),
  caller: nullable(
    Type.String({
      maxLength: 255,
      description:
        "Caller's number in E.164 format. `null` if it was withheld or not sent, and after the retention period.",
    }),
  ),
  caller_raw: nullable(
    Type.String({
      maxLength: 255,
      description: "Caller's number as the carrier sent it. `null` after the retention period of `caller`.",
    }),
  ),
  target: nullable(
    Type.String({
      maxLength: 500,
      description:
        "Target that received the call. `null` if there was none, and after the retention period of `caller`.",
    }),
  ),
  attempts: Type.Array(CallAttempt, {
    maxItems: 100,
    description: "Targets that the switch tried, in order. Empty after the retention period of `caller`.",
  }),
  sip_call_id: nullable(
    Type.String({
      maxLength: 255,
      description: "Call-ID of the carrier's INVITE. `null` after the retention period of `caller`.",
      examples: ["1-11035@sip.example.com"],
    }),
  ),
  misrouted: nullable(
    Type.Boolean({
      description:
        "Whether the call reached another target than the desired routing of its generation names. `null` if unknown: without a target, in mode `webhook`, for a connection that has changed since the call, and after the retention period of `caller`.",
    }),
  ),
});
export type Call = Static<typeof Call>;
export const CallPage = pageShape("CallPage", Call);

const CallId = Type.String({
  maxLength: 32,
  pattern: "^[0-9a-f]{32}$",
  examples: ["d1d65e35312d4db28306db0d41a81a3a"],
  description: "ID of the call.",
});
export const ByCallId = Type.Object({ id: CallId }, { additionalProperties: false });

export const CallDetail = shape("CallDetail", {
  ...Call.properties,
  called: nullable(
    Type.String({
      maxLength: 255,
      description: "Called number in the INVITE. `null` after the retention period of `caller`.",
    }),
  ),
  received_at: described(DateTime, "Time when the service received the record of the call."),
  destination: described(
    nullable(RoutingDestination),
    "Desired routing of the call's generation. `null` if unknown.",
  ),
});
export type CallDetail = Static<typeof CallDetail>;

export const CallTable = Type.String({
  maxLength: 2_000_000_000,
  description:
    "CSV with one line per call and the fields of `Call` as columns. Text that a spreadsheet would read as a formula starts with an apostrophe.",
  examples: ["id,started_at,answered_at\r\nd1d65e35312d4db28306db0d41a81a3a,2026-11-15T09:30:00.000Z,\r\n"],
});

import { type Static, Type } from "typebox";
import { DateTime, described, Id, nullable, shape } from "../../platform/http/shapes.ts";

const Moment = Type.String({
  maxLength: 24,
  pattern: String.raw`^20\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$`,
  examples: ["2026-11-15T09:30:00.000Z"],
});

const OpenCall = shape("OpenCall", {
  number_id: described(Id, "ID of the number."),
  oldest_began_at: described(Moment, "Start of the number's oldest active call."),
});

const MAX_OPEN = 5_000;

export const CallStanding = shape("CallStanding", {
  settled_through: Type.String({
    ...Moment,
    description:
      "Watermark: all calls that started before this time have ended and their records are acknowledged, except those in `open`.",
  }),
  open: Type.Array(OpenCall, {
    maxItems: MAX_OPEN,
    description: "All numbers with an active call that started before `settled_through`.",
  }),
  max_call_seconds: Type.Integer({
    minimum: 1,
    maximum: 604_800,
    format: "int32",
    description: "Maximum duration of a call in seconds. The switch ends longer calls.",
  }),
  clock_offset_ms: nullable(
    Type.Integer({
      minimum: -2_147_483_647,
      maximum: 2_147_483_647,
      format: "int32",
      description:
        "Milliseconds by which the agent's clock is ahead of `at` in the last response. `null` if unknown.",
    }),
  ),
  is_disk_full: Type.Optional(
    Type.Boolean({
      description: "Whether the agent's disk has no space for further records (default: false).",
    }),
  ),
});
export type CallStanding = Static<typeof CallStanding>;

export const CallStandingReceipt = shape("CallStandingReceipt", {
  at: Type.String({ ...DateTime, description: "Current time of the service." }),
});

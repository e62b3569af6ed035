import { type Static, Type } from "typebox";
import { DateTime, Id, nullable, shape } from "../../platform/http/shapes.ts";

const Moment = Type.String({
  maxLength: 24,
  pattern: String.raw`^20\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$`,
  examples: ["2026-11-15T09:30:00.000Z"],
});

const OpenCall = shape("OpenCall", {
  number_id: Id,
  oldest_began_at: Moment,
});

const MAX_OPEN = 5_000;

export const CallStanding = shape("CallStanding", {
  settled_through: Type.String({
    ...Moment,
    description:
      "Every call that began before this is over and its record acknowledged, but for the calls of `open`.",
  }),
  open: Type.Array(OpenCall, {
    maxItems: MAX_OPEN,
    description: "Numbers with a call that began before `settled_through` and is still up, all of them.",
  }),
  max_call_seconds: Type.Integer({
    minimum: 1,
    maximum: 604_800,
    format: "int32",
    description: "The switch ends calls after this.",
  }),
  clock_offset_ms: nullable(
    Type.Integer({
      minimum: -2_147_483_647,
      maximum: 2_147_483_647,
      format: "int32",
      description: "How far the clock beside the switch is ahead of `at` of the last answer.",
    }),
  ),
  is_disk_full: Type.Optional(
    Type.Boolean({ description: "There is no room left for records beside the switch. No when left out." }),
  ),
});
export type CallStanding = Static<typeof CallStanding>;

export const CallStandingReceipt = shape("CallStandingReceipt", {
  at: Type.String({ ...DateTime, description: "What time it is here." }),
});

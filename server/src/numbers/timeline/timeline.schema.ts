import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  described,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { DriftedValue, Generation, RoutingDifference, Setter } from "../routing/routing.ts";

export const KINDS = ["set", "applied", "failed", "drifted", "state"] as const;
const STATES = [
  "added",
  "suspended",
  "resumed",
  "releasing",
  "release_failed",
  "quarantined",
  "released",
  "restoring",
  "restore_failed",
  "restored",
] as const;

const Milliseconds = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64" });

export const TimelineEntry = shape("TimelineEntry", {
  kind: described(
    openEnum(KINDS),
    "`set`: the desired routing changed. `applied`: a switch confirmed a routing. `failed`: a switch rejected it. `drifted`: a switch held another value. `state`: the number itself changed. New values may be added.",
  ),
  at: described(DateTime, "Time of the entry. For `failed` and `drifted`, the time of the first report."),
  until: described(
    nullable(DateTime),
    "Time when a failure ended or a drift was last repaired. `null` if it is not over, and for other kinds.",
  ),
  switch: nullable(
    Type.String({ maxLength: 100, description: "Name of the switch. `null` for `set` and `state`." }),
  ),
  revision: described(
    nullable(Generation),
    "Generation of the desired routing that the entry is about. `null` for `drifted` and `state`.",
  ),
  state: described(
    nullable(openEnum(STATES)),
    "Change of the number, such as `suspended`. Only for `state`. New values may be added.",
  ),
  actor: described(nullable(Setter), "Caller who made the change. `null` if a switch reported the entry."),
  reason: nullable(
    Type.String({ maxLength: 500, description: "Reason for the change. `null` if none was given." }),
  ),
  changes: Type.Array(RoutingDifference, {
    maxItems: 20,
    description: "Fields that the revision changed. Empty for kinds other than `set`.",
  }),
  found: described(
    DriftedValue,
    "Value that the switch held or, for `applied`, confirmed. `null` if it held none, and for other kinds.",
  ),
  expected: described(
    DriftedValue,
    "Value that the switch should have held. Only for `failed` and `drifted`. `null` if none.",
  ),
  error: nullable(
    Type.String({ maxLength: 500, description: "Error of the switch. Only for `failed` and `drifted`." }),
  ),
  count: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      format: "int32",
      description: "Number of times the drift was found. Only for `drifted`.",
    }),
  ),
  took_ms: described(
    nullable(Milliseconds),
    "Milliseconds from the change to its confirmation by the switch. Only for `applied`.",
  ),
  wrong_ms: described(
    nullable(Milliseconds),
    "Milliseconds for which the switch held another value, over all findings. Only for `drifted`.",
  ),
});
export type TimelineEntry = Static<typeof TimelineEntry>;
export const TimelinePage = pageShape("TimelinePage", TimelineEntry);

export const TimelineQuery = Type.Object(
  {
    ...PageQuery,
    kind: Type.Optional(described(closedEnum(KINDS), "Only entries of this kind.")),
  },
  { additionalProperties: false },
);
export type TimelineQuery = Static<typeof TimelineQuery>;

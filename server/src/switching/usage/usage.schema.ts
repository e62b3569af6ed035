import { type Static, Type } from "typebox";
import { closedEnum, DateTime, Id, nullable, shape } from "../../platform/http/shapes.ts";
import { MAX_BUCKETS } from "./usage.rules.ts";

/** UTC; what follows the milliseconds is cut off. */
export const UsageMoment = Type.String({
  maxLength: 30,
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?Z$`,
  examples: ["2026-11-01T00:00:00Z"],
});
const WINDOW = {
  from: Type.String({
    ...UsageMoment,
    description: "Where the window begins, UTC, ending in Z; cut to milliseconds.",
  }),
  to: Type.String({
    ...UsageMoment,
    description: "Where it ends: what begins at this moment is not in it.",
  }),
};
const Granularity = Type.Optional(closedEnum(["hour", "day"]));

export const UsageQuery = Type.Object(
  { ...WINDOW, granularity: Granularity },
  { additionalProperties: false },
);
export type UsageQuery = Static<typeof UsageQuery>;

export const TopNumbersQuery = Type.Object(
  {
    ...WINDOW,
    by: Type.Optional(closedEnum(["calls", "answered", "talk_seconds"])),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 20,
        format: "int32",
        description: "How many at most.",
      }),
    ),
  },
  { additionalProperties: false },
);
export type TopNumbersQuery = Static<typeof TopNumbersQuery>;

const Count = (description?: string) =>
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    format: "int64",
    ...(description && { description }),
  });

const COUNTS = {
  calls: Count("Each has one of the six results."),
  answered: Count(),
  busy: Count(),
  no_answer: Count(),
  cancelled: Count("The caller gave up."),
  rejected: Count(),
  failed: Count(),
  talk_seconds: Count("The seconds of each call rounded up, added."),
  forwarded_seconds: Count("Of these, in calls that were forwarded."),
};
export const UsageTotals = shape("UsageTotals", COUNTS);
export type UsageTotals = Static<typeof UsageTotals>;

const UsageBucket = shape("UsageBucket", { from: DateTime, to: DateTime, ...COUNTS });

const USAGE = {
  from: Type.String({ ...DateTime, description: "The window that was used." }),
  to: DateTime,
  exact: Type.Boolean({
    description: "False where an edge had to be moved to the full hour: records that old are gone.",
  }),
  as_of: Type.String({ ...DateTime, description: "When this was counted." }),
  complete_through: nullable(
    Type.String({
      ...DateTime,
      description:
        "No call that began before this is still up or has still to be reported; null while a switch has not said how far it is.",
    }),
  ),
  unreachable_switches: Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: 1000,
    description: "Switches not heard of, which may have calls to report.",
  }),
  totals: UsageTotals,
  buckets: Type.Optional(
    Type.Array(UsageBucket, {
      maxItems: MAX_BUCKETS,
      description: "Only where `granularity` was asked for.",
    }),
  ),
};
export const NumberUsage = shape("NumberUsage", { number_id: Id, ...USAGE });
export type NumberUsage = Static<typeof NumberUsage>;

export const OrganisationUsage = shape("OrganisationUsage", USAGE);
export type OrganisationUsage = Static<typeof OrganisationUsage>;

export const TopNumbers = shape("TopNumbers", {
  from: DateTime,
  to: DateTime,
  exact: Type.Boolean({ description: "False where an edge had to be moved to the full day." }),
  as_of: DateTime,
  data: Type.Array(
    shape("TopNumber", {
      number_id: Id,
      e164: Type.String({ maxLength: 16 }),
      label: nullable(Type.String({ maxLength: 200 })),
      ...COUNTS,
    }),
    { maxItems: 1000 },
  ),
});
export type TopNumbers = Static<typeof TopNumbers>;

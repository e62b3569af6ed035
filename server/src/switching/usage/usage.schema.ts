import { type Static, Type } from "typebox";
import { closedEnum, DateTime, described, Id, nullable, shape } from "../../platform/http/shapes.ts";
import { Moment } from "../../platform/http/window.ts";
import { MAX_BUCKETS } from "./usage.rules.ts";

/** UTC; what follows the milliseconds is cut off. */
const WINDOW = {
  from: Type.String({
    ...Moment,
    description: "Start of the window, inclusive: UTC time that ends in `Z`, truncated to milliseconds.",
  }),
  to: Type.String({
    ...Moment,
    description: "End of the window, exclusive: UTC time that ends in `Z`, truncated to milliseconds.",
  }),
};
const Granularity = Type.Optional(
  described(
    closedEnum(["hour", "day", "month"]),
    "Size of the buckets. Without it, the response has only totals. Hours are those of UTC, days and months those of `time_zone`.",
  ),
);
const TimeZone = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: "^[A-Za-z][A-Za-z0-9_+/-]*$",
    examples: ["Europe/Berlin"],
    description:
      "Time zone of days and months: a name of the IANA time zone database (default: `UTC`). On a day on which the clocks change, the bucket has 23 or 25 hours.",
  }),
);

export const UsageQuery = Type.Object(
  { ...WINDOW, granularity: Granularity, time_zone: TimeZone },
  { additionalProperties: false },
);
export type UsageQuery = Static<typeof UsageQuery>;

export const TopNumbersQuery = Type.Object(
  {
    ...WINDOW,
    by: Type.Optional(
      described(closedEnum(["calls", "answered", "talk_seconds"]), "Field to sort by (default: `calls`)."),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 20,
        format: "int32",
        description: "Maximum number of results.",
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
  calls: Count("Count of all calls. Each has one of the six results."),
  answered: Count("Count of answered calls."),
  busy: Count("Count of calls to a busy target."),
  no_answer: Count("Count of calls that were not answered in time."),
  cancelled: Count("Count of calls that the caller cancelled."),
  rejected: Count("Count of calls that the target or the switch rejected."),
  failed: Count("Count of calls that failed for technical reasons."),
  talk_seconds: Count("Talk time in seconds, rounded up for each call."),
  forwarded_seconds: Count("Talk time in seconds of forwarded calls. Included in `talk_seconds`."),
};
export const UsageTotals = shape("UsageTotals", COUNTS);
export type UsageTotals = Static<typeof UsageTotals>;

const UsageBucket = shape("UsageBucket", {
  from: described(DateTime, "Start of the bucket, inclusive."),
  to: described(DateTime, "End of the bucket, exclusive."),
  ...COUNTS,
});

const USAGE = {
  from: Type.String({ ...DateTime, description: "Start of the window that was counted." }),
  to: described(DateTime, "End of the window that was counted."),
  exact: Type.Boolean({
    description:
      "If false, the window was widened to full hours, or days within it begin at a full hour. For a number, this happens only if older call records have expired.",
  }),
  as_of: Type.String({ ...DateTime, description: "Time of the count." }),
  complete_through: nullable(
    Type.String({
      ...DateTime,
      description:
        "All calls that started before this time are counted. `null` until every switch has reported.",
    }),
  ),
  unreachable_switches: Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: 1000,
    description: "Switches that have stopped reporting and may have uncounted calls.",
  }),
  totals: described(UsageTotals, "Totals of the window."),
  buckets: Type.Optional(
    Type.Array(UsageBucket, {
      maxItems: MAX_BUCKETS,
      description: "Totals of each hour, day or month. Only with `granularity`.",
    }),
  ),
};
export const NumberUsage = shape("NumberUsage", { number_id: described(Id, "ID of the number."), ...USAGE });
export type NumberUsage = Static<typeof NumberUsage>;

export const OrganisationUsage = shape("OrganisationUsage", USAGE);
export type OrganisationUsage = Static<typeof OrganisationUsage>;

export const TopNumbers = shape("TopNumbers", {
  from: described(DateTime, "Start of the window that was counted."),
  to: described(DateTime, "End of the window that was counted."),
  exact: Type.Boolean({ description: "If false, the window was widened to full days." }),
  as_of: described(DateTime, "Time of the count."),
  data: Type.Array(
    shape("TopNumber", {
      number_id: described(Id, "ID of the number."),
      e164: Type.String({ maxLength: 16, description: "Phone number in E.164 format." }),
      label: nullable(
        Type.String({ maxLength: 200, description: "Label of the number. `null` if there is none." }),
      ),
      ...COUNTS,
    }),
    { maxItems: 1000, description: "Busiest numbers, in descending order of `by`." },
  ),
});
export type TopNumbers = Static<typeof TopNumbers>;

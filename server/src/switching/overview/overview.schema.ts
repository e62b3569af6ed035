import { type Static, Type } from "typebox";
import { DateTime, described, nullable, openEnum, shape } from "../../platform/http/shapes.ts";
import { DriftedValue } from "../../numbers/routing/routing.ts";

export const PROBLEM_KINDS = [
  "number_failing",
  "number_drifting",
  "number_flapping",
  "connection_failing",
  "connection_drifting",
  "connection_unreachable",
  "webhook_endpoint_disabled",
  "order_failed",
  "switch_silent",
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

const SUBJECT_TYPES = ["number", "connection", "webhook_endpoint", "order", "switch"] as const;
const SWITCH_STATES = ["reporting", "joining", "draining", "silent"] as const;

const Count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64", description });

const NumberCounts = shape("OverviewNumbers", {
  total: Count("Count of held numbers: active, suspended and being released."),
  in_sync: Count("Numbers that every switch has read back as desired, with a reachable destination."),
  pending: Count("Numbers with a change that is not confirmed yet."),
  failed: Count("Numbers whose routing a switch rejected."),
  drifted: Count("Numbers for which a switch held another value at its last report."),
  unknown: Count("Numbers of switches that have stopped reporting."),
  unreachable: Count("Numbers in sync whose connection has no target that responds."),
  unrouted: Count("Numbers without a destination. They are also counted in one of the states."),
  is_complete: Type.Boolean({
    description:
      "Whether every deviation was counted. If false, more than 2,000 numbers deviate, and `unknown` includes the uncounted ones.",
  }),
});

const ProblemSubject = shape("ProblemSubject", {
  type: openEnum(SUBJECT_TYPES, "Type of the resource."),
  id: nullable(
    Type.String({
      maxLength: 36,
      examples: ["0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"],
      description: "ID of the resource. `null` for a switch.",
    }),
  ),
  label: nullable(
    Type.String({
      maxLength: 2000,
      examples: ["+493010000001"],
      description:
        "Phone number, name, URL or external reference. `null` if there is none or the caller cannot read it.",
    }),
  ),
});

export const OverviewProblem = shape("OverviewProblem", {
  kind: openEnum(PROBLEM_KINDS, "Kind of the problem."),
  since: described(DateTime, "Start of the problem. The start of the oldest one if `count` is more than 1."),
  subject: described(nullable(ProblemSubject), "Affected resource. `null` if `count` is more than 1."),
  switch: nullable(
    Type.String({
      maxLength: 100,
      description: "Name of the switch. `null` if none or several are involved.",
    }),
  ),
  found: described(
    DriftedValue,
    "Value that the switch held. `null` if it held none, and for callers who cannot read routing.",
  ),
  expected: described(
    DriftedValue,
    "Value that the switch should hold. `null` for other kinds of problem, and for callers who cannot read routing.",
  ),
  error: nullable(
    Type.String({
      maxLength: 500,
      description: "Cause. `null` if there is none or the caller cannot read it.",
    }),
  ),
  times_found: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      format: "int32",
      description: "Times the drift was found. `null` for other kinds.",
    }),
  ),
  count: Count(
    "Count of problems in this entry. If a kind has too many, they are one entry. Counting stops at 500.",
  ),
  numbers_affected: described(
    nullable(Count("")),
    "Count of numbers that the problem affects. `null` if they were not counted.",
  ),
  calls_failed: described(
    nullable(Count("")),
    "Failed calls since the start of the problem, within 24 hours at most. Only for one number or connection. `null` if there were 200 calls or more.",
  ),
  calls_misrouted: described(nullable(Count("")), "Reserved. Always `null`: use `misrouted` of each call."),
});
export type OverviewProblem = Static<typeof OverviewProblem>;

const OverviewSwitch = shape("OverviewSwitch", {
  name: Type.String({ maxLength: 100, description: "Name of the switch." }),
  state: openEnum(
    SWITCH_STATES,
    "`joining`: it has not read back everything yet. `draining`: it is being taken out of service. `silent`: it has stopped reporting.",
  ),
  observed_at: described(DateTime, "Time of the last report."),
  active_calls: described(
    nullable(Count("")),
    "Active calls of the organisation's numbers. `null` if the switch is silent.",
  ),
});

const Usual = nullable(
  shape("UsualRange", {
    low: Type.Number({ minimum: 0, description: "10th percentile." }),
    high: Type.Number({ minimum: 0, description: "90th percentile." }),
  }),
);

const Figure = (value: string) =>
  shape("OverviewFigure", {
    value: nullable(Type.Number({ minimum: 0, description: value })),
    usual: described(
      Usual,
      "Usual range at this time: the same weekday and ten minutes of the last four weeks. `null` with less than two weeks of calls.",
    ),
  });

const OverviewCalls = shape("OverviewCalls", {
  active: described(
    Figure("Value. `null` if unknown."),
    "Active calls. Their usual range is a mean of ten minutes.",
  ),
  last_10_minutes: described(
    Figure("Value. `null` if unknown."),
    "Calls that started in the last full ten minutes, such as 09:20 to 09:30, and have ended.",
  ),
  today: described(Figure("Value. `null` if unknown."), "Calls since midnight (UTC) that have ended."),
  answered: described(
    Figure("Value. `null` if unknown."),
    "Share of today's calls that were answered, from 0 to 1. `null` without calls.",
  ),
  buckets: Type.Array(
    shape("CallBucket", {
      from: described(DateTime, "Start of the ten minutes."),
      calls: described(nullable(Count("")), "Calls that started in them. `null` in the future."),
      answered: described(nullable(Count("")), "Answered calls. `null` in the future."),
      usual: described(Usual, "Usual count of calls. `null` with less than two weeks of calls."),
    }),
    { maxItems: 144, description: "Ten minutes each, from midnight to midnight (UTC)." },
  ),
});
export type OverviewCalls = Static<typeof OverviewCalls>;

export const Overview = shape("Overview", {
  as_of: described(DateTime, "Time of the response."),
  numbers: described(
    NumberCounts,
    "Counts of numbers. The states from `in_sync` to `unreachable` add up to `total`.",
  ),
  problems: Type.Array(OverviewProblem, { maxItems: 20, description: "Open problems, longest first." }),
  switches: Type.Array(OverviewSwitch, {
    maxItems: 1000,
    description: "Switches that serve the organisation's numbers.",
  }),
  calls: described(OverviewCalls, "Calls now and today, with their usual range."),
});
export type Overview = Static<typeof Overview>;

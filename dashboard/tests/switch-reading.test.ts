import type { Routing } from "@dialplane/sdk";
import { expect, test } from "vitest";
import { holdsExpected, readingOf } from "../src/numbers/switch-reading.ts";

type Reading = Routing["switches"][number];
type Value = NonNullable<Reading["expected"]>;

const AT = "2026-11-15T09:30:00.000Z";
const to = (user: string, generation = 2): Value => ({
  mode: "sip_uri",
  sip_uri: `sip:${user}@pbx.example.com`,
  generation,
});
const reading = (rest: Partial<Reading>): Reading => ({
  switch: "fra-1",
  applied: { ...to("desk"), observed_at: AT },
  expected: to("desk"),
  observed_at: AT,
  error: null,
  applied_at: AT,
  took_ms: 200,
  ...rest,
});
const held = (value: Value): Reading["applied"] => ({ ...value, observed_at: AT });
const routing = (rest: Partial<Routing> = {}): Routing => ({
  number_id: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11",
  desired: { ...to("desk"), set_at: AT, set_by: { kind: "session", id: null, name: "Ada" }, reason: null },
  applied: held(to("desk")),
  status: "in_sync",
  since: AT,
  effective_reason: null,
  switches: [],
  chain: [],
  last_error: null,
  flapping: false,
  drift: null,
  ...rest,
});
const drift: NonNullable<Routing["drift"]> = {
  switch: "fra-1",
  found: to("other"),
  expected: to("desk"),
  is_various: false,
  count: 4,
  first_at: AT,
  last_at: AT,
};

test.each([
  ["the expected value", {}, {}, "matches"],
  ["another value of the same generation", { applied: held(to("other")) }, {}, "differs"],
  ["an older generation", { applied: held(to("desk", 1)) }, { status: "pending" }, "applying"],
  ["nothing yet", { applied: null, observed_at: null }, { status: "pending" }, "unreported"],
  ["nothing, and should hold nothing", { applied: null, expected: null }, {}, "none"],
  ["an error", { error: "500 refused" }, { status: "failed" }, "failed"],
  ["the expected value at its last report", {}, { status: "unknown" }, "stale"],
  ["the expected value between two drifts", {}, { flapping: true, drift }, "flapping"],
  ["a found value", { applied: held(to("other")) }, { status: "drifted", drift }, "differs"],
] as const)("a switch that holds %s", (_says, ofSwitch, ofRouting, state) => {
  expect(readingOf(routing(ofRouting), reading(ofSwitch)).state).toBe(state);
});

test("compares steps whatever the order of their causes", () => {
  const steps = (...on: ("busy" | "no_answer")[]): Value => ({
    ...to("desk"),
    fallback: { ...to("night"), on },
  });
  expect(
    holdsExpected(
      reading({ applied: held(steps("busy", "no_answer")), expected: steps("no_answer", "busy") }),
    ),
  ).toBe(true);
  expect(holdsExpected(reading({ applied: held(steps("busy")), expected: steps("no_answer") }))).toBe(false);
  expect(holdsExpected(reading({ applied: held(to("desk")), expected: steps("busy") }))).toBe(false);
});

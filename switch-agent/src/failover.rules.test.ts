import { expect, test } from "vitest";
import { FAILURE_CAUSES, type RouteStep } from "./control-plane.ts";
import { failureOf, nextStep } from "./failover.rules.ts";

const uri = { mode: "sip_uri", sip_uri: "sip:a@192.0.2.1" } as const;

test.each([
  [200, undefined],
  [302, "unreachable"],
  [401, "unreachable"],
  [403, "refused"],
  [404, "refused"],
  [407, "unreachable"],
  [408, "no_answer"],
  [480, "unreachable"],
  [486, "busy"],
  [488, "refused"],
  [500, "unreachable"],
  [503, "unreachable"],
  [600, "busy"],
  [603, "refused"],
])("a response of %i is the failure %s", (code, failure) => {
  expect(failureOf(code)).toBe(failure);
});

test("a fallback takes the failures that it lists, and all that a webhook leaves undecided", () => {
  for (const failure of FAILURE_CAUSES)
    for (const listed of FAILURE_CAUSES) {
      const fallback: RouteStep = { ...uri, on: [listed] };
      expect(nextStep({ ...uri, fallback }, failure)).toBe(failure === listed ? fallback : undefined);
    }
  const fallback: RouteStep = { mode: "unrouted" };
  const asked: RouteStep = { mode: "webhook", webhook_url: "https://h.example", fallback };
  expect(nextStep(asked, "undecided")).toBe(fallback);
  expect(nextStep(asked, "busy")).toBeUndefined();
  expect(nextStep(uri, "undecided")).toBeUndefined();
});

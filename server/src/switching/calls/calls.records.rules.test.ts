import { expect, test } from "vitest";
import { resultOf } from "./calls.records.rules.ts";

test.each([
  ["hung_up", 200, null, "answered"],
  ["hung_up", null, null, "answered"],
  ["unknown", 200, null, "answered"],
  ["hung_up", 200, "late_answer", "answered"],
  ["refused", 486, null, "busy"],
  ["refused", 600, null, "busy"],
  ["refused", 486, "connection_full", "busy"],
  ["refused", 480, null, "no_answer"],
  ["refused", 408, null, "no_answer"],
  ["refused", 480, "no_answer", "no_answer"],
  ["refused", 487, null, "cancelled"],
  ["refused", 480, "unrouted", "rejected"],
  ["refused", 403, null, "rejected"],
  ["refused", 603, null, "rejected"],
  ["refused", 404, "unknown_number", "rejected"],
  ["refused", 480, "target_failed", "failed"],
  ["refused", 500, null, "failed"],
  ["refused", 302, null, "failed"],
  ["refused", 503, "draining", "not_served"],
  ["refused", 503, "cannot_tell", "not_served"],
  ["refused", 480, "gateway_barred", "failed"],
  ["refused", 486, "organisation_full", "busy"],
  ["refused", 480, "organisation_calls", "rejected"],
  ["refused", 480, "organisation_minutes", "rejected"],
  ["hung_up", 200, "organisation_minutes", "answered"],
] as const)("a call that ended %s with %s and %s was %s", (ending, code, why, result) => {
  expect(resultOf({ ending, code, why })).toBe(result);
});

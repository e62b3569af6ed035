import { describe, expect, test } from "vitest";
import { betterOf, isOurs, outcomeOf, outcomeOfOwned, patternsOf } from "./telnyx.rules.ts";

describe("what a status means", () => {
  test.each([
    ["success", "bought"],
    ["failure", "refused"],
    ["failed", "refused"],
    ["pending", "pending"],
    ["something new", "pending"],
  ])("%s: %s", (status, outcome) => expect(outcomeOf(status)).toBe(outcome));

  test.each(["deleted", "ported-out", "purchase-failed", "port-failed", "port-pending"])(
    "a number that is %s is not ours",
    (status) => expect(isOurs({ status })).toBe(false),
  );
  test.each(["active", "purchase-pending", "emergency-only", "port-out-pending", "something-new"])(
    "a number that is %s is ours",
    (status) => expect(isOurs({ status })).toBe(true),
  );

  test("of several orders the best outcome counts", () => {
    expect(betterOf(undefined, "refused")).toBe("refused");
    expect(betterOf("refused", "bought")).toBe("bought");
    expect(betterOf("bought", "refused")).toBe("bought");
    expect(betterOf("pending", "refused")).toBe("pending");
  });

  test("a number whose papers are looked at is still to come", () => {
    expect(outcomeOfOwned("requirement-info-pending")).toBe("pending");
    expect(outcomeOfOwned("active")).toBe("bought");
  });
});

describe("what is searched for, with the national number", () => {
  test.each([
    [{}, "44", [{}]],
    [{ prefix: "4420" }, "44", [{ starts_with: "20" }]],
    [{ prefix: "4" }, "44", [{}]],
    [{ prefix: "44" }, "44", [{}]],
    [{ prefix: "4520" }, "44", []],
    [{ contains: "20" }, "44", [{ contains: "20" }]],
    [{ contains: "4" }, "44", [{}]],
    [{ contains: "4420" }, "44", [{ contains: "4420" }, { starts_with: "20" }, { starts_with: "420" }]],
    [{ contains: "5320" }, "353", [{ contains: "5320" }, { starts_with: "20" }]],
    [{ contains: "99", prefix: "3531" }, "353", [{ starts_with: "1" }]],
  ])("%o in +%s: %o", (wanted, callingCode, patterns) => {
    expect(patternsOf(wanted, callingCode)).toEqual(patterns);
  });
});

import { expect, test } from "vitest";
import { divide, type Part } from "./forwarding.rules.ts";

const part = (switchId: string, most: number | null, used: number, isServing = true): Part => ({
  switchId,
  most,
  used,
  isServing,
});

test("divides an unused limit equally, and gives the remainder to one switch", () => {
  const parts = [part("a", null, 0), part("b", null, 0), part("c", null, 0)];
  expect(parts.map(({ switchId }) => divide(100, switchId, parts))).toEqual([34, 33, 33]);
  expect(parts.map(({ switchId }) => divide(1, switchId, parts))).toEqual([1, 0, 0]);
});

test("gives most of the rest to the switch with the calls", () => {
  const parts = [part("a", 500, 300), part("b", 100, 0)];
  expect(divide(1_000, "b", parts)).toBe(175);
  expect(divide(1_000, "a", [parts[0]!, part("b", 175, 0)])).toBe(825);
});

test("gives an idle switch some of a small limit, so that it does not reject the first call", () => {
  const parts = [part("a", null, 2), part("b", null, 0)];
  expect(parts.map(({ switchId }) => divide(5, switchId, parts))).toEqual([4, 1]);
});

test("gives nothing to a switch without numbers of the organisation", () => {
  const parts = [part("a", null, 0), part("b", null, 0, false)];
  expect(divide(10, "a", parts)).toBe(10);
  expect(divide(10, "b", parts)).toBe(0);
});

test("waits for what another switch may still enforce", () => {
  expect(divide(100, "a", [part("a", null, 0), part("b", 100, 0)])).toBe(0);
  expect(divide(100, "a", [part("a", null, 0), part("b", 80, 0)])).toBe(20);
});

test("stops at what was used when the limit is exceeded", () => {
  expect(divide(100, "a", [part("a", 60, 70), part("b", 40, 45)])).toBe(60);
});

/** Switches sync in any order, lose contact, use what they hold, and the operator changes nothing. */
test("all that switches may enforce together never exceeds the limit, and no part is lost", () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let run = 0; run < 300; run++) {
    const limit = random(200);
    const switches = Array.from({ length: 1 + random(4) }, (_, place) => ({
      ...part(String(place), null, 0, random(4) > 0),
      held: 0,
    }));
    for (let turn = 0; turn < 60; turn++) {
      const one = switches[random(switches.length)]!;
      one.used = Math.min(one.held, one.used + random(20));
      // It confirms what it holds, then gets its next part, which it may enforce from now on or later.
      one.most = one.held;
      const next = divide(limit, one.switchId, switches);
      one.most = Math.max(one.held, next);
      if (random(3) > 0) one.held = next;
      const most = switches.reduce((sum, other) => sum + (other.most ?? 0), 0);
      expect(most).toBeLessThanOrEqual(limit);
    }
    // With contact and no more calls, the whole limit is in use by some switch.
    for (let turn = 0; turn < 12; turn++)
      for (const one of switches) {
        one.most = one.held;
        one.held = divide(limit, one.switchId, switches);
        one.most = one.held;
      }
    expect(switches.reduce((sum, { held }) => sum + held, 0)).toBe(limit);
  }
});

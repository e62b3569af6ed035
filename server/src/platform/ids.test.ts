import { expect, test } from "vitest";
import { isId, newId } from "./ids.ts";

test("IDs sort in the order of their creation, also within a millisecond", () => {
  const before = Date.now();
  const ids = Array.from({ length: 20_000 }, newId);

  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => isId(id) && /^.{14}7.{4}[89ab]/.test(id))).toBe(true);
  const first = Number.parseInt(ids[0]!.replaceAll("-", "").slice(0, 12), 16);
  expect(Math.abs(first - before)).toBeLessThan(1000);
});

import { expect, test } from "vitest";
import { afterRotation, signingVersions } from "./signing-secrets.ts";

const NOW = new Date("2026-11-15T12:00:00Z");
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);

test("every secret signs for a day after the next one, and ten at most", () => {
  expect(afterRotation([], NOW)).toEqual([inHours(24)]);
  expect(afterRotation([inHours(3), inHours(-1)], NOW)).toEqual([inHours(24), inHours(3)]);
  const nine = Array.from({ length: 9 }, () => inHours(1));
  expect(afterRotation(nine, NOW)).toHaveLength(9);
  expect(signingVersions(4, [inHours(24), inHours(3), inHours(-1)], NOW)).toEqual([
    { version: 4, until: null },
    { version: 3, until: inHours(24) },
    { version: 2, until: inHours(3) },
  ]);
});

import { expect, test } from "vitest";
import { askedPauseMs, nextAttemptAt } from "./webhook-endpoints.rules.ts";

const NOW = new Date("2026-11-15T12:00:00Z");
const pauseSeconds = (attempts: number, askedMs?: number, random = 0.5): number | undefined => {
  const next = nextAttemptAt(NOW, attempts, { askedMs, random });
  return next && (next.getTime() - NOW.getTime()) / 1000;
};

test("there are fourteen tries in about four days", () => {
  const pauses = Array.from({ length: 14 }, (_, at) => pauseSeconds(at + 1));
  expect(pauses.slice(0, 4)).toEqual([5, 30, 120, 600]);
  expect(pauses[13]).toBeUndefined();
  const days = pauses.slice(0, 13).reduce<number>((sum, pause) => sum + pause!, 0) / 86_400;
  expect(days).toBeGreaterThan(4);
  expect(days).toBeLessThan(4.5);
});

test("WH-03 honours Retry-After of a receiver, up to about an hour or the regular backoff", () => {
  expect(pauseSeconds(1, 60_000)).toBe(60);
  expect(pauseSeconds(1, 60_000, 0)).toBe(60);
  expect(pauseSeconds(1, 7 * 86_400_000)).toBe(3_600);
  expect(pauseSeconds(4, 60_000)).toBe(600);
  expect(pauseSeconds(14, 60_000)).toBeUndefined();
});

test.each([
  [undefined, undefined],
  ["120", 120_000],
  ["0", 0],
  ["Sun, 15 Nov 2026 12:01:00 GMT", 60_000],
  ["Sun, 15 Nov 2026 11:00:00 GMT", 0],
  ["soon", undefined],
])("Retry-After %s", (text, ms) => {
  expect(askedPauseMs(text, NOW)).toBe(ms);
});

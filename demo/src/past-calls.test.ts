import { expect, test } from "vitest";
import { type CalledRoute, pastCalls } from "./past-calls.ts";

const route: CalledRoute = {
  id: "01a1ddd5-97c8-77d7-9742-cbb89eecdfe9",
  generation: 1,
  value: { e164: "+493010000001", mode: "sip_uri", sip_uri: "sip:sales@office.example.com" },
  connectionWith: () => undefined,
};
const HOUR_MS = 3_600_000;

test.each(Array.from({ length: 24 }, (_, hour) => hour))("covers the last 24 hours, at %i:30 UTC", (hour) => {
  const now = Date.UTC(2026, 10, 19, hour, 30);
  const started = [...pastCalls([route], 1, now)].flat().map((call) => Date.parse(call.started_at));
  expect(started.length).toBeGreaterThan(100);
  expect(Math.min(...started)).toBeGreaterThanOrEqual(now - 24 * HOUR_MS);
  expect(Math.max(...started)).toBeLessThan(now);
});

test("returns nothing for 0 days", () => {
  expect([...pastCalls([route], 0, Date.UTC(2026, 10, 19))].flat()).toEqual([]);
});

import { expect, test } from "vitest";
import { startOfDay } from "./local-days.ts";

test.each([
  ["2026-11-01", "UTC", "2026-11-01T00:00:00.000Z"],
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
  ["2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
  ["2026-11-01", "Asia/Kolkata", "2026-10-31T18:30:00.000Z"],
  ["2026-11-01", "Pacific/Kiritimati", "2026-10-31T10:00:00.000Z"],
  ["2026-11-01", "Pacific/Pago_Pago", "2026-11-01T11:00:00.000Z"],
])("%s in %s starts at %s", (day, zone, start) => {
  expect(startOfDay(day, zone).toISOString()).toBe(start);
});

test("starts at the first hour of a day that has no midnight", () => {
  // Clocks in Cairo went from 00:00 to 01:00.
  expect(startOfDay("2026-04-24", "Africa/Cairo").toISOString()).toBe("2026-04-23T22:00:00.000Z");
});

test.each([
  ["2026-02-30x", "UTC"],
  ["tomorrow", "UTC"],
  ["2026-11-01", "Europe/Atlantis"],
])("rejects %s in %s", (day, zone) => {
  expect(() => startOfDay(day, zone)).toThrow(RangeError);
});

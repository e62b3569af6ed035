import { expect, test } from "vitest";
import { countIn, edgesIn, roundedEdges, timeZoneOf } from "./usage.zones.rules.ts";

const HOUR_MS = 3_600_000;
const at = (text: string): number => Date.parse(text);
const hoursOf = (edges: number[]): number[] =>
  edges.slice(1).map((edge, index) => (edge - edges[index]!) / HOUR_MS);

test.each<[zone: string, from: string, to: string, hours: number[]]>([
  // The clocks go forward on 29 March and back on 25 October.
  ["Europe/Berlin", "2026-03-27T23:00Z", "2026-03-30T22:00Z", [24, 23, 24]],
  ["Europe/Berlin", "2026-10-23T22:00Z", "2026-10-26T23:00Z", [24, 25, 24]],
  ["Asia/Kolkata", "2026-10-31T18:30Z", "2026-11-02T18:30Z", [24, 24]],
  ["Asia/Kathmandu", "2026-10-31T18:15Z", "2026-11-01T18:15Z", [24]],
  // Lord Howe Island changes its clocks by half an hour.
  ["Australia/Lord_Howe", "2026-10-02T13:30Z", "2026-10-04T13:00Z", [24, 23.5]],
  // Cairo skips midnight.
  ["Africa/Cairo", "2026-04-22T22:00Z", "2026-04-24T21:00Z", [24, 23]],
  // Samoa had no 30 December 2011.
  ["Pacific/Apia", "2011-12-29T10:00Z", "2011-12-31T10:00Z", [24, 24]],
  ["UTC", "2026-10-24T12:00Z", "2026-10-26T06:00Z", [12, 24, 6]],
])("days of %s from %s to %s", (name, from, to, hours) => {
  const window = { from: at(from), to: at(to) };
  expect(hoursOf(edgesIn(window, "day", timeZoneOf(name)!))).toEqual(hours);
});

test("cuts months on the zone's calendar", () => {
  const window = { from: at("2025-12-31T23:00Z"), to: at("2026-04-30T22:00Z") };
  const berlin = timeZoneOf("Europe/Berlin")!;
  const edges = edgesIn(window, "month", berlin);
  expect(edges.map((edge) => new Date(edge).toISOString().slice(0, 16))).toEqual([
    "2025-12-31T23:00",
    "2026-01-31T23:00",
    "2026-02-28T23:00",
    "2026-03-31T22:00",
    "2026-04-30T22:00",
  ]);
  expect(countIn(window, "month", berlin)).toBe(4);
});

test("cuts windows of thousands of years without listing their days first", () => {
  const window = { from: at("0001-01-01T00:00Z"), to: at("9999-12-31T00:00Z") };
  const berlin = timeZoneOf("Europe/Berlin")!;
  expect(countIn(window, "day", berlin)).toBeGreaterThan(3_600_000);
});

test("rounds the edges outwards and keeps their order", () => {
  const edges = [at("2026-11-01T00:10Z"), at("2026-11-01T18:30Z"), at("2026-11-02T00:10Z")];
  const rounded = roundedEdges(edges, () => HOUR_MS);
  expect(rounded.map((edge) => new Date(edge).toISOString().slice(8, 16))).toEqual([
    "01T00:00",
    "01T18:00",
    "02T01:00",
  ]);
});

test.each(["Europe/Atlantis", "Berlin", "UTC+25", "X"])("%s is not a time zone", (name) => {
  expect(timeZoneOf(name)).toBeUndefined();
});

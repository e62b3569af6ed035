import { DAY_MS, ceiling, floor, HOUR_MS, type Range } from "./usage.rules.ts";

/** The offsets of all time zones have been multiples of a quarter of an hour since 1972. */
export const QUARTER_MS = HOUR_MS / 4;
const MINUTE_MS = 60_000;

export interface TimeZone {
  /** Milliseconds that its clocks are ahead of UTC. */
  offsetAt(at: number): number;
}

const OFFSET = /GMT(?:(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d)(?::(?<seconds>\d\d))?)?$/;

/** Undefined if no time zone of the IANA database has this name. */
export function timeZoneOf(name: string): TimeZone | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch {
    return undefined;
  }
  return {
    offsetAt(at) {
      const parts = OFFSET.exec(format.format(at))!.groups!;
      const { sign = "+", hours = "0", minutes = "0", seconds = "0" } = parts;
      const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1000;
      return sign === "-" ? -size : size;
    },
  };
}

/** Count of the days or months that the window touches, on the zone's calendar. */
export function countIn({ from, to }: Range, unit: "day" | "month", zone: TimeZone): number {
  const [first, last] = [dayAt(zone, from), dayAt(zone, to - 1)];
  return unit === "day" ? last - first + 1 : monthOf(last) - monthOf(first) + 1;
}

/** The window's edges with the starts of days or months between them. */
export function edgesIn({ from, to }: Range, unit: "day" | "month" | undefined, zone: TimeZone): number[] {
  if (!unit) return [from, to];
  const first = dayAt(zone, from);
  const starts = Array.from({ length: countIn({ from, to }, unit, zone) - 1 }, (_, index) =>
    startOf(zone, unit === "day" ? first + index + 1 : firstDayOf(monthOf(first) + index + 1)),
  );
  // A calendar can skip a day: Samoa had no 30 December 2011.
  return [...new Set([from, ...starts, to])];
}

/** Moves each edge outwards or back to the size of the rows that count there. */
export function roundedEdges(edges: readonly number[], sizeAt: (at: number) => number): number[] {
  const last = edges.length - 1;
  return [
    ...new Set(edges.map((at, index) => (index === last ? ceiling(at, sizeAt(at)) : floor(at, sizeAt(at))))),
  ];
}

/** Starts of the hours that an edge cuts. */
export function cutHours(edges: readonly number[]): number[] {
  return [...new Set(edges.filter((at) => at % HOUR_MS !== 0).map((at) => floor(at, HOUR_MS)))];
}

export function rangesBetween(edges: readonly number[]): Range[] {
  return edges.slice(1).map((to, index) => ({ from: edges[index]!, to }));
}

/** Days since 1970 on the zone's calendar. */
function dayAt(zone: TimeZone, at: number): number {
  return Math.floor((at + zone.offsetAt(at)) / DAY_MS);
}

/** First moment of a day. It is not 00:00 if the clocks change at midnight. */
function startOf(zone: TimeZone, day: number): number {
  const midnight = day * DAY_MS;
  let [low, high] = [midnight - DAY_MS, midnight + DAY_MS];
  const [before, after] = [zone.offsetAt(low), zone.offsetAt(high)];
  if (before === after) return midnight - before;
  while (high - low > MINUTE_MS) {
    const middle = floor((low + high) / 2, MINUTE_MS);
    if (dayAt(zone, middle) < day) low = middle;
    else high = middle;
  }
  return high;
}

/** Months since the year 0. */
function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function firstDayOf(month: number): number {
  return new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1) / DAY_MS;
}

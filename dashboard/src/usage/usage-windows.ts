import type { Operations, UsageBucket } from "@dialplane/sdk";
import { minuteOf } from "../components/dates.ts";
import { timeZone } from "../components/time-zone.ts";
import { usageText } from "./usage-text.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type UsageWindow = "day" | "week" | "month" | "year";

export const WINDOWS: readonly { value: UsageWindow; label: string }[] = [
  { value: "day", label: usageText.windows.day },
  { value: "week", label: usageText.windows.week },
  { value: "month", label: usageText.windows.month },
  { value: "year", label: usageText.windows.year },
];

/** Full UTC hours, days or months, as the service counts. The last one is incomplete. */
export function windowQuery(window: UsageWindow, now: number): Operations["getNumberUsage"]["query"] {
  const to = new Date(now).toISOString();
  const begins = (from: number): { from: string; to: string } => ({ from: new Date(from).toISOString(), to });
  switch (window) {
    case "day":
      return { ...begins(Math.floor(now / HOUR_MS) * HOUR_MS - 23 * HOUR_MS), granularity: "hour" };
    case "week":
      return { ...begins(Math.floor(now / DAY_MS) * DAY_MS - 6 * DAY_MS), granularity: "day" };
    case "month":
      return { ...begins(Math.floor(now / DAY_MS) * DAY_MS - 29 * DAY_MS), granularity: "day" };
    case "year": {
      const today = new Date(now);
      return { ...begins(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 11)), granularity: "day" };
    }
  }
}

/** One bar, one line of the table. */
export interface UsagePoint {
  from: string;
  label: string;
  calls: number;
  answered: number;
  /** Busy, not answered, or cancelled by the caller. */
  missed: number;
  /** Rejected or failed. */
  refused: number;
  talkSeconds: number;
}

/** Hours are shown in the user's time zone. Days and months are those of UTC, as the service counts. */
function labelOf(window: UsageWindow, from: string): string {
  return window === "day" ? minuteOf(from) : LABELS[window].format(new Date(from));
}

const LABELS: Record<Exclude<UsageWindow, "day">, Intl.DateTimeFormat> = {
  week: formatOf({ weekday: "short", day: "numeric", month: "short" }),
  month: formatOf({ day: "numeric", month: "short" }),
  year: formatOf({ month: "short", year: "numeric" }),
};

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
}

/** Time zone of the labels. */
export function zoneOf(window: UsageWindow): string {
  return window === "day" ? timeZone() : usageText.utc;
}

export function pointsOf(window: UsageWindow, buckets: readonly UsageBucket[]): UsagePoint[] {
  const points = buckets.map((bucket) => ({
    from: bucket.from,
    label: labelOf(window, bucket.from),
    calls: bucket.calls,
    answered: bucket.answered,
    missed: bucket.busy + bucket.no_answer + bucket.cancelled,
    refused: bucket.rejected + bucket.failed,
    talkSeconds: bucket.talk_seconds,
  }));
  return window === "year" ? addedUp(points) : points;
}

/** Days of one month become one point. */
function addedUp(days: readonly UsagePoint[]): UsagePoint[] {
  const months = new Map<string, UsagePoint>();
  for (const day of days) {
    const month = months.get(day.label);
    months.set(day.label, month ? sum(month, day) : day);
  }
  return [...months.values()];
}

function sum(one: UsagePoint, other: UsagePoint): UsagePoint {
  return {
    ...one,
    calls: one.calls + other.calls,
    answered: one.answered + other.answered,
    missed: one.missed + other.missed,
    refused: one.refused + other.refused,
    talkSeconds: one.talkSeconds + other.talkSeconds,
  };
}

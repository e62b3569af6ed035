import { type Operations, startOfDay, type UsageBucket } from "@dialplane/sdk";
import { dayKeyOf, minuteOf, monthOf, shortDayOf, weekDayOf } from "../components/dates.ts";
import { timeZone } from "../components/time-zone.ts";
import { usageText } from "./usage-text.ts";

const HOUR_MS = 3_600_000;

export type UsageWindow = "day" | "week" | "month" | "year";

export const WINDOWS: readonly { value: UsageWindow; label: string }[] = [
  { value: "day", label: usageText.windows.day },
  { value: "week", label: usageText.windows.week },
  { value: "month", label: usageText.windows.month },
  { value: "year", label: usageText.windows.year },
];

/** Full hours, or days or months of the user's time zone. The last one is incomplete. */
export function windowQuery(window: UsageWindow, now: number): Operations["getNumberUsage"]["query"] {
  const to = new Date(now).toISOString();
  if (window === "day") {
    const from = Math.floor(now / HOUR_MS) * HOUR_MS - 23 * HOUR_MS;
    return { from: new Date(from).toISOString(), to, granularity: "hour" };
  }
  const zone = timeZone();
  const [year, month, day] = dayKeyOf(now).split("-").map(Number) as [number, number, number];
  const first = {
    week: Date.UTC(year, month - 1, day - 6),
    month: Date.UTC(year, month - 1, day - 29),
    year: Date.UTC(year, month - 12),
  }[window];
  return {
    from: startOfDay(new Date(first).toISOString().slice(0, 10), zone).toISOString(),
    to,
    granularity: window === "year" ? "month" : "day",
    ...(zone !== "UTC" && { time_zone: zone }),
  };
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

const LABELS: Record<UsageWindow, (from: string) => string> = {
  day: minuteOf,
  week: weekDayOf,
  month: shortDayOf,
  year: monthOf,
};

export function pointsOf(window: UsageWindow, buckets: readonly UsageBucket[]): UsagePoint[] {
  return buckets.map((bucket) => ({
    from: bucket.from,
    label: LABELS[window](bucket.from),
    calls: bucket.calls,
    answered: bucket.answered,
    missed: bucket.busy + bucket.no_answer + bucket.cancelled,
    refused: bucket.rejected + bucket.failed,
    talkSeconds: bucket.talk_seconds,
  }));
}

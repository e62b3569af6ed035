import type { BucketRow } from "./overview.calls.store.ts";
import type { OverviewCalls } from "./overview.schema.ts";

const BUCKET_MS = 600_000;
const DAY_MS = 86_400_000;
const WEEKS = [1, 2, 3, 4] as const;
/** With fewer, a range says nothing. */
const FEWEST_WEEKS = 2;

type Range = { low: number; high: number } | null;

export interface Window {
  from: number;
  to: number;
}

/** Today so far, and the same day of the weeks before. Each starts ten minutes early, for the last full ten minutes. */
export function windowsAt(now: number): Window[] {
  const today = floor(now, DAY_MS);
  const weeks = WEEKS.map((week) => today - 7 * week * DAY_MS);
  return [today, ...weeks].map((day) => ({ from: day - BUCKET_MS, to: day + DAY_MS }));
}

interface Counted {
  buckets: readonly BucketRow[];
  first_at: number | null;
}

/** Figures of now and today, and what they usually are at this time. */
export function callsAt(now: number, counted: Counted, activeCalls: number | null): OverviewCalls {
  const { bucketAt, weeksOf, sumUntil } = historyOf(counted);
  const today = floor(now, DAY_MS);
  const current = floor(now, BUCKET_MS);
  const soFar = (day: number): Pick<BucketRow, "calls" | "answered"> =>
    sumUntil(day, day + (current - today) + BUCKET_MS);
  const daysSoFar = weeksOf(today).map(soFar);
  const { calls, answered } = soFar(today);
  const usualSeconds = weeksOf(current).map((then) => bucketAt(then).seconds);
  const usualCalls = (at: number): Range =>
    rangeOf(
      weeksOf(at).map((then) => bucketAt(then).calls),
      0,
    );
  const shares = daysSoFar.filter((day) => day.calls > 0).map((day) => day.answered / day.calls);
  return {
    active: {
      value: activeCalls,
      usual: rangeOf(
        usualSeconds.map((seconds) => (seconds * 1000) / BUCKET_MS),
        1,
      ),
    },
    last_10_minutes: { value: bucketAt(current - BUCKET_MS).calls, usual: usualCalls(current - BUCKET_MS) },
    today: {
      value: calls,
      usual: rangeOf(
        daysSoFar.map((day) => day.calls),
        0,
      ),
    },
    answered: { value: calls === 0 ? null : rounded(answered / calls, 3), usual: rangeOf(shares, 3) },
    buckets: Array.from({ length: DAY_MS / BUCKET_MS }, (_, place) => {
      const at = today + place * BUCKET_MS;
      const bucket = at <= now ? bucketAt(at) : { calls: null, answered: null };
      return {
        from: new Date(at).toISOString(),
        calls: bucket.calls,
        answered: bucket.answered,
        usual: usualCalls(at),
      };
    }),
  };
}

function historyOf({ buckets, first_at: firstAt }: Counted) {
  const byTime = new Map(buckets.map((bucket) => [bucket.at, bucket]));
  const bucketAt = (at: number): Omit<BucketRow, "at"> =>
    byTime.get(at) ?? { calls: 0, answered: 0, seconds: 0 };
  return {
    bucketAt,
    /** The same time of each week that was counted in full. */
    weeksOf: (at: number): number[] =>
      WEEKS.map((week) => at - 7 * week * DAY_MS).filter((then) => firstAt !== null && then >= firstAt),
    sumUntil(from: number, to: number): Pick<BucketRow, "calls" | "answered"> {
      const sum = { calls: 0, answered: 0 };
      for (let at = from; at < to; at += BUCKET_MS) {
        sum.calls += bucketAt(at).calls;
        sum.answered += bucketAt(at).answered;
      }
      return sum;
    },
  };
}

/** 10th to 90th percentile, interpolated like percentile_cont. */
export function rangeOf(values: readonly number[], digits: number): Range {
  if (values.length < FEWEST_WEEKS) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const below = Math.floor(place);
    const above = Math.min(below + 1, sorted.length - 1);
    return rounded(sorted[below]! + (place - below) * (sorted[above]! - sorted[below]!), digits);
  };
  return { low: at(0.1), high: at(0.9) };
}

function floor(at: number, size: number): number {
  return Math.floor(at / size) * size;
}

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

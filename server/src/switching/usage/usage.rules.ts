export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const MAX_BUCKETS = 1_500;

/** Half-open: what begins at `to` is not in it. Milliseconds since 1970. */
export interface Range {
  from: number;
  to: number;
}

export type Granularity = "hour" | "day";

/** Start of the oldest call records, and of the oldest usage by the hour. Older usage is stored by the day. */
export interface Oldest {
  record: number;
  hour: number;
}

/** An edge whose records or hours may be deleted moves outwards to the full hour or day. */
export function widened({ from, to }: Range, oldest: Oldest): Range {
  return { from: floor(from, sizeAt(from, oldest)), to: ceiling(to, sizeAt(to, oldest)) };
}

/** Size of the smallest unit in which usage of this time is stored. */
export function sizeAt(at: number, { record, hour }: Oldest): number {
  if (at < hour) return DAY_MS;
  return at < record ? HOUR_MS : 1;
}

/** Which rows add up to a window: whole days, whole hours next to them, and single records at its edges. */
export interface Parts {
  days: Range[];
  hours: Range[];
  records: Range[];
}

export function partsOf(window: Range, finest: "days" | "hours" = "days"): Parts {
  const hours = inside(window, HOUR_MS);
  if (!hours) return { days: [], hours: [], records: [window] };
  const records = around(window, hours);
  const days = finest === "days" ? inside(hours, DAY_MS) : undefined;
  return days ? { days: [days], hours: around(hours, days), records } : { days: [], hours: [hours], records };
}

/** The first and the last one are cut to the window, so that all of them add up to it. */
export function bucketsOf({ from, to }: Range, granularity: Granularity): Range[] {
  const size = granularity === "hour" ? HOUR_MS : DAY_MS;
  const first = floor(from, size);
  return Array.from({ length: bucketCount({ from, to }, granularity) }, (_, index) => ({
    from: Math.max(from, first + index * size),
    to: Math.min(to, first + (index + 1) * size),
  }));
}

export function bucketCount({ from, to }: Range, granularity: Granularity): number {
  const size = granularity === "hour" ? HOUR_MS : DAY_MS;
  return (ceiling(to, size) - floor(from, size)) / size;
}

/** Completeness of one switch for a number or an organisation. */
export interface SwitchStanding {
  name: string;
  /** Null for one that has never said so. */
  settledThrough: number | null;
  /** Start of the oldest active call before that time. */
  openSince: number | null;
  maxCallSeconds: number;
  isAway: boolean;
}

/**
 * Time before which every call has ended and is counted. Null until every switch has reported its progress. An
 * unreachable switch may have unsent records, so its time stays. An open call counts at most for the longest call and
 * an hour, when its record is closed.
 */
export function completeThrough(switches: readonly SwitchStanding[], asOf: number): number | null {
  let through = asOf;
  for (const { settledThrough, openSince, maxCallSeconds } of switches) {
    if (settledThrough === null) return null;
    const isStillUp = openSince !== null && openSince > asOf - maxCallSeconds * 1000 - HOUR_MS;
    through = Math.min(through, settledThrough, ...(isStillUp ? [openSince] : []));
  }
  return through;
}

export function floor(at: number, size: number): number {
  return Math.floor(at / size) * size;
}

export function ceiling(at: number, size: number): number {
  return Math.ceil(at / size) * size;
}

/** The whole hours or days in a window. */
function inside({ from, to }: Range, size: number): Range | undefined {
  const whole = { from: ceiling(from, size), to: floor(to, size) };
  return whole.from < whole.to ? whole : undefined;
}

function around(whole: Range, part: Range): Range[] {
  return [
    { from: whole.from, to: part.from },
    { from: part.to, to: whole.to },
  ].filter(({ from, to }) => from < to);
}

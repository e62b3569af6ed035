const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/**
 * First moment of a day such as "2026-11-01" in a time zone, for `from` and `to` of usage with `time_zone`. It is not
 * 00:00 if the clocks change at midnight. Throws a RangeError if there is no such day or time zone.
 */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const localAt = (at: number): number => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, Number(value)] as const),
    );
    return Date.UTC(parts["year"]!, parts["month"]! - 1, parts["day"], parts["hour"], parts["minute"]);
  };
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(midnight)) throw new RangeError(`No such day: ${day}.`);
  // The first minute whose local time has reached the day.
  let [low, high] = [midnight - DAY_MS, midnight + DAY_MS];
  while (high - low > MINUTE_MS) {
    const middle = Math.floor((low + high) / 2 / MINUTE_MS) * MINUTE_MS;
    if (localAt(middle) < midnight) low = middle;
    else high = middle;
  }
  return new Date(high);
}

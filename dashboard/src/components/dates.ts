import { timeZone } from "./time-zone.ts";

type Options = Intl.DateTimeFormatOptions;

const formats = new Map<string, Intl.DateTimeFormat>();

/** All pages show English dates on a 24-hour clock, in the user's time zone. */
function formatOf(options: Options): Intl.DateTimeFormat {
  const inZone = { hourCycle: "h23", timeZone: timeZone(), ...options } as const;
  const key = JSON.stringify(inZone);
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-GB", inZone);
  formats.set(key, made);
  return made;
}

const DAY: Options = { day: "numeric", month: "short", year: "numeric" };
const CLOCK: Options = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
const SHORT: Options = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };

/** Such as "2 Nov 2026". */
export function dayOf(at: string): string {
  return formatOf(DAY).format(new Date(at));
}

/** Such as "2 Nov 2026, 09:12:04". */
export function momentOf(at: string): string {
  return formatOf({ ...DAY, ...CLOCK }).format(new Date(at));
}

/** Such as "2 Nov". */
export function shortDayOf(at: string): string {
  return formatOf({ day: "numeric", month: "short" }).format(new Date(at));
}

/** Such as "Mon 2 Nov". */
export function weekDayOf(at: string): string {
  return formatOf({ weekday: "short", day: "numeric", month: "short" }).format(new Date(at));
}

/** Such as "Nov 2026". */
export function monthOf(at: string): string {
  return formatOf({ month: "short", year: "numeric" }).format(new Date(at));
}

/** Such as "09:12:04". */
export function clockOf(at: string): string {
  return formatOf(CLOCK).format(new Date(at));
}

/** Such as "09:12". */
export function minuteOf(at: string): string {
  return formatOf({ hour: "2-digit", minute: "2-digit" }).format(new Date(at));
}

/** Such as "2 Nov, 09:12". */
export function shortMomentOf(at: string): string {
  return formatOf(SHORT).format(new Date(at));
}

/** Such as "09:12:04.318". */
export function millisecondsOf(at: string): string {
  return formatOf({ ...CLOCK, fractionalSecondDigits: 3 }).format(new Date(at));
}

/** Day as 2026-11-02, to group rows. */
export function dayKeyOf(at: string | number): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: timeZone() }).format(new Date(at));
}

/** Such as "2 Nov 2026, 09:12:04, 2 Nov 2026, 08:12:04 UTC", for tooltips. */
export function exactly(at: string): string {
  const utc = formatOf({ ...DAY, ...CLOCK, timeZone: "UTC" }).format(new Date(at));
  return timeZone() === "UTC" ? `${utc} UTC` : `${momentOf(at)}, ${utc} UTC`;
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Weekday from 0 for Monday, and hour. */
export function weekHourOf(at: string): { day: number; hour: number } {
  const parts = formatOf({ weekday: "short", hour: "2-digit" }).formatToParts(new Date(at));
  const part = (type: string): string => parts.find((one) => one.type === type)!.value;
  return { day: WEEKDAYS.indexOf(part("weekday")), hour: Number(part("hour")) };
}

import { clockOf, dayKeyOf, exactly, shortDayOf } from "../components/dates.ts";

/** Today's calls show the time only. */
export function callStartText(at: string): string {
  return isToday(at) ? clockOf(at) : `${shortDayOf(at)}, ${clockOf(at)}`;
}

export function CallStart({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactly(at)}>
      {!isToday(at) && <span className="text-ink-3">{shortDayOf(at)}, </span>}
      {clockOf(at)}
    </time>
  );
}

function isToday(at: string): boolean {
  return dayKeyOf(at) === dayKeyOf(Date.now());
}

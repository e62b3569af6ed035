import { createStore } from "../store.ts";
import { exactly, shortMomentOf } from "./dates.ts";

const UNITS = [
  { unit: "h", seconds: 3_600 },
  { unit: "min", seconds: 60 },
  { unit: "s", seconds: 1 },
] as const;
const DAY_S = 86_400;

/** One clock for all relative times of a page. */
export const now = createStore(Date.now());
setInterval(() => now.set(Date.now()), 1_000);

/** Relative time under 24 hours, otherwise the date. The tooltip has the exact time, also in UTC. */
export function RelativeTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactly(at)} className="whitespace-nowrap">
      {relativeTo(now.use(), at)}
    </time>
  );
}

function relativeTo(moment: number, at: string): string {
  const seconds = Math.round((moment - Date.parse(at)) / 1000);
  if (seconds >= DAY_S) return shortMomentOf(at);
  if (seconds < 1) return "now";
  return `${durationOf(seconds)} ago`;
}

/** In one unit, such as "12 min". */
export function durationOf(seconds: number): string {
  const { unit, seconds: size } = UNITS.find((one) => seconds >= one.seconds) ?? UNITS[2];
  return `${Math.floor(seconds / size)} ${unit}`;
}

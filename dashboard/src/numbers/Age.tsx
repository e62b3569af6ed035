import { useEffect, useState } from "react";
import { momentOf } from "../components/dates.ts";

const UNITS = [
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
  { unit: "second", seconds: 1 },
] as const;
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** Relative time that updates. The tooltip shows the exact time. */
export function Age({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1000));
  const { unit, seconds: size } = UNITS.find((one) => seconds >= one.seconds) ?? UNITS[3];
  return (
    <time dateTime={at} title={momentOf(at)}>
      {RELATIVE.format(-Math.floor(seconds / size), unit)}
    </time>
  );
}

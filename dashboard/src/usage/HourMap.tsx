import type { UsageBucket } from "@dialplane/sdk";
import { weekHourOf } from "../components/dates.ts";
import { timeZone } from "../components/time-zone.ts";
import { usageText } from "./usage-text.ts";

const DAYS = usageText.weekdays;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Heat map of calls by weekday and hour, in the user's time zone. */
export function HourMap({ buckets }: { buckets: readonly UsageBucket[] }) {
  const counts = addUp(buckets);
  const most = Math.max(1, ...counts.flat());
  const zone = timeZone();
  return (
    <div className="grid gap-2 rounded-lg border border-line bg-surface p-4">
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={usageText.hourMap}>
        <table className="w-full min-w-160 table-fixed border-separate border-spacing-0.5 text-center text-xs tabular-nums">
          <caption className="sr-only">{usageText.hourMapIn(zone)}</caption>
          <thead>
            <tr>
              <td className="w-10" />
              {HOURS.map((hour) => (
                <th key={hour} scope="col" className="font-normal text-ink-2">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {DAYS.map((day, at) => (
              <tr key={day}>
                <th scope="row" className="pr-2 text-left font-normal text-ink-2">
                  {day}
                </th>
                {HOURS.map((hour) => {
                  const count = counts[at]![hour]!;
                  return (
                    <td
                      key={hour}
                      className="relative h-6 rounded-sm bg-canvas"
                      title={usageText.hourCell(day, hour, count)}
                    >
                      <span
                        aria-hidden
                        className="absolute inset-0 rounded-sm bg-accent"
                        style={{ opacity: (0.55 * count) / most }}
                      />
                      <span className="relative">{count || <span className="sr-only">0</span>}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-xs text-ink-2">{usageText.hourMapHint(zone)}</p>
    </div>
  );
}

function addUp(buckets: readonly UsageBucket[]): number[][] {
  const counts = DAYS.map(() => HOURS.map(() => 0));
  for (const { from, calls } of buckets) {
    const { day, hour } = weekHourOf(from);
    counts[day]![hour]! += calls;
  }
  return counts;
}

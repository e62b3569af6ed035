import type { Overview } from "@dialplane/sdk";
import { Section } from "../components/Section.tsx";
import { Stat } from "../components/Stat.tsx";
import { overviewText } from "./overview-text.ts";

type Calls = Overview["calls"];
type Bucket = Calls["buckets"][number];

const FIGURES = ["active", "last_10_minutes", "answered", "today"] as const;

/** Calls of the day against their usual range. */
export function CallsToday({ calls }: { calls: Calls }) {
  const hasUsual = calls.buckets.some(({ usual }) => usual !== null);
  return (
    <Section title={overviewText.callsToday} aside={<Legend hasUsual={hasUsual} />}>
      <div className="grid gap-3 rounded-lg border border-line px-4 pt-3.5 pb-2.5">
        <dl className="flex flex-wrap gap-x-9 gap-y-2">
          {FIGURES.map((figure) => (
            <Figure key={figure} figure={figure} of={calls[figure]} />
          ))}
        </dl>
        <Chart buckets={calls.buckets} label={hasUsual ? overviewText.chartUsual : overviewText.chart} />
      </div>
    </Section>
  );
}

function Legend({ hasUsual }: { hasUsual: boolean }) {
  return (
    <p aria-hidden className="flex gap-3 text-xs text-ink-3">
      <span className="inline-flex items-center gap-1.5">
        <span className="h-0.5 w-3.5 bg-accent" />
        {overviewText.today}
      </span>
      {hasUsual && (
        <span className="inline-flex items-center gap-1.5">
          <span className="h-2 w-3.5 rounded-xs bg-select" />
          {overviewText.usualOf}
        </span>
      )}
    </p>
  );
}

function Figure({ figure, of: { value, usual } }: { figure: (typeof FIGURES)[number]; of: Calls["today"] }) {
  const shown = (amount: number): string =>
    figure === "answered" ? overviewText.percent(amount) : Math.round(amount).toLocaleString();
  const isUnusual = value !== null && usual !== null && (value < usual.low || value > usual.high);
  return (
    <Stat
      name={overviewText.figures[figure]}
      isUnusual={isUnusual}
      note={usual && overviewText.usualRange(shown(usual.low), shown(usual.high))}
    >
      {value === null ? "–" : shown(value)}
    </Stat>
  );
}

const HEIGHT = 100;
const HOURS = [0, 6, 12, 18, 24];

function Chart({ buckets, label }: { buckets: readonly Bucket[]; label: string }) {
  const most = Math.max(4, ...buckets.flatMap(({ calls, usual }) => [calls ?? 0, usual?.high ?? 0]));
  const top = Math.ceil(most / 2) * 2;
  const y = (amount: number): string => (HEIGHT - (amount / top) * HEIGHT).toFixed(1);
  const past = buckets.flatMap(({ calls }, at) => (calls === null ? [] : [`${at} ${y(calls)}`]));
  const high = buckets.map(({ usual }, at) => `${at} ${y(usual?.high ?? 0)}`);
  const low = buckets.map(({ usual }, at) => `${at} ${y(usual?.low ?? 0)}`).toReversed();
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-2xs text-ink-3">
      <div aria-hidden className="flex h-36 flex-col justify-between text-right tabular-nums">
        {[top, top / 2, 0].map((tick) => (
          <span key={tick} className="-my-2">
            {tick.toLocaleString()}
          </span>
        ))}
      </div>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${buckets.length - 1} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-36 w-full overflow-visible"
      >
        {[0, HEIGHT / 2, HEIGHT].map((at) => (
          <line
            key={at}
            x1="0"
            x2={buckets.length - 1}
            y1={at}
            y2={at}
            stroke="var(--line)"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        <path d={`M${high.join("L")}L${low.join("L")}Z`} fill="var(--select)" />
        {past.length > 0 && (
          <path
            d={`M${past.join("L")}`}
            fill="none"
            stroke="var(--accent)"
            strokeWidth="1.75"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      <div aria-hidden className="col-start-2 mt-1 flex justify-between tabular-nums">
        {HOURS.map((hour) => (
          <span key={hour}>{String(hour).padStart(2, "0")}:00</span>
        ))}
      </div>
      <p className="col-start-2 mt-0.5">{overviewText.utcDay}</p>
      <HoursTable buckets={buckets} />
    </div>
  );
}

/** The chart's figures for screen readers. */
function HoursTable({ buckets }: { buckets: readonly Bucket[] }) {
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const calls = buckets.slice(hour * 6, hour * 6 + 6).map((bucket) => bucket.calls);
    return calls.every((count) => count === null)
      ? null
      : calls.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  });
  return (
    <table className="sr-only">
      <caption>{overviewText.tableOf}</caption>
      <thead>
        <tr>
          <th scope="col">{overviewText.hour}</th>
          <th scope="col">{overviewText.figures.today}</th>
        </tr>
      </thead>
      <tbody>
        {hours.map((calls, hour) =>
          calls === null ? null : (
            <tr key={hour}>
              <th scope="row">{hour}:00</th>
              <td>{calls}</td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

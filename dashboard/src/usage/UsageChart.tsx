import type { UsagePoint } from "./usage-windows.ts";
import { usageText } from "./usage-text.ts";

/** From bottom to top. */
const SERIES = [
  { key: "answered", name: usageText.answered, fill: "var(--accent-fill)" },
  { key: "missed", name: usageText.notAnswered, fill: "var(--line-strong)" },
  { key: "refused", name: usageText.rejectedOrFailed, fill: "var(--bad-mark)" },
] as const;

/** Width of a bar with its gap, and of the gap, in units of the drawing. */
const STEP = 10;
const GAP = 2;
const HEIGHT = 100;
const MOST_LABELS = 6;

/** Chart of the table's data. */
export function UsageChart({ points, label }: { points: readonly UsagePoint[]; label: string }) {
  const top = scaleFor(Math.max(0, ...points.map(totalOf)));
  return (
    <figure className="grid gap-2" aria-label={label}>
      <div aria-hidden className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-2xs text-ink-3">
        <div className="flex h-44 flex-col justify-between text-right tabular-nums">
          {[top, top / 2, 0].map((tick) => (
            <span key={tick} className="-my-2">
              {tick.toLocaleString()}
            </span>
          ))}
        </div>
        <Bars points={points} top={top} />
        <div className="col-start-2 mt-1 flex justify-between gap-2">
          {spread(points).map((point) => (
            <span key={point.from} className="truncate">
              {point.label}
            </span>
          ))}
        </div>
      </div>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
        {SERIES.map(({ key, name, fill }) => (
          <span key={key} className="inline-flex items-center gap-1.5">
            <svg aria-hidden viewBox="0 0 10 10" className="size-2.5">
              <rect width="10" height="10" rx="2" fill={fill} />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Bars({ points, top }: { points: readonly UsagePoint[]; top: number }) {
  return (
    <svg
      data-chart="usage"
      viewBox={`0 0 ${points.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-44 w-full"
    >
      {[0, HEIGHT / 2, HEIGHT].map((y) => (
        <line
          key={y}
          x1="0"
          x2={points.length * STEP}
          y1={y}
          y2={y}
          stroke="var(--line)"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {points.map((point, at) => (
        <g key={point.from}>
          <title>{usageText.bar(point.label, point.calls, point.answered)}</title>
          <rect x={at * STEP} width={STEP} height={HEIGHT} className="fill-transparent hover:fill-hover" />
          {stackOf(point).map(({ key, fill, from, count }) => (
            <rect
              key={key}
              className="pointer-events-none"
              x={at * STEP + GAP / 2}
              width={STEP - GAP}
              y={HEIGHT - ((from + count) / top) * HEIGHT}
              height={(count / top) * HEIGHT}
              fill={fill}
            />
          ))}
        </g>
      ))}
    </svg>
  );
}

function totalOf({ answered, missed, refused }: UsagePoint): number {
  return answered + missed + refused;
}

function stackOf(point: UsagePoint) {
  let from = 0;
  return SERIES.map(({ key, fill }) => {
    const count = point[key];
    const part = { key, fill, from, count };
    from += count;
    return part;
  }).filter(({ count }) => count > 0);
}

/** Next even number of one leading digit and a half, so that both labels are whole. */
function scaleFor(most: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(most, 1))) - 1);
  return Math.max(2, Math.ceil(most / (2 * unit)) * 2 * unit);
}

/** Evenly chosen points, the first and the last among them. */
function spread(points: readonly UsagePoint[]): UsagePoint[] {
  const count = Math.min(MOST_LABELS, points.length);
  return Array.from({ length: count }, (_, at) => Math.round((at * (points.length - 1)) / (count - 1 || 1)))
    .filter((at, index, all) => all.indexOf(at) === index)
    .flatMap((at) => points[at] ?? []);
}

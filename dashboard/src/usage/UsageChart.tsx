import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { UsagePoint } from "./usage-windows.ts";
import { usageText } from "./usage-text.ts";

/** From bottom to top. */
const SERIES = [
  { key: "answered", name: usageText.answered, fill: "var(--accent)" },
  { key: "missed", name: usageText.notAnswered, fill: "var(--line-strong)" },
  { key: "refused", name: usageText.rejectedOrFailed, fill: "var(--bad)" },
] as const;

const TICK = { fill: "var(--muted)", fontSize: 11 };

/** Chart of the table's data. Loaded only when shown. */
export function UsageChart({ points, label }: { points: readonly UsagePoint[]; label: string }) {
  return (
    <figure className="grid gap-2" aria-label={label}>
      <div className="h-56 w-full" aria-hidden>
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 320, height: 224 }}>
          <BarChart
            data={points}
            margin={{ top: 4, right: 4, bottom: 0, left: 0 }}
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="label" tick={TICK} tickLine={false} axisLine={false} minTickGap={24} />
            <YAxis allowDecimals={false} width={36} tick={TICK} tickLine={false} axisLine={false} />
            <Tooltip
              isAnimationActive={false}
              cursor={{ fill: "var(--hover)" }}
              contentStyle={{
                background: "var(--raised)",
                border: "1px solid var(--line)",
                borderRadius: 8,
                fontSize: 12,
              }}
              itemStyle={{ color: "var(--ink)", padding: 0 }}
              labelStyle={{ color: "var(--muted)" }}
            />
            {SERIES.map(({ key, name, fill }) => (
              <Bar
                key={key}
                dataKey={key}
                name={name}
                stackId="calls"
                fill={fill}
                isAnimationActive={false}
                maxBarSize={36}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
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

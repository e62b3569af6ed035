import { talkTime } from "./talk-time.ts";
import type { UsagePoint } from "./usage-windows.ts";
import { usageText } from "./usage-text.ts";

/** The chart's data as a table, for copying and screen readers. Newest first. */
export function UsageTable({ points, caption }: { points: readonly UsagePoint[]; caption: string }) {
  return (
    <div
      className="max-h-72 overflow-auto rounded-md border border-line"
      tabIndex={0}
      role="group"
      aria-label={caption}
    >
      <table className="w-full text-xs tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-canvas text-left text-ink-2">
          <tr className="[&>th]:px-3 [&>th]:py-1.5 [&>th]:font-medium [&>th:not(:first-child)]:text-right">
            <th scope="col">{usageText.time}</th>
            <th scope="col">{usageText.calls}</th>
            <th scope="col">{usageText.answered}</th>
            <th scope="col" className="max-sm:hidden">
              {usageText.notAnswered}
            </th>
            <th scope="col" className="max-sm:hidden">
              {usageText.rejectedOrFailed}
            </th>
            <th scope="col">{usageText.talkTime}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {points.toReversed().map((point) => (
            <tr key={point.from} className="[&>td]:px-3 [&>td]:py-1.5 [&>td]:text-right">
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {point.label}
              </th>
              <td>{point.calls}</td>
              <td>{point.answered}</td>
              <td className="max-sm:hidden">{point.missed}</td>
              <td className="max-sm:hidden">{point.refused}</td>
              <td>{talkTime(point.talkSeconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

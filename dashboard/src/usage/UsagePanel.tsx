import type { NumberUsage, OrganisationUsage, UsageTotals } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import type { ShownCall } from "../as-code/shown-call.ts";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Section } from "../components/Section.tsx";
import { Segments } from "../components/Segments.tsx";
import { Button } from "../components/Button.tsx";
import { momentOf } from "../components/dates.ts";
import { timeZone } from "../components/time-zone.ts";
import { withSession } from "../session/session.ts";
import { talkTime } from "./talk-time.ts";
import { pointsOf, type UsageWindow, WINDOWS, windowQuery } from "./usage-windows.ts";
import { UsageChart } from "./UsageChart.tsx";
import { UsageTable } from "./UsageTable.tsx";
import { usageText } from "./usage-text.ts";
import { sharedText } from "../components/shared-text.ts";

const REFRESH_MS = 30_000;

interface UsagePanelProps {
  title?: string;
  queryKey: readonly string[];
  load(
    query: ReturnType<typeof windowQuery>,
    options: { signal: AbortSignal },
  ): PromiseLike<NumberUsage | OrganisationUsage>;
  asCode(query: ReturnType<typeof windowQuery>): ShownCall;
}

/** Usage totals, a chart or table over time, and their completeness. */
export function UsagePanel({ title = usageText.title, queryKey, load, asCode }: UsagePanelProps) {
  const [window, setWindow] = useState<UsageWindow>("day");
  const [look, setLook] = useState<"chart" | "table">("chart");
  const usage = useQuery({
    queryKey: [...queryKey, "usage", window, timeZone()],
    queryFn: ({ signal }) => withSession(() => load(windowQuery(window, Date.now()), { signal })),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });
  const choices = (
    <div className="flex flex-wrap items-center gap-2">
      <AsCode of={title} call={() => asCode(windowQuery(window, Date.now()))} />
      <Segments label={usageText.period} value={window} choices={WINDOWS} onChange={setWindow} />
      <Segments
        label={usageText.view}
        value={look}
        choices={[
          { value: "chart", label: usageText.chart },
          { value: "table", label: usageText.table },
        ]}
        onChange={setLook}
      />
    </div>
  );
  return (
    <Section title={title} aside={choices}>
      <div className="grid min-w-0 gap-4 rounded-lg border border-line bg-surface p-4">
        {usage.data ? (
          <div className={`grid min-w-0 gap-4 ${usage.isPlaceholderData ? "opacity-60" : ""}`}>
            <Totals totals={usage.data.totals} />
            <Buckets usage={usage.data} window={window} look={look} />
            <Completeness usage={usage.data} />
          </div>
        ) : usage.error ? (
          <FailureNotice
            error={usage.error}
            action={<Button onClick={() => void usage.refetch()}>{sharedText.retry}</Button>}
          />
        ) : (
          <Placeholder />
        )}
      </div>
    </Section>
  );
}

function Totals({ totals }: { totals: UsageTotals }) {
  const rate = totals.calls === 0 ? "–" : `${Math.round((100 * totals.answered) / totals.calls)} %`;
  const tiles = [
    [usageText.calls, totals.calls.toLocaleString()],
    [usageText.answered, rate],
    [usageText.talkTime, talkTime(totals.talk_seconds)],
  ];
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {tiles.map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-ink-2">{name}</dt>
          <dd className="text-lg font-semibold tracking-tight tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Buckets({
  usage,
  window,
  look,
}: {
  usage: NumberUsage | OrganisationUsage;
  window: UsageWindow;
  look: "chart" | "table";
}) {
  const points = pointsOf(window, usage.buckets ?? []);
  const label = usageText.callsIn(WINDOWS.find(({ value }) => value === window)!.label);
  if (look === "table") return <UsageTable points={points} caption={label} />;
  return <UsageChart points={points} label={label} />;
}

function Placeholder() {
  return (
    <div role="status" aria-label={usageText.loading} className="h-56 animate-pulse rounded-md bg-hover" />
  );
}

/** Figures that can still change with the reason, and the time zone. */
function Completeness({ usage }: { usage: NumberUsage | OrganisationUsage }) {
  const { complete_through, unreachable_switches } = usage;
  return (
    <p className="text-xs text-ink-2">
      {complete_through ? usageText.completeThrough(momentOf(complete_through)) : usageText.incomplete}{" "}
      {unreachable_switches.length > 0 && usageText.unreachable(unreachable_switches.join(", "))}{" "}
      {usageText.timeZone(timeZone())}
    </p>
  );
}

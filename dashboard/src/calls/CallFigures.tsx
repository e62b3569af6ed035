import type { CallBucket, OrganisationUsage } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { Stat } from "../components/Stat.tsx";
import { overviewQuery } from "../overview/overview-query.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { talkTime } from "../usage/talk-time.ts";
import type { CallsFilter } from "./calls-search.ts";
import { callsText } from "./calls-text.ts";

const REFRESH_MS = 30_000;
const { figures } = callsText;

/** Totals of the shown calls, for filters of which the service counts them. Others have none. */
export function CallFigures({ place, filter }: { place: OpenPlace; filter: CallsFilter }) {
  const { from, number_id: number, ...others } = filter;
  if (Object.keys(others).length > 0) return null;
  if (from) return <WindowFigures place={place} from={from} number={number} />;
  return number ? null : <DayFigures place={place} />;
}

const BAND = "flex flex-wrap items-end gap-x-9 gap-y-2 border-b border-line px-4 py-3 md:px-6";

function DayFigures({ place }: { place: OpenPlace }) {
  const { data } = useQuery(overviewQuery(place));
  if (!data) return null;
  const { today, answered, active, buckets } = data.calls;
  return (
    <div className={BAND}>
      <dl aria-label={figures.label} className="flex flex-wrap gap-x-9 gap-y-2">
        <Stat name={figures.today}>{today.value?.toLocaleString() ?? callsText.absent}</Stat>
        <Stat name={figures.answered}>
          {answered.value === null ? callsText.absent : callsText.percent(answered.value)}
        </Stat>
        <Stat name={figures.active}>{active.value?.toLocaleString() ?? callsText.absent}</Stat>
      </dl>
      <DayBars buckets={buckets} />
    </div>
  );
}

interface WindowFiguresProps {
  place: OpenPlace;
  from: string;
  number: string | undefined;
}

function WindowFigures({ place, from, number }: WindowFiguresProps) {
  const { organisation, environment, client } = place;
  const { data } = useQuery({
    queryKey: [organisation, environment, "calls", "figures", from, number],
    queryFn: ({ signal }): Promise<Pick<OrganisationUsage, "from" | "totals">> =>
      withSession(() => {
        const query = { from, to: new Date().toISOString() };
        const { usage } = client;
        return number ? usage.ofNumber(number, query, { signal }) : usage.ofOrganisation(query, { signal });
      }),
    refetchInterval: REFRESH_MS,
  });
  // The service may count full hours only: the list would be shorter than its totals.
  if (!data || Date.parse(data.from) !== Date.parse(from)) return null;
  const { calls, answered, failed, talk_seconds: talk } = data.totals;
  return (
    <dl aria-label={figures.label} className={BAND}>
      <Stat name={figures.calls}>{calls.toLocaleString()}</Stat>
      <Stat name={figures.answered}>
        {calls === 0 ? callsText.absent : callsText.percent(answered / calls)}
      </Stat>
      <Stat name={figures.failed}>
        <span className={failed > 0 ? "text-bad" : ""}>{failed.toLocaleString()}</span>
      </Stat>
      <Stat name={figures.talkTime}>{talkTime(talk)}</Stat>
    </dl>
  );
}

const HEIGHT = 40;

function DayBars({ buckets }: { buckets: readonly CallBucket[] }) {
  const counts = buckets.map(({ calls }) => calls ?? 0);
  const total = counts.reduce((sum, calls) => sum + calls, 0);
  const most = Math.max(4, ...counts);
  return (
    <svg
      role="img"
      aria-label={callsText.chart(callsText.countCalls(total))}
      viewBox={`0 0 ${counts.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-10 min-w-48 flex-1 max-md:hidden"
    >
      <line x1="0" x2={counts.length} y1={HEIGHT} y2={HEIGHT} stroke="var(--line-2)" />
      {counts.map((calls, at) => (
        <rect
          key={at}
          x={at + 0.15}
          width={0.7}
          y={HEIGHT - (calls / most) * HEIGHT}
          height={(calls / most) * HEIGHT}
          fill="var(--accent)"
        />
      ))}
    </svg>
  );
}

import type { LiveNumber, PhoneNumber } from "@dialplane/sdk";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { CircleHelp, Pause, PhoneCall, Play, Radio, Unplug } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { PhoneNumber as Digits } from "../components/PhoneNumber.tsx";
import { SearchField } from "../components/SearchField.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { CallTrend } from "../live/CallTrend.tsx";
import { type Live, useLive } from "../live/use-live.ts";
import { liveText } from "../live/live-text.ts";
import { sharedText } from "../components/shared-text.ts";
import { callsText } from "./calls-text.ts";
import { CallsTabs } from "./CallsTabs.tsx";

/** Limit of the service. */
const MOST = 200;

const route = getRouteApi("/signed-in/o/$organisation/$environment/calls/active");

/** Active calls of up to 200 numbers. */
export function ActiveCallsPage() {
  useTitle(callsText.title);
  const place = useOpenPlace();
  const { organisation, environment, client } = place;
  const { q } = route.useSearch();
  const navigate = useNavigate();
  const searchFor = useCallback(
    (typed: string) =>
      void navigate({
        to: "/o/$organisation/$environment/calls/active",
        params: { organisation, environment },
        search: typed ? { q: typed } : {},
        replace: true,
      }),
    [navigate, organisation, environment],
  );
  const [isPaused, setPaused] = useState(false);
  const numbers = useQuery({
    queryKey: [organisation, environment, "live-numbers", q],
    queryFn: ({ signal }) =>
      withSession(() => client.numbers.list({ q, status: "active", limit: MOST }, { signal })),
    placeholderData: (before) => before,
    staleTime: 60_000,
  });
  const shown = useMemo(() => numbers.data?.data ?? [], [numbers.data]);
  const live = useLive(
    client,
    shown.map(({ id }) => id),
    isPaused,
  );
  return (
    <>
      <PageBar title={callsText.title}>
        <AsCode call={() => ({ operation: "readLive", query: { ids: shown.map(({ id }) => id) } })} />
        <PauseButton isPaused={isPaused} onChange={setPaused} />
      </PageBar>
      <CallsTabs place={place} />
      <div className="min-h-0 grow overflow-y-auto">
        <div className="grid grid-cols-1 gap-4 px-4 py-4 md:px-6">
          {place.role === "member" && (
            <p className="text-sm text-ink-2">{callsText.membersOnly(place.name)}</p>
          )}
          <div className="flex flex-wrap items-center justify-between gap-3">
            <SearchField label={sharedText.searchDigits} value={q ?? ""} onChange={searchFor} />
            <Line live={live} isPaused={isPaused} />
          </div>
          <Numbers {...{ place, numbers, live, isPaused, isFiltered: q !== undefined }} />
        </div>
      </div>
    </>
  );
}

interface NumbersProps {
  place: OpenPlace;
  numbers: UseQueryResult<Awaited<ReturnType<OpenPlace["client"]["numbers"]["list"]>>>;
  live: Live;
  isPaused: boolean;
  isFiltered: boolean;
}

function Numbers({ place, numbers: { data, error }, live, isPaused, isFiltered }: NumbersProps) {
  if (error && !data) return <FailureNotice error={error} />;
  if (!data) return <RowSkeletons count={6} />;
  if (data.data.length === 0)
    return (
      <EmptyState icon={Radio} title={liveText.none}>
        {isFiltered ? liveText.noneMatch : liveText.noneHint}
      </EmptyState>
    );
  return (
    <>
      <Board place={place} numbers={data.data} live={live} isPaused={isPaused} />
      {data.next_cursor && <p className="text-sm text-ink-2">{liveText.limited(MOST)}</p>}
    </>
  );
}

function PauseButton({ isPaused, onChange }: { isPaused: boolean; onChange(isPaused: boolean): void }) {
  const Icon = isPaused ? Play : Pause;
  return (
    <Button size="small" icon={<Icon aria-hidden className="size-3.5" />} onClick={() => onChange(!isPaused)}>
      {isPaused ? liveText.resume : liveText.pause}
    </Button>
  );
}

const PAUSED = { icon: Pause, look: "", says: liveText.states.paused };
const LINES = {
  opening: { icon: Radio, look: "", says: liveText.states.opening },
  open: { icon: Radio, look: "text-good", says: liveText.states.open },
  broken: { icon: Unplug, look: "text-warn", says: liveText.states.broken },
};

/** State and age of the data. */
function Line({ live, isPaused }: { live: Live; isPaused: boolean }) {
  const { icon: Icon, look, says } = isPaused ? PAUSED : LINES[live.line];
  return (
    <p role="status" className="inline-flex items-center gap-1.5 text-sm text-ink-2">
      <Icon aria-hidden className={`size-4 ${look}`} />
      <span>
        {says}
        {live.asOf && (
          <>
            {liveText.asOf} <RelativeTime at={live.asOf} />
          </>
        )}
      </span>
    </p>
  );
}

interface BoardProps {
  place: OpenPlace;
  numbers: readonly PhoneNumber[];
  live: Live;
  isPaused: boolean;
}

function Board({ place, numbers, live, isPaused }: BoardProps) {
  const busiest = numbers.toSorted((one, other) => callsOf(live, other) - callsOf(live, one));
  const total = numbers.reduce((sum, number) => sum + callsOf(live, number), 0);
  return (
    <section aria-label={liveText.board} className="grid gap-3">
      <p className="text-sm">
        <span className="text-2xl font-semibold tabular-nums">{total.toLocaleString()}</span>{" "}
        {liveText.activeCalls(total, sharedText.countNumbers(numbers.length))}
      </p>
      <CallTrend calls={total} isStill={isPaused || live.line !== "open"} />
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-2">
        {busiest.map((number) => (
          <Tile key={number.id} place={place} number={number} now={live.numbers.get(number.id)} />
        ))}
      </ul>
    </section>
  );
}

function callsOf({ numbers }: Live, { id }: PhoneNumber): number {
  return numbers.get(id)?.active_calls ?? 0;
}

interface TileProps {
  place: OpenPlace;
  number: PhoneNumber;
  now: LiveNumber | undefined;
}

function Tile({ place: { organisation, environment }, number, now }: TileProps) {
  const isBusy = (now?.active_calls ?? 0) > 0;
  return (
    <li
      className={`relative grid gap-1 rounded-lg border p-3 hover:bg-hover ${isBusy ? "border-good/50 bg-good-soft" : "border-line bg-surface"}`}
    >
      <div className="flex items-center justify-between gap-2">
        <Link
          to="/o/$organisation/$environment/numbers/$number"
          params={{ organisation, environment, number: number.id }}
          className="truncate rounded text-sm font-name after:absolute after:inset-0"
        >
          <Digits e164={number.e164} />
        </Link>
        <span className="inline-flex items-center gap-1 text-sm font-semibold tabular-nums">
          {isBusy && <PhoneCall aria-hidden className="size-3.5 text-good" />}
          {now?.active_calls ?? "–"}
          <span className="sr-only"> {liveText.activeCallsLabel}</span>
        </span>
      </div>
      <p className="truncate text-xs text-ink-2">{number.label ?? liveText.noLabel}</p>
      <p className="flex items-center gap-1 text-xs text-ink-2">
        {now && !now.switch_online ? (
          <>
            <CircleHelp aria-hidden className="size-3.5 text-warn" /> {liveText.switchUnreachable}
          </>
        ) : now?.last_call_at ? (
          <>
            {liveText.lastCallAt} <RelativeTime at={now.last_call_at} />
          </>
        ) : (
          liveText.noCalls
        )}
      </p>
    </li>
  );
}

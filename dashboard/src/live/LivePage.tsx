import type { LiveNumber, PhoneNumber } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleHelp, Pause, PhoneCall, Play, Radio, Unplug } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Page } from "../components/Page.tsx";
import { SearchField } from "../components/SearchField.tsx";
import { Age } from "../numbers/Age.tsx";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { CallTrend } from "./CallTrend.tsx";
import { type Live, useLive } from "./use-live.ts";
import { liveText } from "./live-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** Limit of the service. */
const MOST = 200;

/** Active calls of up to 200 numbers. */
export function LivePage() {
  useTitle(liveText.title);
  const place = useOpenPlace();
  const { organisation, environment, client } = place;
  const [q, setQ] = useState("");
  const [isPaused, setPaused] = useState(false);
  const numbers = useQuery({
    queryKey: [organisation, environment, "live-numbers", q],
    queryFn: ({ signal }) =>
      withSession(() =>
        client.numbers.list({ q: q || undefined, status: "active", limit: MOST }, { signal }),
      ),
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
    <Page
      title={liveText.title}
      says={liveText.about}
      asCode={() => ({ operation: "readLive", query: { ids: shown.map(({ id }) => id) } })}
      aside={
        <Button
          icon={isPaused ? <Play aria-hidden className="size-4" /> : <Pause aria-hidden className="size-4" />}
          onClick={() => setPaused(!isPaused)}
        >
          {isPaused ? liveText.resume : liveText.pause}
        </Button>
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SearchField label={sharedText.searchDigits} value={q} onChange={setQ} />
        <Line live={live} isPaused={isPaused} />
      </div>
      {numbers.error && !numbers.data ? (
        <FailureNotice error={numbers.error} />
      ) : !numbers.data ? (
        <RowSkeletons count={6} />
      ) : shown.length === 0 ? (
        <EmptyState icon={Radio} title={liveText.none}>
          {q ? liveText.noneMatch : liveText.noneHint}
        </EmptyState>
      ) : (
        <>
          <Board place={place} numbers={shown} live={live} isPaused={isPaused} />
          {numbers.data.next_cursor && <p className="text-sm text-muted">{liveText.limited(MOST)}</p>}
        </>
      )}
    </Page>
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
    <p role="status" className="inline-flex items-center gap-1.5 text-sm text-muted">
      <Icon aria-hidden className={`size-4 ${look}`} />
      <span>
        {says}
        {live.asOf && (
          <>
            {liveText.asOf} <Age at={live.asOf} />
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
          className="truncate rounded text-sm font-medium tabular-nums after:absolute after:inset-0"
        >
          {number.e164}
        </Link>
        <span className="inline-flex items-center gap-1 text-sm font-semibold tabular-nums">
          {isBusy && <PhoneCall aria-hidden className="size-3.5 text-good" />}
          {now?.active_calls ?? "–"}
          <span className="sr-only"> {liveText.activeCallsLabel}</span>
        </span>
      </div>
      <p className="truncate text-xs text-muted">{number.label ?? liveText.noLabel}</p>
      <p className="flex items-center gap-1 text-xs text-muted">
        {now && !now.switch_online ? (
          <>
            <CircleHelp aria-hidden className="size-3.5 text-warn" /> {liveText.switchUnreachable}
          </>
        ) : now?.last_call_at ? (
          <>
            {liveText.lastCallAt} <Age at={now.last_call_at} />
          </>
        ) : (
          liveText.noCalls
        )}
      </p>
    </li>
  );
}

import type { Connection, PhoneNumber, Routing } from "@dialplane/sdk";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { dayKeyOf, dayOf } from "../components/dates.ts";
import { MoreRows } from "../components/MoreRows.tsx";
import { paging, rowsOf } from "../components/paging.ts";
import { Section } from "../components/Section.tsx";
import { Segments } from "../components/Segments.tsx";
import { Timeline } from "../components/Timeline.tsx";
import { withSession } from "../session/session.ts";
import { whenReachable } from "../session/when-reachable.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { numberPageText } from "./number-page-text.ts";
import { revisionsQuery } from "./routing-queries.ts";
import { joinConfirmations, NumberTimelineEntry } from "./TimelineEntries.tsx";

const RollBackDialog = lazy(
  whenReachable(() => import("./RollBackDialog.tsx").then((module) => ({ default: module.RollBackDialog }))),
);

const text = numberPageText.timeline;
const REFRESH_MS = 5_000;
const PAGE_SIZE = 50;

type Shown = "all" | "changes" | "switches";
const KINDS: Record<Exclude<Shown, "all">, readonly string[]> = {
  changes: ["set", "state"],
  switches: ["applied", "failed", "drifted"],
};

interface NumberTimelineProps {
  place: OpenPlace;
  number: PhoneNumber;
  routing: Routing;
  connections: readonly Connection[];
}

/** Changes of the number and reports of its switches, by day. */
export function NumberTimeline({ place, number, routing, connections }: NumberTimelineProps) {
  const [shown, setShown] = useState<Shown>("all");
  const [goingBackTo, setGoingBackTo] = useState<number>();
  const list = useTimeline(place, number.id);
  const revisions = useQuery(revisionsQuery(place, number.id)).data?.data ?? [];
  const entries = rowsOf(list.data).filter(({ kind }) => shown === "all" || KINDS[shown].includes(kind));
  const days = Object.entries(Object.groupBy(joinConfirmations(entries), ({ at }) => dayKeyOf(at)));
  const canGoBack = (revision: number | null): revision is number =>
    number.status === "active" &&
    revision !== null &&
    revision !== routing.desired.generation &&
    revisions.some(({ generation }) => generation === revision);
  const target = revisions.find(({ generation }) => generation === goingBackTo);
  return (
    <Section
      title={numberPageText.parts.timeline}
      aside={<TimelineControls numberId={number.id} shown={shown} onShow={setShown} />}
    >
      {list.data && entries.length === 0 && <p className="text-ink-2">{text.none}</p>}
      {days.map(([day, ofDay = []]) => (
        <div key={day} className="grid gap-3">
          <h3 className="text-xs font-name text-ink-3">{dayOf(ofDay[0]!.at)}</h3>
          <Timeline label={text.label}>
            {ofDay.map((entry) => (
              <NumberTimelineEntry
                key={`${entry.kind} ${entry.at} ${entry.switch} ${entry.revision}`}
                {...{ entry, connections }}
                onGoBack={canGoBack(entry.revision) ? setGoingBackTo : undefined}
              />
            ))}
          </Timeline>
        </div>
      ))}
      <MoreRows list={list} label={text.showOlder} />
      <Suspense>
        {target && (
          <RollBackDialog
            {...{ place, routing, connections }}
            revision={target}
            onClose={() => setGoingBackTo(undefined)}
          />
        )}
      </Suspense>
    </Section>
  );
}

interface TimelineControlsProps {
  numberId: string;
  shown: Shown;
  onShow(shown: Shown): void;
}

function TimelineControls({ numberId, shown, onShow }: TimelineControlsProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <AsCode
        of={numberPageText.parts.timeline}
        call={() => [
          { operation: "listTimeline", path: { id: numberId }, query: { limit: PAGE_SIZE } },
          { operation: "listRoutingRevisions", path: { id: numberId }, query: { limit: 50 } },
        ]}
      />
      <Segments
        label={text.show}
        value={shown}
        choices={[
          { value: "all", label: text.all },
          { value: "changes", label: text.changes },
          { value: "switches", label: text.switches },
        ]}
        onChange={onShow}
      />
    </div>
  );
}

function useTimeline({ organisation, environment, client }: OpenPlace, id: string) {
  return useInfiniteQuery({
    queryKey: [organisation, environment, "number", id, "timeline"],
    queryFn: ({ signal, pageParam }) =>
      withSession(() => client.numbers.timeline(id, { limit: PAGE_SIZE, cursor: pageParam }, { signal })),
    ...paging,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
  });
}

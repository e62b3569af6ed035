import { type Connection, NotFoundError, type PhoneNumber, type Routing } from "@dialplane/sdk";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { PhoneOff, Route as RouteIcon } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { RecentCalls } from "../calls/RecentCalls.tsx";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Freshness } from "../components/Freshness.tsx";
import { PageLink } from "../components/Page.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { PhoneNumber as ShownNumber } from "../components/PhoneNumber.tsx";
import { sharedText } from "../components/shared-text.ts";
import { LiveCalls } from "../live/LiveCalls.tsx";
import { ReleaseProgress } from "../releases/ReleaseProgress.tsx";
import { whenReachable } from "../session/when-reachable.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { UsagePanel } from "../usage/UsagePanel.tsx";
import { numberPageText } from "./number-page-text.ts";
import { NumberFacts } from "./NumberFacts.tsx";
import { NumberHeader } from "./NumberHeader.tsx";
import { NumberSettings } from "./NumberSettings.tsx";
import { NumberTimeline } from "./NumberTimeline.tsx";
import { numbersText } from "./numbers-text.ts";
import { connectionsQuery, numberQuery, routingQuery } from "./routing-queries.ts";
import { RowSkeletons } from "./RowSkeletons.tsx";
import { WhereCallsGo } from "./WhereCallsGo.tsx";

const ChangeRoutingDialog = lazy(
  whenReachable(() =>
    import("./ChangeRoutingDialog.tsx").then((module) => ({ default: module.ChangeRoutingDialog })),
  ),
);

const ProbeDialog = lazy(
  whenReachable(() =>
    import("../probes/ProbeDialog.tsx").then((module) => ({ default: module.ProbeDialog })),
  ),
);

const route = getRouteApi("/signed-in/o/$organisation/$environment/numbers/$number");

const PARTS = ["routing", "timeline", "calls", "usage", "settings"] as const;
type Part = (typeof PARTS)[number];

/** One number: where calls go, what happened, its calls, usage and settings. */
export function NumberPage() {
  const place = useOpenPlace();
  const { number: id } = route.useParams();
  const number = useQuery(numberQuery(place, id));
  const { data } = number;
  useTitle(data?.e164 ?? numbersText.number);
  return (
    <>
      <PageBar
        title={data ? <ShownNumber e164={data.e164} /> : numbersText.number}
        isHeading={false}
        back={<PageLink label={sharedText.numbers} to="/o/$organisation/$environment/numbers" />}
        freshness={data && <Freshness query={number} />}
      />
      <div className="min-h-0 grow overflow-y-auto">
        <div className="mx-auto grid max-w-280 grid-cols-1 gap-6 px-4 py-6 md:px-8">
          {number.isPending ? (
            <RowSkeletons count={4} />
          ) : number.error instanceof NotFoundError ? (
            <EmptyState isPage icon={PhoneOff} title={numbersText.notFound}>
              {sharedText.otherEnvironment}
            </EmptyState>
          ) : data ? (
            <Content key={data.id} place={place} number={data} />
          ) : (
            <FailureNotice
              error={number.error}
              action={<Button onClick={() => void number.refetch()}>{sharedText.retry}</Button>}
            />
          )}
        </div>
      </div>
    </>
  );
}

function Content({ place, number }: { place: OpenPlace; number: PhoneNumber }) {
  const { organisation, environment, client, role, name } = place;
  const seesRouting = role !== "member";
  const routing = useQuery({ ...routingQuery(place, number.id), enabled: seesRouting });
  const connections = useQuery({ ...connectionsQuery(place), enabled: seesRouting }).data ?? [];
  const [isChanging, setChanging] = useState(false);
  const shown = PARTS.filter((part) => seesRouting || part === "usage" || part === "settings");
  return (
    <>
      <NumberHeader number={number} routing={routing.data}>
        <Actions {...{ place, number }} onChangeRouting={routing.data && (() => setChanging(true))} />
      </NumberHeader>
      <PartsBar parts={shown} />
      <ReleaseProgress place={place} number={number} />
      <div className="grid grid-cols-1 gap-x-9 gap-y-8 lg:grid-cols-[minmax(0,1fr)_16rem]">
        <div className="grid min-w-0 content-start gap-8">
          {seesRouting ? (
            <RoutingParts {...{ place, number, routing, connections }} />
          ) : (
            <p className="text-ink-2">{numbersText.routingDenied(name)}</p>
          )}
          <div id="usage">
            <UsagePanel
              queryKey={[organisation, environment, "number", number.id]}
              load={(query, options) => client.usage.ofNumber(number.id, query, options)}
              asCode={(query) => ({ operation: "getNumberUsage", path: { id: number.id }, query })}
            />
          </div>
          <div id="settings">
            <NumberSettings place={place} number={number} />
          </div>
        </div>
        <div className="grid content-start gap-6 divide-y divide-line *:not-last:pb-6">
          {number.status !== "released" && <LiveCalls place={place} numberId={number.id} />}
          <NumberFacts number={number} />
        </div>
      </div>
      <Suspense>
        {isChanging && routing.data && (
          <ChangeRoutingDialog
            place={place}
            opened={routing.data}
            connections={connections}
            onClose={() => setChanging(false)}
          />
        )}
      </Suspense>
    </>
  );
}

interface ActionsProps {
  place: OpenPlace;
  number: PhoneNumber;
  /** Absent until the routing is loaded. */
  onChangeRouting: (() => void) | undefined;
}

function Actions({ place, number, onChangeRouting }: ActionsProps) {
  const seesRouting = place.role !== "member";
  const path = { id: number.id };
  const [isProbing, setProbing] = useState(false);
  return (
    <>
      <AsCode
        of={numbersText.numberCode}
        call={() => [
          { operation: "getNumber", path },
          ...(seesRouting ? [{ operation: "getRouting" as const, path }] : []),
        ]}
      />
      {seesRouting && number.status === "active" && (
        <Button size="small" onClick={() => setProbing(true)}>
          {numbersText.probe}
        </Button>
      )}
      {seesRouting && number.status === "active" && (
        <Button
          look="primary"
          size="small"
          icon={<RouteIcon aria-hidden className="size-3.5" />}
          disabled={!onChangeRouting}
          onClick={onChangeRouting}
        >
          {numbersText.changeRouting}
        </Button>
      )}
      <Suspense>
        {isProbing && <ProbeDialog place={place} number={number} onClose={() => setProbing(false)} />}
      </Suspense>
    </>
  );
}

interface RoutingPartsProps {
  place: OpenPlace;
  number: PhoneNumber;
  routing: UseQueryResult<Routing>;
  connections: readonly Connection[];
}

/** Parts for users who can read routing. */
function RoutingParts({ place, number, routing, connections }: RoutingPartsProps) {
  return (
    <>
      <section id="routing" aria-label={numberPageText.parts.routing} className="grid gap-3">
        <h2 className="sr-only">{numberPageText.parts.routing}</h2>
        {routing.data ? (
          <WhereCallsGo routing={routing.data} connections={connections} />
        ) : routing.error ? (
          <FailureNotice error={routing.error} />
        ) : (
          <RowSkeletons count={4} />
        )}
      </section>
      <div id="timeline">
        {routing.data && <NumberTimeline {...{ place, number, connections }} routing={routing.data} />}
      </div>
      <div id="calls">
        <RecentCalls place={place} number={number} />
      </div>
    </>
  );
}

/** Links to the parts of the page. */
function PartsBar({ parts }: { parts: readonly Part[] }) {
  return (
    <nav
      aria-label={numberPageText.onThisPage}
      className="sticky top-0 z-10 -mx-1 flex gap-5 overflow-x-auto border-b border-line bg-surface px-1 font-medium"
    >
      {parts.map((part) => (
        <a
          key={part}
          href={`#${part}`}
          className="-mb-px border-b-2 border-transparent py-2 whitespace-nowrap text-ink-2 first:border-ink first:text-ink hover:text-ink"
        >
          {numberPageText.parts[part]}
        </a>
      ))}
    </nav>
  );
}

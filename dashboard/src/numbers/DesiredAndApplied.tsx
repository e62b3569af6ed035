import type { Connection, RevisedRouting, Routing } from "@dialplane/sdk";
import type { ReactNode } from "react";
import { Age } from "./Age.tsx";
import { fallbacksOf, targetOf, targetsOf } from "./routing-target.ts";
import { RoutingStatus } from "./RoutingStatus.tsx";
import { wordFor } from "../components/shared-text.ts";
import { numbersText } from "./numbers-text.ts";
import { routingText } from "./routing-text.ts";

interface DesiredAndAppliedProps {
  routing: Routing;
  connections: readonly Connection[];
}

/** Desired route next to the applied route, and the state of each switch. */
export function DesiredAndApplied({ routing, connections }: DesiredAndAppliedProps) {
  const { desired, applied } = routing;
  return (
    <div className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2">
      <Route title={numbersText.desired} routing={desired} connections={connections}>
        {numbersText.setBy(desired.set_by.name ?? desired.set_by.kind)} <Age at={desired.set_at} />
        {desired.reason && <q className="mt-1 block">{desired.reason}</q>}
      </Route>
      {applied ? (
        <Route
          title={numbersText.applied}
          aside={<RoutingStatus status={routing.status} />}
          routing={applied}
          connections={connections}
        >
          {numbersText.readBack} <Age at={applied.observed_at} />
        </Route>
      ) : (
        <section aria-label={numbersText.applied} className="grid content-start gap-2 bg-surface p-4">
          <RouteTitle aside={<RoutingStatus status={routing.status} />}>{numbersText.applied}</RouteTitle>
          <p className="text-sm text-muted">{numbersText.notApplied}</p>
        </section>
      )}
      <Readings {...{ routing, connections }} />
    </div>
  );
}

interface RouteProps {
  title: string;
  aside?: ReactNode;
  routing: RevisedRouting & { generation: number };
  connections: readonly Connection[];
  children: ReactNode;
}

function Route({ title, aside, routing, connections, children }: RouteProps) {
  return (
    <section aria-label={title} className="grid content-start gap-2 bg-surface p-4">
      <RouteTitle aside={aside}>{title}</RouteTitle>
      <div>
        <p className="font-medium">{wordFor(routing.mode)}</p>
        {routing.mode !== "unrouted" && (
          <p className="font-mono text-sm break-all">{targetOf(routing, connections)}</p>
        )}
        {fallbacksOf(routing, connections).map(({ target, after }) => (
          <p key={target} className="text-sm break-words text-muted">
            {routingText.fallback(target, after)}
          </p>
        ))}
      </div>
      <p className="text-xs text-muted">
        {numbersText.revision(routing.generation)} {children}
      </p>
    </section>
  );
}

function RouteTitle({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="flex h-6 items-center justify-between">
      <h3 className="text-xs font-medium text-muted">{children}</h3>
      {aside}
    </div>
  );
}

function Readings({
  routing: { switches, last_error, effective_reason },
  connections,
}: DesiredAndAppliedProps) {
  if (switches.length === 0 && !last_error && !effective_reason) return null;
  return (
    <section aria-label={numbersText.switches} className="grid gap-2 bg-surface p-4 sm:col-span-2">
      <RouteTitle>{numbersText.bySwitch}</RouteTitle>
      {effective_reason && (
        <p className="text-sm text-warn">{numbersText.notRouted(wordFor(effective_reason))}</p>
      )}
      <ul className="divide-y divide-line text-sm">
        {switches.map((reading) => (
          <li key={reading.switch} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-1.5">
            <span className="w-32 truncate font-medium">{reading.switch}</span>
            <span className="min-w-0 grow font-mono text-xs break-all">
              {reading.applied ? targetsOf(reading.applied, connections) : numbersText.noResponse}
            </span>
            <span className="text-xs text-muted">
              {reading.applied && numbersText.revisionOf(reading.applied.generation)}
              {reading.observed_at ? <Age at={reading.observed_at} /> : numbersText.noReport}
            </span>
            {reading.error && <span className="w-full text-xs break-words text-bad">{reading.error}</span>}
          </li>
        ))}
      </ul>
      {last_error && switches.every(({ error }) => error !== last_error) && (
        <p className="text-xs break-words text-bad">{last_error}</p>
      )}
    </section>
  );
}

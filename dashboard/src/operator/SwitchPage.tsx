import { NotFoundError } from "@dialplane/sdk";
import type { Switch } from "@dialplane/sdk/operator";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CircleCheck, Server, TriangleAlert } from "lucide-react";

import { CopiedFact, Fact, Facts } from "../components/Facts.tsx";
import { Button } from "../components/Button.tsx";
import { dayOf } from "../components/dates.ts";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Freshness } from "../components/Freshness.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { Stat } from "../components/Stat.tsx";
import { StatusBadge } from "../components/StatusBadge.tsx";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { OperatorPage } from "./OperatorPage.tsx";
import { operatorText } from "./operator-text.ts";
import { SwitchActions } from "./SwitchActions.tsx";
import { SwitchExceptions } from "./SwitchExceptions.tsx";
import { switchText } from "./switch-text.ts";
import { switchQuery } from "./switches-list.ts";
import { SwitchState } from "./SwitchState.tsx";

const route = getRouteApi("/signed-in/operator/switches/$switch");

/** One switch: its state, its exceptions and its agent. */
export function SwitchPage() {
  const { switch: id } = route.useParams();
  const query = useQuery(switchQuery(id));
  const { data: one, error } = query;
  return (
    <OperatorPage
      back={<Link to="/operator/switches">{operatorText.switches.title}</Link>}
      title={one?.name ?? switchText.one}
      isHeading={false}
      error={error}
      freshness={<Freshness query={query} />}
    >
      {one ? (
        <Content one={one} />
      ) : error instanceof NotFoundError ? (
        <EmptyState isPage icon={Server} title={switchText.notFound}>
          {switchText.notFoundHint}
        </EmptyState>
      ) : error ? (
        <FailureNotice
          error={error}
          action={<Button onClick={() => void query.refetch()}>{sharedText.retry}</Button>}
        />
      ) : (
        <RowSkeletons count={6} />
      )}
    </OperatorPage>
  );
}

function Content({ one }: { one: Switch }) {
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-xl font-title tracking-tight break-words">{one.name}</h1>
            <SwitchState one={one} />
            {one.exceptions > 0 && (
              <StatusBadge tone="warn" icon={TriangleAlert}>
                {switchText.exceptionCount(one.exceptions)}
              </StatusBadge>
            )}
          </div>
          <p className="text-ink-2">{operatorText.switches.groupOf(one.group.name)}</p>
        </div>
        <SwitchActions one={one} />
      </header>
      <Figures one={one} />
      <div className="grid grid-cols-1 gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_15rem]">
        <SwitchExceptions one={one} />
        <div className="grid min-w-0 grid-cols-1 content-start gap-6">
          <Agent one={one} />
          <Alarms one={one} />
        </div>
      </div>
    </>
  );
}

function Figures({ one: { last_seen_at, lag, exceptions } }: { one: Switch }) {
  return (
    <dl className="grid grid-cols-2 gap-4 rounded-lg border border-line p-4 sm:grid-cols-3">
      <Stat name={operatorText.switches.lastReport}>
        {last_seen_at ? <RelativeTime at={last_seen_at} /> : operatorText.switches.never}
      </Stat>
      <Stat name={operatorText.switches.lag}>{lag.toLocaleString()}</Stat>
      <Stat name={operatorText.switches.exceptions}>{exceptions.toLocaleString()}</Stat>
    </dl>
  );
}

function Agent({ one }: { one: Switch }) {
  return (
    <section aria-label={switchText.agent} className="grid grid-cols-1 gap-2">
      <h2 className="text-xs font-medium text-ink-3">{switchText.agent}</h2>
      <Facts>
        <Fact name={switchText.version}>{one.agent_version ?? "–"}</Fact>
        <Fact name={switchText.unreachableAfter}>{switchText.seconds(one.unreachable_after_seconds)}</Fact>
        <Fact name={switchText.registered}>{dayOf(one.created_at)}</Fact>
        {one.boot !== null && (
          <CopiedFact name={switchText.boot} value={one.boot} copyLabel={sharedText.copy(switchText.boot)} />
        )}
        <CopiedFact name={switchText.id} value={one.id} copyLabel={sharedText.copy(switchText.id)} />
      </Facts>
    </section>
  );
}

function Alarms({ one: { alarms } }: { one: Switch }) {
  return (
    <section aria-label={switchText.alarms} className="grid gap-2 border-t border-line pt-4">
      <h2 className="text-xs font-medium text-ink-3">{switchText.alarms}</h2>
      {alarms.length === 0 ? (
        <p className="flex items-center gap-1.5">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />
          {switchText.noAlarms}
        </p>
      ) : (
        <ul className="grid gap-2">
          {alarms.map((alarm) => (
            <li key={alarm} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-1.5">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 text-bad" />
              <p className="font-name text-bad">{wordFor(alarm)}</p>
              <p className="col-start-2 text-xs text-ink-2">{operatorText.homePage.alarms[alarm]?.hint}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

import type { Switch } from "@dialplane/sdk/operator";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, Server, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { rowsOf } from "../components/paging.ts";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { wordFor } from "../components/shared-text.ts";
import { AddSwitchDialog } from "./AddSwitchDialog.tsx";
import { OperatorPage } from "./OperatorPage.tsx";
import { SwitchActions } from "./SwitchActions.tsx";
import { switchesList } from "./switches-list.ts";
import { SwitchState } from "./SwitchState.tsx";
import { operatorText } from "./operator-text.ts";

/** All switches: last report, lag and exceptions. */
export function SwitchesPage() {
  const switches = useInfiniteQuery(switchesList);
  const [isAdding, setAdding] = useState(false);
  const all = rowsOf(switches.data).toSorted((one, other) => one.name.localeCompare(other.name));
  return (
    <OperatorPage
      title={operatorText.switches.title}
      says={operatorText.switches.about}
      error={switches.error}
      aside={
        <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setAdding(true)}>
          {operatorText.switches.add}
        </Button>
      }
    >
      {switches.data && all.length === 0 && (
        <EmptyState icon={Server} title={operatorText.switches.none}>
          {operatorText.switches.noneHint}
        </EmptyState>
      )}
      <ul className="grid gap-3">
        {all.map((one) => (
          <Card key={one.id} one={one} />
        ))}
      </ul>
      <MoreRows list={switches} />
      {isAdding && <AddSwitchDialog onClose={() => setAdding(false)} />}
    </OperatorPage>
  );
}

function Card({ one }: { one: Switch }) {
  const { id, name, group, lag, exceptions, alarms, agent_version, last_seen_at } = one;
  return (
    <li className="grid gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="grid min-w-0">
          <h2 className="truncate font-medium">
            <Link to="/operator/switches/$switch" params={{ switch: id }} className="hover:underline">
              {name}
            </Link>
          </h2>
          <p className="text-xs text-ink-2">{operatorText.switches.groupOf(group.name)}</p>
        </div>
        <SwitchState one={one} />
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        <Figure name={operatorText.switches.lastReport}>
          {last_seen_at ? <RelativeTime at={last_seen_at} /> : operatorText.switches.never}
        </Figure>
        <Figure name={operatorText.switches.lag}>{lag.toLocaleString()}</Figure>
        <Figure name={operatorText.switches.exceptions}>
          {exceptions > 0 && (
            <TriangleAlert aria-hidden className="mr-1 inline size-4 align-[-0.15em] text-warn" />
          )}
          {exceptions.toLocaleString()}
        </Figure>
        <Figure name={operatorText.switches.agent}>{agent_version ?? "–"}</Figure>
      </dl>
      {alarms.length > 0 && (
        <p role="status" className="flex items-center gap-1.5 text-sm font-medium text-bad">
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          {alarms.map((alarm) => wordFor(alarm)).join(", ")}
        </p>
      )}
      <SwitchActions one={one} />
    </li>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className="text-sm font-medium tabular-nums">{children}</dd>
    </div>
  );
}

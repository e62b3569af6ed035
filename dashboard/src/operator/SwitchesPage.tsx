import type { Switch } from "@dialplane/sdk/operator";
import { useInfiniteQuery } from "@tanstack/react-query";
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
import { switchesList } from "./switches-list.ts";
import { CredentialDialog, StateDialog, type WantedState } from "./SwitchDialogs.tsx";
import { SwitchState } from "./SwitchState.tsx";
import { operatorText } from "./operator-text.ts";

type Opened = { to: "credential"; one: Switch } | { to: WantedState; one: Switch };

/** All switches: last report, lag and exceptions. */
export function SwitchesPage() {
  const switches = useInfiniteQuery(switchesList);
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<Opened>();
  const close = (): void => setOpened(undefined);
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
          <Card key={one.id} one={one} onOpen={(to) => setOpened({ to, one })} />
        ))}
      </ul>
      <MoreRows list={switches} />
      {isAdding && <AddSwitchDialog onClose={() => setAdding(false)} />}
      {opened?.to === "credential" && <CredentialDialog one={opened.one} onClose={close} />}
      {opened && opened.to !== "credential" && (
        <StateDialog one={opened.one} state={opened.to} onClose={close} />
      )}
    </OperatorPage>
  );
}

function Card({ one, onOpen }: { one: Switch; onOpen(to: Opened["to"]): void }) {
  const { name, group, lag, exceptions, alarms, agent_version, last_seen_at } = one;
  return (
    <li className="grid gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="grid min-w-0">
          <h2 className="truncate font-medium">{name}</h2>
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
      <Actions one={one} onOpen={onOpen} />
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

function Actions({ one, onOpen }: { one: Switch; onOpen(to: Opened["to"]): void }) {
  const act = (to: Opened["to"], label: string, spoken = label): ReactNode => (
    <Button size="small" aria-label={`${spoken} ${one.name}`} onClick={() => onOpen(to)}>
      {label}
    </Button>
  );
  const isCounting = one.state !== "retired";
  return (
    <div className="flex flex-wrap gap-2">
      {one.state !== "active" && act("active", operatorText.switches.actions.active.verb)}
      {isCounting && one.state !== "draining" && act("draining", operatorText.switches.actions.draining.verb)}
      {isCounting && act("retired", operatorText.switches.actions.retired.verb)}
      {isCounting &&
        act("credential", operatorText.switches.newCredential, operatorText.switches.newCredentialFor)}
    </div>
  );
}

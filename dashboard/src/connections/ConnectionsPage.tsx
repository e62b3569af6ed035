import type { Connection } from "@dialplane/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Cable, CircleX, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { Page } from "../components/Page.tsx";
import { paging, rowsOf } from "../components/paging.ts";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { ConnectionDialog } from "./ConnectionDialog.tsx";
import { DeleteConnectionDialog } from "./DeleteConnectionDialog.tsx";
import { TargetHealth } from "./TargetHealth.tsx";
import { connectionsText } from "./connections-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** Switches report target health every few seconds. */
const REFRESH_MS = 10_000;

type Opened = { to: "create" } | { to: "change" | "delete"; connection: Connection };

/** Connections with their targets. */
export function ConnectionsPage() {
  useTitle(connectionsText.title);
  const place = useOpenPlace();
  const { organisation, environment, client } = place;
  const [opened, setOpened] = useState<Opened>();
  const list = useInfiniteQuery({
    queryKey: [organisation, environment, "connections", "list"],
    queryFn: ({ signal, pageParam }) =>
      withSession(() => client.connections.list({ limit: 100, cursor: pageParam }, { signal })),
    ...paging,
    refetchInterval: REFRESH_MS,
  });
  const connections = rowsOf(list.data);
  const close = (): void => setOpened(undefined);
  const add = (
    <Button
      look="primary"
      icon={<Plus aria-hidden className="size-4" />}
      onClick={() => setOpened({ to: "create" })}
    >
      {connectionsText.add}
    </Button>
  );
  return (
    <Page
      title={connectionsText.title}
      says={connectionsText.about}
      asCode={() => ({ operation: "listConnections" })}
      aside={connections.length > 0 && add}
    >
      {list.data && connections.length === 0 && (
        <EmptyState icon={Cable} title={connectionsText.none} action={add}>
          {connectionsText.noneHint}
        </EmptyState>
      )}
      {connections.length > 0 && (
        <ul className="grid gap-3">
          {connections.map((connection) => (
            <Card
              key={connection.id}
              connection={connection}
              onOpen={(to) => setOpened({ to, connection })}
            />
          ))}
        </ul>
      )}
      <MoreRows list={list} />
      <Dialogs place={place} opened={opened} onClose={close} />
    </Page>
  );
}

function Dialogs({
  place,
  opened,
  onClose,
}: {
  place: OpenPlace;
  opened: Opened | undefined;
  onClose(): void;
}) {
  if (!opened) return null;
  if (opened.to === "delete")
    return <DeleteConnectionDialog place={place} connection={opened.connection} onClose={onClose} />;
  return (
    <ConnectionDialog
      place={place}
      connection={opened.to === "change" ? opened.connection : undefined}
      onClose={onClose}
    />
  );
}

function Card({ connection, onOpen }: { connection: Connection; onOpen(to: "change" | "delete"): void }) {
  const { name, targets, sources } = connection;
  return (
    <li className="grid gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="grid min-w-0">
          <h2 className="truncate font-medium">{name}</h2>
          <Use connection={connection} />
        </div>
        <div className="flex gap-2">
          <Button size="small" aria-label={connectionsText.change(name)} onClick={() => onOpen("change")}>
            {sharedText.change}
          </Button>
          <Button size="small" aria-label={connectionsText.deleteOf(name)} onClick={() => onOpen("delete")}>
            {connectionsText.delete}
          </Button>
        </div>
      </div>
      <Unreachable targets={targets} />
      <ol className="grid gap-2 text-sm" aria-label={connectionsText.targetsOf(name)}>
        {targets
          .toSorted((one, other) => one.priority - other.priority)
          .map((target) => (
            <li key={`${target.host}:${target.port}/${target.transport}`} className="grid gap-0.5">
              <div className="flex flex-wrap gap-x-3">
                <code className="font-mono break-all">
                  {target.host}:{target.port}
                </code>
                <span className="text-xs leading-5 text-ink-2">
                  {connectionsText.targetDetails(target.transport, target.priority, target.weight)}
                </span>
              </div>
              <TargetHealth target={target} />
            </li>
          ))}
      </ol>
      {sources.length > 0 && (
        <p className="text-xs text-ink-2">
          {connectionsText.otherSources} <code className="font-mono break-all">{sources.join(", ")}</code>
        </p>
      )}
    </li>
  );
}

/** Link to the numbers that use the connection, and its limits. */
function Use({ connection: { id, in_use_by, max_calls, ring_seconds } }: { connection: Connection }) {
  const { organisation, environment } = useOpenPlace();
  const limits = [
    max_calls !== null && connectionsText.callLimit(max_calls),
    ring_seconds !== null && connectionsText.ringLimit(ring_seconds),
  ].filter(Boolean);
  return (
    <p className="text-xs text-ink-2">
      {in_use_by > 0 ? (
        <Link
          to="/o/$organisation/$environment/numbers"
          params={{ organisation, environment }}
          search={{ connection: id }}
          className="rounded underline hover:text-ink"
        >
          {connectionsText.inUseBy(in_use_by)}
        </Link>
      ) : (
        connectionsText.inUseBy(in_use_by)
      )}
      {limits.map((limit) => `, ${limit}`)}
    </p>
  );
}

/** Switches from which all targets of this connection are down. */
function Unreachable({ targets }: Pick<Connection, "targets">) {
  const isDown = (name: string): boolean =>
    targets.every(({ health }) => health.switches.some((one) => one.switch === name && one.state === "down"));
  const names = (targets[0]?.health.switches ?? []).map((one) => one.switch).filter(isDown);
  if (names.length === 0) return null;
  return (
    <p className="flex items-start gap-2 rounded-md border border-bad/40 bg-bad-soft p-2 text-xs text-bad">
      <CircleX aria-hidden className="size-4 shrink-0" />
      <span>{connectionsText.unreachable(names.join(", "))}</span>
    </p>
  );
}

import type { Connection, OverviewSwitch } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Dot, type DotTone } from "../components/Dot.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { Section } from "../components/Section.tsx";
import { connectionsQuery } from "../numbers/routing-queries.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { overviewText } from "./overview-text.ts";

/** Connections shown: those with problems come first. */
const MOST_CONNECTIONS = 14;

/** State of the switches and connections that serve the organisation's numbers. */
export function Fleet({ place, switches }: { place: OpenPlace; switches: readonly OverviewSwitch[] }) {
  const connections = useQuery({ ...connectionsQuery(place), enabled: place.role !== "member" }).data ?? [];
  if (switches.length + connections.length === 0) return null;
  const shown = connections.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, MOST_CONNECTIONS);
  const counts = [
    switches.length > 0 && overviewText.countSwitches(switches.length),
    connections.length > 0 && overviewText.countConnections(connections.length),
  ].filter(Boolean);
  return (
    <Section title={overviewText.switches} count={counts.join(", ")}>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] overflow-hidden rounded-lg border border-line">
        {switches.map((one) => (
          <SwitchTile key={one.name} one={one} />
        ))}
        {shown.map((connection) => (
          <ConnectionTile key={connection.id} connection={connection} />
        ))}
      </ul>
    </Section>
  );
}

const SWITCH_TONES: Record<string, DotTone> = { reporting: "good", joining: "wait", draining: "wait" };

function SwitchTile({ one: { name, state, observed_at, active_calls } }: { one: OverviewSwitch }) {
  const tone = SWITCH_TONES[state] ?? "bad";
  return (
    <Tile
      name={name}
      tone={tone}
      says={overviewText.switchStates[state] ?? state}
      note={
        <>
          {overviewText.report} <RelativeTime at={observed_at} />
          {active_calls !== null && `, ${overviewText.activeCalls(active_calls)}`}
        </>
      }
    />
  );
}

function ConnectionTile({ connection }: { connection: Connection }) {
  const { name, targets, in_use_by } = connection;
  const tone = toneOf(connection);
  const up = targets.filter(({ health }) => health.state === "up").length;
  const isChecked = targets.some(({ health }) => health.state !== "unknown");
  return (
    <Tile
      name={name}
      tone={tone}
      says={isChecked ? overviewText.targetsUp(up, targets.length) : overviewText.notChecked}
      note={in_use_by === 0 ? overviewText.unused : overviewText.numbers(in_use_by)}
    />
  );
}

/** Down targets count only for connections that numbers use. */
function toneOf({ targets, in_use_by }: Connection): DotTone {
  if (in_use_by === 0) return "off";
  const down = targets.filter(({ health }) => health.state === "down").length;
  if (down === targets.length) return "bad";
  if (down > 0) return "warn";
  return targets.some(({ health }) => health.state === "up") ? "good" : "off";
}

const RANKS: Record<DotTone, number> = { bad: 0, warn: 1, wait: 2, good: 3, off: 4 };
const rankOf = (connection: Connection): number => RANKS[toneOf(connection)];

const LOOKS: Record<DotTone, string> = {
  bad: "font-name text-bad",
  warn: "font-name text-warn",
  wait: "text-wait",
  good: "text-ink-2",
  off: "text-ink-2",
};

interface TileProps {
  name: string;
  tone: DotTone;
  says: string;
  note: ReactNode;
}

function Tile({ name, tone, says, note }: TileProps) {
  return (
    <li className="-mr-px -mb-px grid content-start gap-1 border-r border-b border-line px-4 py-3">
      <p className="flex min-w-0 items-center gap-1.5">
        <Dot tone={tone} />
        <span className="truncate font-name">{name}</span>
      </p>
      <p className={`text-xs ${LOOKS[tone]}`}>{says}</p>
      <p className="text-xs text-ink-3">{note}</p>
    </li>
  );
}

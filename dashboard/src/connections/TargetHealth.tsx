import type { ConnectionTarget } from "@dialplane/sdk";
import { ChevronRight, CircleCheck, CircleHelp, CircleX, type LucideIcon } from "lucide-react";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { connectionsText } from "./connections-text.ts";

type Reading = ConnectionTarget["health"]["switches"][number];

const LOOKS: Record<string, { icon: LucideIcon; look: string; word: string }> = {
  up: { icon: CircleCheck, look: "text-good bg-good-soft", word: connectionsText.states.up },
  down: { icon: CircleX, look: "text-bad bg-bad-soft", word: connectionsText.states.down },
  unknown: { icon: CircleHelp, look: "text-ink-2 bg-hover", word: connectionsText.states.unknown },
};

/** Health of a target by icon and word, with the result of each switch. */
export function TargetHealth({ target }: { target: ConnectionTarget }) {
  const { state, switches } = target.health;
  const place = `${target.host}:${target.port}`;
  const lines = switches.map((reading) => <Line key={reading.switch} reading={reading} place={place} />);
  return (
    <div role="group" aria-label={connectionsText.health(place)} className="min-w-0 text-xs text-ink-2">
      {switches.length === 0 && connectionsText.notChecked}
      {switches.length === 1 && lines}
      {switches.length > 1 && (
        <details open={state !== "up"} className="group">
          <summary className="flex w-fit cursor-pointer list-none flex-wrap items-center gap-x-2 rounded">
            <State state={state} />
            {connectionsText.onSwitches(
              switches.filter((reading) => reading.state === state).length,
              switches.length,
            )}
            <ChevronRight aria-hidden className="size-3.5 group-open:rotate-90" />
          </summary>
          <div className="grid gap-1 py-1 pl-4">{lines}</div>
        </details>
      )}
    </div>
  );
}

function Line({ reading, place }: { reading: Reading; place: string }) {
  const { switch: name, state, addresses, since, checked_at } = reading;
  const isPlain = addresses.length === 1 && addresses[0]!.address === place;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
      <State state={state} />
      <span>
        {connectionsText.on} <span className="text-ink">{name}</span>
      </span>
      {!isPlain &&
        addresses.map((one) => (
          <span key={one.address}>
            <code className="font-mono break-all">{one.address}</code>
            {addresses.length > 1 && ` ${one.state}`}
          </span>
        ))}
      {state === "down" && addresses.length === 0 && <span>{connectionsText.unresolved}</span>}
      {since && (
        <span>
          {connectionsText.changed} <RelativeTime at={since} />
        </span>
      )}
      <span>{checked_at ? <CheckedAt at={checked_at} /> : connectionsText.neverChecked}</span>
    </p>
  );
}

function CheckedAt({ at }: { at: string }) {
  return (
    <>
      {connectionsText.checked} <RelativeTime at={at} />
    </>
  );
}

function State({ state }: { state: string }) {
  const { icon: Icon, look, word } = LOOKS[state] ?? LOOKS["unknown"]!;
  return (
    <span
      className={`inline-flex h-6 items-center gap-1.5 rounded-full px-2 font-medium whitespace-nowrap ${look}`}
    >
      <Icon aria-hidden className="size-3.5" />
      {word}
    </span>
  );
}

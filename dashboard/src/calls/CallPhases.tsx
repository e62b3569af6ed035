import type { ReactNode } from "react";
import { clockOf, exactly, millisecondsOf } from "../components/dates.ts";
import { Stat } from "../components/Stat.tsx";
import { lengthOf, secondsOf } from "./call-lengths.ts";
import { callText } from "./call-text.ts";
import { callsText } from "./calls-text.ts";
import type { CallEvidence } from "./CallParties.tsx";

/** Figures of a call, and its phases to scale. */
export function CallPhases({ call }: { call: CallEvidence }) {
  const { figures, enders } = callText;
  const { setup_ms: setup, ring_ms: ring, ended_by: by, code, result, talk_seconds: talked } = call;
  const given = (ms: number | null): string => (ms === null ? callsText.absent : secondsOf(ms));
  return (
    <div className="grid gap-3 rounded-lg border border-line px-4 py-3.5 md:px-5">
      <dl className="grid grid-cols-2 gap-x-9 gap-y-3 sm:flex sm:flex-wrap">
        <Stat name={figures.started}>
          <Started at={call.started_at} />
        </Stat>
        <Stat name={figures.firstRing}>{ring === null ? callsText.absent : given(setup)}</Stat>
        <Stat name={figures.rang}>{given(ring)}</Stat>
        <Stat name={figures.talkTime}>{result === "answered" ? lengthOf(talked) : callsText.absent}</Stat>
        <Stat name={figures.endedBy}>{by === null ? callText.unknown : (enders[by] ?? by)}</Stat>
        <Stat name={figures.code}>
          <span className={result === "failed" ? "text-bad" : ""}>{code ?? callsText.absent}</span>
        </Stat>
      </dl>
      <PhaseBar call={call} />
    </div>
  );
}

function Started({ at }: { at: string }): ReactNode {
  const clock = clockOf(at);
  return (
    <time dateTime={at} title={exactly(at)}>
      {clock}
      <span className="text-sm font-normal text-ink-3">{millisecondsOf(at).slice(clock.length)}</span>
    </time>
  );
}

const LOOKS = { setup: "bg-line-strong", ringing: "bg-warn-mark", talking: "bg-good-mark" };

function PhaseBar({ call }: { call: CallEvidence }) {
  const phases = phasesOf(call);
  if (phases.length === 0) return null;
  const labels = phases.map(({ name, says }) => callText.onePhase(callText.phases[name], says));
  return (
    <div className="grid gap-1.5">
      <div role="img" aria-label={callText.phaseBar(labels.join(", "))} className="flex h-2 gap-0.5">
        {phases.map(({ name, ms }) => (
          <span key={name} style={{ flexGrow: ms }} className={`min-w-1 basis-0 rounded-xs ${LOOKS[name]}`} />
        ))}
      </div>
      <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
        {phases.map(({ name }, at) => (
          <li key={name} className="inline-flex items-center gap-1.5">
            <span className={`size-1.75 rounded-full ${LOOKS[name]}`} />
            {labels[at]}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Phase {
  name: keyof typeof LOOKS;
  ms: number;
  says: string;
}

/** Phases with a known length above zero. */
function phasesOf({ setup_ms, ring_ms, answered_at, ended_at, talk_seconds }: CallEvidence): Phase[] {
  const talkMs = answered_at && ended_at ? Date.parse(ended_at) - Date.parse(answered_at) : 0;
  const phases: Phase[] = [
    { name: "setup", ms: setup_ms ?? 0, says: secondsOf(setup_ms ?? 0) },
    { name: "ringing", ms: ring_ms ?? 0, says: secondsOf(ring_ms ?? 0) },
    { name: "talking", ms: talkMs, says: lengthOf(talk_seconds) },
  ];
  return phases.filter(({ ms }) => ms > 0);
}

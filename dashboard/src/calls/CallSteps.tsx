import type { Connection } from "@dialplane/sdk";
import { CircleX, type LucideIcon, LogIn, PhoneIncoming, PhoneOff, Route } from "lucide-react";
import { Section } from "../components/Section.tsx";
import { wordFor } from "../components/shared-text.ts";
import { targetsOf } from "../numbers/routing-target.ts";
import { laneOf } from "./call-ladder.ts";
import { callText } from "./call-text.ts";
import { offsetOf } from "./call-verdict.ts";
import { type CallEvidence, callerText, targetName } from "./CallParties.tsx";
import { millisecondsText } from "./CallLadder.tsx";
import { callsText } from "./calls-text.ts";
import { sipCode } from "./sip-codes.ts";

interface Step {
  icon: LucideIcon;
  look: string;
  title: string;
  details: readonly string[];
  /** Milliseconds since the call arrived. Unknown for the look-up of the route. */
  at?: number;
}

const LOOKS = {
  plain: "border border-line-2 text-ink-2",
  wait: "bg-wait-soft text-wait",
  good: "bg-good-soft text-good",
  bad: "bg-bad-soft text-bad",
};

interface CallStepsProps {
  call: CallEvidence;
  connections: readonly Connection[];
}

/** Course of the call, with the time of each step since its arrival. */
export function CallSteps({ call, connections }: CallStepsProps) {
  const steps = [
    arrival(call),
    ...routed(call, connections),
    ...call.attempts.map((one) => tried(call, one)),
    ...answered(call, connections),
    ...ended(call),
  ];
  return (
    <Section title={callText.steps}>
      <ol className="grid">
        {steps.map((step, at) => (
          <StepRow key={at} step={step} isLast={at === steps.length - 1} />
        ))}
      </ol>
      {call.attempts.length === 0 && call.sip_call_id === null && (
        <p className="text-xs text-ink-2">{callText.noTargets}</p>
      )}
    </Section>
  );
}

function StepRow({
  step: { icon: Icon, look, title, details, at },
  isLast,
}: {
  step: Step;
  isLast: boolean;
}) {
  return (
    <li className="relative grid grid-cols-[1.5rem_minmax(0,1fr)_auto] gap-x-3 pb-4 last:pb-0">
      {!isLast && <span aria-hidden className="absolute top-6 bottom-0 left-3 w-px bg-line-2" />}
      <span aria-hidden className={`grid size-6 place-items-center rounded-full ${look}`}>
        <Icon className="size-3.5" />
      </span>
      <div className="min-w-0">
        <p className="font-name break-words">{title}</p>
        {details.length > 0 && <p className="text-xs break-words text-ink-2">{details.join(", ")}</p>}
      </div>
      <span className="font-mono text-xs leading-5 text-ink-3">
        {at !== undefined && millisecondsText(at)}
      </span>
    </li>
  );
}

function arrival(call: CallEvidence): Step {
  const details = [
    `${callsText.columns.caller} ${callerText(call)}`,
    ...(call.called ? [callText.dialled(call.called)] : []),
  ];
  const title = callText.arrived(call.switch ?? callText.aSwitch);
  return { icon: LogIn, look: LOOKS.wait, title, details, at: 0 };
}

function routed({ generation, destination }: CallEvidence, connections: readonly Connection[]): Step[] {
  if (generation === null) return [];
  const details = destination ? [targetsOf(destination, connections)] : [];
  return [{ icon: Route, look: LOOKS.wait, title: callText.routed(generation), details }];
}

function tried(call: CallEvidence, attempt: CallEvidence["attempts"][number]): Step {
  const { outcome, code, address, transport, step, started_at, ringing_at, ended_at } = attempt;
  const startedAt = offsetOf(call, started_at);
  const after = (at: string): string => millisecondsText(offsetOf(call, at) - startedAt);
  const says = callText.attempt(laneOf(attempt), callText.outcomes[outcome] ?? wordFor(outcome));
  const isAnswered = outcome === "answered";
  const isFailed = outcome === "unreachable" || outcome === "refused";
  return {
    icon: isAnswered ? PhoneIncoming : isFailed ? CircleX : PhoneOff,
    look: isAnswered ? LOOKS.good : isFailed ? LOOKS.bad : LOOKS.plain,
    title: code === null ? says : callText.withCode(says, sipCode(code)),
    details: [
      `${address} ${transport.toUpperCase()}`,
      callText.stepOf(step),
      ...(ringing_at ? [callText.rangAfter(after(ringing_at))] : []),
      ...(ended_at ? [callText.resultAfter(after(ended_at))] : []),
    ],
    at: startedAt,
  };
}

/** Without attempts, only the call itself says when it was answered. */
function answered(call: CallEvidence, connections: readonly Connection[]): Step[] {
  if (call.answered_at === null || call.attempts.length > 0) return [];
  const target = targetName(call, connections) ?? callText.verdict.destination;
  const title = callText.answeredBy(target);
  return [
    { icon: PhoneIncoming, look: LOOKS.good, title, details: [], at: offsetOf(call, call.answered_at) },
  ];
}

function ended(call: CallEvidence): Step[] {
  const { ended_at: endedAt, ended_by: by, reason, q850 } = call;
  if (endedAt === null) return [];
  const details = [
    ...(reason ? [callsText.reasons[reason] ?? wordFor(reason)] : []),
    ...(q850 === null ? [] : [callText.q850(q850)]),
  ];
  const title = (by && callText.ended[by]) ?? callText.endedUnknown;
  return [{ icon: PhoneOff, look: LOOKS.plain, title, details, at: offsetOf(call, endedAt) }];
}

import type { Connection, Routing } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { Check, CircleX, LoaderCircle, type LucideIcon, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { PlainDialog } from "../components/PlainDialog.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import { routingQuery } from "./routing-queries.ts";
import { targetsOf } from "./routing-target.ts";
import { holdsExpected } from "./switch-reading.ts";
import { routingText } from "./routing-text.ts";

/** Most switches confirm within a second: the dialog polls fast at first. */
const FAST_MS = 250;
const FAST_FOR_MS = 5_000;
const SLOW_MS = 2_000;

const text = routingText.progress;

interface RoutingProgressProps {
  place: OpenPlace;
  saved: Routing;
  connections: readonly Connection[];
  onClose(): void;
}

/** Follows a saved routing until every switch has confirmed it. */
export function RoutingProgress({ place, saved, connections, onClose }: RoutingProgressProps) {
  const [startedAt] = useState(Date.now);
  const { data = saved } = useQuery({
    ...routingQuery(place, saved.number_id),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      isApplied(state.data, saved) ? false : Date.now() - startedAt < FAST_FOR_MS ? FAST_MS : SLOW_MS,
  });
  const isAllDone = isApplied(data, saved);
  const steps = data.switches.map((reading) => stepOf(reading, saved.desired.generation));
  const done = steps.filter(({ isDone }) => isDone);
  const took = Math.max(0, ...done.map(({ took_ms }) => took_ms ?? 0));
  const says = steps.length === 0 ? text.noSwitch : text.appliedOn(done.length, steps.length);
  return (
    <PlainDialog
      isOpen
      onClose={onClose}
      title={isAllDone ? text.applied(steps.length, seconds(took)) : says}
      description={isAllDone ? text.newCalls(targetsOf(saved.desired, connections)) : text.closeHint}
    >
      <div className="grid gap-4">
        <ol aria-label={text.steps} className="grid gap-2.5">
          <Step {...DONE} name={text.saved} says={text.asRevision(saved.desired.generation)} />
          {steps.map((step) => (
            <SwitchStep key={step.switch} step={step} connections={connections} />
          ))}
        </ol>
        {data.effective_reason && (
          <p className="flex gap-2 text-xs text-warn">
            <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
            {text.notActive}
          </p>
        )}
        <p role="status" className="sr-only">
          {says}
        </p>
        <div className="flex justify-end">
          <Button look={isAllDone ? "primary" : "plain"} onClick={onClose}>
            {isAllDone ? text.done : text.close}
          </Button>
        </div>
      </div>
    </PlainDialog>
  );
}

type SwitchReading = Routing["switches"][number];

interface ProgressStep extends SwitchReading {
  isDone: boolean;
  isFailed: boolean;
}

function stepOf(reading: SwitchReading, generation: number): ProgressStep {
  const isDone = holds(reading, generation);
  return { ...reading, isDone, isFailed: !isDone && reading.error !== null };
}

/** Whether the switch has read back this revision or a later one, with the expected value. */
function holds(reading: SwitchReading, generation: number): boolean {
  return holdsExpected(reading) && (reading.expected === null || reading.expected.generation >= generation);
}

const DONE = { icon: Check, look: "bg-good-soft text-good" };
const FAILED = { icon: CircleX, look: "bg-bad-soft text-bad" };
const APPLYING = { icon: LoaderCircle, look: "bg-wait-soft text-wait", isSpinning: true };

function SwitchStep({ step, connections }: { step: ProgressStep; connections: readonly Connection[] }) {
  const { switch: name, isDone, isFailed, took_ms: took, applied, error } = step;
  if (isDone)
    return (
      <Step {...DONE} name={name} says={text.matches} time={took === null ? undefined : seconds(took)} />
    );
  if (isFailed) return <Step {...FAILED} name={name} says={error ?? ""} />;
  return (
    <Step
      {...APPLYING}
      name={name}
      says={applied ? text.still(targetsOf(applied, connections)) : text.waiting}
    />
  );
}

/** Without a switch, nothing is applied. */
function isApplied(routing: Routing | undefined, { desired: { generation } }: Routing): boolean {
  return (
    routing !== undefined &&
    routing.desired.generation >= generation &&
    routing.switches.length > 0 &&
    routing.switches.every((reading) => holds(reading, generation))
  );
}

interface StepProps {
  icon: LucideIcon;
  look: string;
  isSpinning?: boolean;
  name: string;
  says: string;
  time?: string | undefined;
}

function Step({ icon: Icon, look, isSpinning = false, name, says, time }: StepProps) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-2.5">
      <span aria-hidden className={`grid size-5.5 place-items-center rounded-full ${look}`}>
        <Icon className={`size-3 ${isSpinning ? "animate-spin motion-reduce:animate-none" : ""}`} />
      </span>
      <p className="break-words">
        <span className="font-name">{name}</span> <span className="text-ink-2">{says}</span>
      </p>
      {time && <span className="font-mono text-xs leading-5 text-ink-3">{time}</span>}
    </li>
  );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 1000 ? 2 : 1)} s`;
}

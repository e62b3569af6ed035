import type { Overview } from "@dialplane/sdk";
import { CircleHelp, CircleX, LoaderCircle, type LucideIcon, ShieldCheck, TriangleAlert } from "lucide-react";
import { Dot, type DotTone } from "../components/Dot.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { overviewText } from "./overview-text.ts";

type Counts = Overview["numbers"];

const LOOKS = {
  good: { icon: ShieldCheck, look: "bg-good-soft text-good" },
  wait: { icon: LoaderCircle, look: "bg-wait-soft text-wait" },
  warn: { icon: CircleHelp, look: "bg-warn-soft text-warn" },
  bad: { icon: TriangleAlert, look: "bg-bad-soft text-bad" },
  empty: { icon: CircleX, look: "bg-select text-ink-2" },
} as const satisfies Record<string, { icon: LucideIcon; look: string }>;

/** Worst first, after the good ones. */
const STATES = [
  { state: "in_sync", tone: "good", fill: "bg-good-mark" },
  { state: "pending", tone: "wait", fill: "bg-accent" },
  { state: "unreachable", tone: "bad", fill: "bg-bad-mark" },
  { state: "failed", tone: "bad", fill: "bg-bad-mark" },
  { state: "drifted", tone: "warn", fill: "bg-warn-mark" },
  { state: "unknown", tone: "off", fill: "bg-line-strong" },
] as const satisfies readonly { state: keyof Counts; tone: DotTone; fill: string }[];

/** One sentence about all numbers, its evidence, and the share of each state. */
export function Verdict({ overview }: { overview: Overview }) {
  const { numbers, switches } = overview;
  const { icon: Icon, look } = LOOKS[toneOf(overview)];
  const reporting = switches.filter(({ state }) => state !== "silent");
  // The oldest report: the sentence must hold for every switch.
  const oldest = reporting
    .map(({ observed_at }) => observed_at)
    .toSorted()
    .at(0);
  return (
    <section aria-label={overviewText.title} className="grid gap-3.5">
      <div className="flex items-start gap-3.5">
        <span className={`grid size-9 shrink-0 place-items-center rounded-full ${look}`}>
          <Icon aria-hidden className="size-5" />
        </span>
        <div className="min-w-0">
          <div role="status">
            <h1 className="text-2xl font-title tracking-tight text-balance max-sm:text-lg">
              {sentenceOf(overview)}
            </h1>
          </div>
          <p className="text-ink-2">
            {numbers.total > 0 &&
              numbers.in_sync < numbers.total &&
              `${overviewText.good(numbers.in_sync)}, `}
            {switches.length === 0 ? (
              overviewText.noSwitches
            ) : (
              <span className="first-letter:capitalize">
                {overviewText.readBack(reporting.length, switches.length)}
                {oldest && (
                  <>
                    {" "}
                    <RelativeTime at={oldest} />
                  </>
                )}
                .
              </span>
            )}
            {!numbers.is_complete && ` ${overviewText.incomplete}`}
          </p>
        </div>
      </div>
      {numbers.total > 0 && <StateBar numbers={numbers} />}
    </section>
  );
}

function toneOf({ numbers, problems }: Overview): keyof typeof LOOKS {
  if (problems.length > 0 || numbers.failed + numbers.drifted + numbers.unreachable > 0) return "bad";
  if (numbers.total === 0) return "empty";
  if (numbers.unknown > 0) return "warn";
  return numbers.pending > 0 ? "wait" : "good";
}

function sentenceOf({ numbers, problems }: Overview): string {
  const { total, in_sync, pending, unknown } = numbers;
  const affected = total - in_sync - pending;
  const count = problems.reduce((sum, problem) => sum + problem.count, 0);
  if (count > 0)
    return affected > 0 ? overviewText.affected(count, affected, total) : overviewText.problemsOnly(count);
  if (total === 0) return overviewText.noNumbers;
  if (affected > 0) return overviewText.affectedOnly(affected, total, unknown === affected);
  return pending > 0 ? overviewText.applying(pending, total) : overviewText.allGood(total);
}

function StateBar({ numbers }: { numbers: Counts }) {
  const shown = STATES.filter(({ state }) => numbers[state] > 0);
  return (
    <div className="grid gap-2">
      <div aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-full bg-select">
        {shown.map(({ state, fill }) => (
          <span key={state} className={`min-w-1 ${fill}`} style={{ flex: numbers[state] }} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
        {shown.map(({ state, tone }) => (
          <State key={state} tone={tone} name={overviewText.states[state]} count={numbers[state]} />
        ))}
        {numbers.unrouted > 0 && (
          <State tone="off" name={overviewText.states.unrouted} count={numbers.unrouted} />
        )}
      </ul>
    </div>
  );
}

function State({ tone, name, count }: { tone: DotTone; name: string; count: number }) {
  return (
    <li className="inline-flex items-center gap-1.5">
      <Dot tone={tone} />
      {name} <span className="font-name text-ink tabular-nums">{count.toLocaleString()}</span>
    </li>
  );
}

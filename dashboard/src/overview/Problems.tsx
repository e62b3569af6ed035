import type { Connection, OverviewProblem } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  CircleX,
  type LucideIcon,
  PackageX,
  PlugZap,
  ServerOff,
  TriangleAlert,
  WebhookOff,
} from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "../components/Button.tsx";
import { minuteOf, shortMomentOf } from "../components/dates.ts";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { durationOf } from "../components/RelativeTime.tsx";
import { Section } from "../components/Section.tsx";
import { connectionsQuery } from "../numbers/routing-queries.ts";
import { targetsOf } from "../numbers/routing-target.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { overviewText } from "./overview-text.ts";

const DAY_MS = 86_400_000;

const ICONS: Record<string, { icon: LucideIcon; look: string }> = {
  number_failing: { icon: CircleX, look: "text-bad" },
  connection_failing: { icon: CircleX, look: "text-bad" },
  connection_unreachable: { icon: PlugZap, look: "text-bad" },
  order_failed: { icon: PackageX, look: "text-bad" },
  switch_silent: { icon: ServerOff, look: "text-bad" },
  webhook_endpoint_disabled: { icon: WebhookOff, look: "text-warn" },
};
const DRIFT = { icon: TriangleAlert, look: "text-warn" };

/** Open problems, longest first: what, why, how many numbers and calls, since when, and one action. */
export function Problems({ place, problems }: { place: OpenPlace; problems: readonly OverviewProblem[] }) {
  const seesRouting = place.role !== "member";
  const connections = useQuery({ ...connectionsQuery(place), enabled: seesRouting }).data ?? [];
  if (problems.length === 0) return null;
  const count = problems.reduce((sum, problem) => sum + problem.count, 0);
  return (
    <Section title={overviewText.problems} count={overviewText.longestFirst(count)}>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {problems.map((problem) => (
          <Problem
            key={`${problem.kind} ${problem.subject?.id ?? problem.subject?.label} ${problem.switch}`}
            {...{ place, problem, connections }}
          />
        ))}
      </ul>
    </Section>
  );
}

interface ProblemProps {
  place: OpenPlace;
  problem: OverviewProblem;
  connections: readonly Connection[];
}

function Problem({ place, problem, connections }: ProblemProps) {
  const { icon: Icon, look } = ICONS[problem.kind] ?? DRIFT;
  const { numbers_affected: affected, calls_failed: failed, since } = problem;
  const age = Math.max(1, Math.round((Date.now() - Date.parse(since)) / 1000));
  const started = age * 1000 < DAY_MS ? minuteOf(since) : shortMomentOf(since);
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-3 gap-y-2 px-4 py-3 md:grid-cols-[20px_minmax(0,1fr)_7.5rem_6.5rem_9.5rem]">
      <Icon aria-hidden className={`mt-0.5 size-4 ${look}`} />
      <div className="min-w-0">
        <p className="font-name">
          <Sentence problem={problem} />
        </p>
        <p className="text-xs text-ink-2">{causeOf(problem, connections)}</p>
      </div>
      <p className="text-xs max-md:col-start-2 max-md:flex max-md:gap-x-3">
        {affected !== null && <span className="block">{overviewText.numbers(affected)}</span>}
        {failed !== null && (
          <span className={`block ${failed > 0 ? "font-semibold text-bad" : "text-ink-3"}`}>
            {overviewText.callsFailed(failed)}
          </span>
        )}
      </p>
      <p className="text-xs max-md:col-start-2 max-md:flex max-md:gap-x-1.5">
        <span className="block font-name md:text-sm">{durationOf(age)}</span>
        <span className="text-ink-3">{overviewText.since(started)}</span>
      </p>
      <div className="max-md:col-start-2 md:text-right">
        <Action place={place} problem={problem} />
      </div>
    </li>
  );
}

function Sentence({
  problem: { kind, subject, switch: on, count },
}: {
  problem: OverviewProblem;
}): ReactNode {
  if (!subject) return (overviewText.many[kind] ?? String)(overviewText.counted(count));
  const says = (overviewText.kinds[kind] ?? (() => kind.replaceAll("_", " ")))(
    on ?? overviewText.someSwitches,
  );
  if (subject.type === "number" && subject.label)
    return (
      <>
        <PhoneNumber e164={subject.label} /> {says}
      </>
    );
  return `${subject.label ?? overviewText.subjects[subject.type] ?? subject.type} ${says}`;
}

function causeOf(problem: OverviewProblem, connections: readonly Connection[]): ReactNode {
  const { kind, found, error, times_found: times } = problem;
  if (kind === "switch_silent") return overviewText.silentHint;
  if (times === null) return error;
  return (
    <>
      {overviewText.found}{" "}
      {found ? (
        <code className="font-mono break-all">{targetsOf(found, connections)}</code>
      ) : (
        overviewText.foundNothing
      )}
      , {overviewText.repaired(times)} {times > 2 && overviewText.otherWriter}
    </>
  );
}

/** The page where the problem is explained and solved. */
function Action({ place, problem: { kind, subject } }: { place: OpenPlace; problem: OverviewProblem }) {
  const { organisation, environment, role } = place;
  const at = { organisation, environment };
  const look = buttonClass("plain", "small");
  const { actions } = overviewText;
  if (subject?.type === "number" && subject.id)
    return (
      <Link
        to="/o/$organisation/$environment/numbers/$number"
        params={{ ...at, number: subject.id }}
        className={look}
      >
        {actions.number}
      </Link>
    );
  if (role === "member") return null;
  if (kind.startsWith("connection_"))
    return (
      <Link to="/o/$organisation/$environment/connections" params={at} className={look}>
        {actions.connection}
      </Link>
    );
  if (subject?.type === "webhook_endpoint" && subject.id)
    return (
      <Link
        to="/o/$organisation/$environment/webhooks/$endpoint"
        params={{ ...at, endpoint: subject.id }}
        className={look}
      >
        {actions.webhook_endpoint}
      </Link>
    );
  if (kind === "order_failed")
    return (
      <Link to="/o/$organisation/$environment/jobs" params={at} className={look}>
        {actions.order}
      </Link>
    );
  const sync = kind === "switch_silent" ? "unknown" : kind === "number_failing" ? "failed" : "drifted";
  return (
    <Link to="/o/$organisation/$environment/numbers" params={at} search={{ sync }} className={look}>
      {actions.numbers}
    </Link>
  );
}

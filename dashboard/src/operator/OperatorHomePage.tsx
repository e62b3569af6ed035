import type { OperatorOverview, Switch } from "@dialplane/sdk/operator";
import { queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, CircleX, ShieldCheck, TriangleAlert } from "lucide-react";
import { buttonClass } from "../components/Button.tsx";
import { shortMomentOf } from "../components/dates.ts";
import { type DataColumn, DataTable } from "../components/DataTable.tsx";
import { Dot } from "../components/Dot.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Freshness } from "../components/Freshness.tsx";
import { rowsOf } from "../components/paging.ts";
import { durationOf, RelativeTime } from "../components/RelativeTime.tsx";
import { Section } from "../components/Section.tsx";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { type ShownProblem, shownProblem } from "./home-problems.ts";
import { OperatorPage } from "./OperatorPage.tsx";
import { operatorText } from "./operator-text.ts";
import { SwitchState } from "./SwitchState.tsx";
import { switchesList } from "./switches-list.ts";

const text = operatorText.homePage;
const REFRESH_MS = 10_000;

const overviewQuery = queryOptions({
  queryKey: ["operator", "overview"],
  queryFn: ({ signal }) => withSession(() => operator.overview.get({ signal })),
  // Stops after an error: a user who cancelled the password prompt must not see it every few seconds.
  refetchInterval: ({ state }) => !state.error && REFRESH_MS,
});

/** Home of the operator: whether all switches do what they should, and what needs attention. */
export function OperatorHomePage() {
  const query = useQuery(overviewQuery);
  const { data: overview, error } = query;
  // Waits for the overview, so that an expired session asks for its renewal once.
  const switches = rowsOf(useInfiniteQuery({ ...switchesList, enabled: overview !== undefined }).data).filter(
    ({ state }) => state !== "retired",
  );
  return (
    <OperatorPage title={operatorText.home} error={error} freshness={<Freshness query={query} />}>
      {error && !overview && <FailureNotice error={error} />}
      {!error && !overview && <RowSkeletons count={4} />}
      {overview && (
        <>
          <Verdict overview={overview} />
          {overview.problems.length > 0 && <Problems overview={overview} />}
        </>
      )}
      {switches.length > 0 && <Switches switches={switches} />}
    </OperatorPage>
  );
}

function Problems({ overview: { problems, problems_total: total } }: { overview: OperatorOverview }) {
  return (
    <Section title={text.problems} count={total}>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {problems.map(shownProblem).map((problem) => (
          <Problem key={problem.key} problem={problem} />
        ))}
      </ul>
      {total > problems.length && <p className="text-xs text-ink-2">{text.firstOnly(problems.length)}</p>}
    </Section>
  );
}

function Verdict({ overview }: { overview: OperatorOverview }) {
  const { switches, problems_total: total, active_calls: calls } = overview;
  const isGood = total === 0;
  const Icon = isGood ? ShieldCheck : TriangleAlert;
  return (
    <section aria-label={operatorText.home} className="flex items-start gap-3.5">
      <span
        className={`grid size-9 shrink-0 place-items-center rounded-full ${isGood ? "bg-good-soft text-good" : "bg-bad-soft text-bad"}`}
      >
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="min-w-0">
        <p role="status" className="text-2xl font-title tracking-tight text-balance max-sm:text-lg">
          {isGood ? text.good : text.bad(total)}
        </p>
        <p className="text-ink-2">
          {switches.total === 0
            ? text.noSwitches
            : text.reporting(switches.reporting, switches.total, switches.lag)}
          {calls !== null && switches.total > 0 && ` ${text.activeCalls(calls)}`}
        </p>
      </div>
    </section>
  );
}

const DAY_MS = 86_400_000;

function Problem({ problem: { tone, title, hint, since, action } }: { problem: ShownProblem }) {
  const Icon = tone === "bad" ? CircleX : TriangleAlert;
  const age = since === null ? undefined : Date.now() - Date.parse(since);
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-3 gap-y-2 px-4 py-3 md:grid-cols-[20px_minmax(0,1fr)_7rem_9.5rem]">
      <Icon aria-hidden className={`mt-0.5 size-4 ${tone === "bad" ? "text-bad" : "text-warn"}`} />
      <div className="min-w-0">
        <p className="font-name break-words">{title}</p>
        <p className="text-xs break-words text-ink-2">{hint}</p>
      </div>
      <p className="text-xs max-md:col-start-2">
        {age !== undefined && since !== null && (
          <span className="text-sm font-name">
            {age < DAY_MS ? durationOf(Math.max(1, Math.round(age / 1000))) : shortMomentOf(since)}
          </span>
        )}
      </p>
      <div className="max-md:col-start-2 md:text-right">{action && <Action action={action} />}</div>
    </li>
  );
}

function Action({ action }: { action: NonNullable<ShownProblem["action"]> }) {
  const look = buttonClass("plain", "small");
  if ("reconciliation" in action)
    return (
      <Link
        to="/operator/carriers/$reconciliation"
        params={{ reconciliation: action.reconciliation }}
        className={look}
      >
        {text.showFindings}
      </Link>
    );
  if ("switch" in action)
    return (
      <Link to="/operator/switches/$switch" params={{ switch: action.switch }} className={look}>
        {action.shows === "exceptions" ? text.showExceptions : text.openSwitch}
      </Link>
    );
  return (
    <Link
      to="/operator/organisations/$organisation"
      params={{ organisation: action.organisation }}
      className={look}
    >
      {text.openOrganisation}
    </Link>
  );
}

/** Switches by group. */
function Switches({ switches }: { switches: readonly Switch[] }) {
  const groups = Object.entries(Object.groupBy(switches, ({ group }) => group.name));
  return (
    <Section
      title={operatorText.switches.title}
      count={switches.length}
      aside={
        <Link to="/operator/switches" className={buttonClass("quiet", "small")}>
          {text.allSwitches}
          <ChevronRight aria-hidden className="size-3.5" />
        </Link>
      }
    >
      <DataTable
        label={operatorText.switches.title}
        columns={SWITCH_COLUMNS}
        rows={groups.flatMap(([, ofGroup = []]) => ofGroup)}
        keyOf={({ id }) => id}
      />
    </Section>
  );
}

const { columns } = text;
const SWITCH_COLUMNS: readonly DataColumn<Switch>[] = [
  { title: columns.name, className: "font-name whitespace-nowrap", cell: (one) => <SwitchName one={one} /> },
  { title: columns.group, className: "text-ink-2", cell: ({ group }) => group.name },
  { title: columns.state, cell: (one) => <SwitchState one={one} /> },
  {
    title: columns.report,
    className: "text-ink-2",
    cell: ({ last_seen_at: at }) => (at ? <RelativeTime at={at} /> : operatorText.switches.never),
  },
  { title: columns.lag, isRight: true, cell: ({ lag }) => lag.toLocaleString() },
  {
    title: columns.exceptions,
    isRight: true,
    cell: ({ exceptions }) => (
      <span className={exceptions > 0 ? "font-semibold text-warn" : ""}>{exceptions.toLocaleString()}</span>
    ),
  },
];

function SwitchName({ one }: { one: Switch }) {
  const isBad = one.state === "unreachable" || one.alarms.length > 0;
  const tone = isBad ? "bad" : one.exceptions > 0 ? "warn" : one.is_synced ? "good" : "wait";
  return (
    <span className="inline-flex items-center gap-2">
      <Dot tone={tone} />
      <Link to="/operator/switches/$switch" params={{ switch: one.id }} className="hover:underline">
        {one.name}
      </Link>
    </span>
  );
}

import type { RevisedRouting } from "@dialplane/sdk";
import type { Switch, SwitchExceptionPage } from "@dialplane/sdk/operator";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from "lucide-react";
import { type DataColumn, DataTable } from "../components/DataTable.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { rowsOf } from "../components/paging.ts";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { Section } from "../components/Section.tsx";
import { StatusBadge, type Tone } from "../components/StatusBadge.tsx";
import { targetsOf } from "../numbers/routing-target.ts";
import { operatorText } from "./operator-text.ts";
import { switchText } from "./switch-text.ts";
import { switchExceptionsList } from "./switches-list.ts";

type Exception = SwitchExceptionPage["data"][number];

const LOOKS: Record<string, { tone: Tone; icon: LucideIcon }> = {
  pending: { tone: "wait", icon: CircleDashed },
  failed: { tone: "bad", icon: CircleX },
  drifted: { tone: "warn", icon: TriangleAlert },
  repaired: { tone: "good", icon: CircleCheck },
};

/** Items of a switch whose value is not the expected one, and those that drifted recently. */
export function SwitchExceptions({ one }: { one: Switch }) {
  const exceptions = useInfiniteQuery(switchExceptionsList(one.id));
  const all = rowsOf(exceptions.data);
  return (
    <Section title={operatorText.switches.exceptions}>
      {exceptions.data && all.length === 0 && (
        <EmptyState
          icon={one.last_seen_at ? CircleCheck : CircleDashed}
          title={one.last_seen_at ? switchText.noExceptions : switchText.noReport}
        >
          {one.last_seen_at ? switchText.noExceptionsHint : switchText.noReportHint}
        </EmptyState>
      )}
      {all.length > 0 && (
        <DataTable
          label={operatorText.switches.exceptions}
          columns={COLUMNS}
          rows={all}
          keyOf={({ id }) => id}
        />
      )}
      <MoreRows list={exceptions} />
    </Section>
  );
}

const { columns } = switchText;
const COLUMNS: readonly DataColumn<Exception>[] = [
  { title: columns.item, className: "min-w-36", cell: (exception) => <About exception={exception} /> },
  { title: columns.state, cell: ({ state }) => <State state={state} /> },
  {
    title: columns.values,
    className: "w-full min-w-76",
    cell: (exception) => (
      <>
        <Values exception={exception} />
        {exception.state === "failed" && exception.error && (
          <p className="mt-1 text-xs break-words text-bad">{exception.error}</p>
        )}
      </>
    ),
  },
  {
    title: columns.times,
    isRight: true,
    cell: ({ times_found: times }) => times?.toLocaleString() ?? "–",
  },
  {
    title: columns.since,
    isRight: true,
    className: "text-ink-2",
    cell: ({ since }) => <RelativeTime at={since} />,
  },
];

function About({ exception }: { exception: Exception }) {
  const { organisation, environment } = exception;
  return (
    <>
      <p className="font-name">
        <Item exception={exception} />
      </p>
      <p className="text-xs text-ink-2">
        <Link
          to="/operator/organisations/$organisation"
          params={{ organisation: organisation.id }}
          className="hover:underline"
        >
          {organisation.name}
        </Link>
        {environment === "test" && <span className="block">{switchText.inTest}</span>}
      </p>
    </>
  );
}

function State({ state }: Pick<Exception, "state">) {
  const { tone, icon } = LOOKS[state] ?? { tone: "plain" as const, icon: CircleDashed };
  return (
    <StatusBadge tone={tone} icon={icon}>
      {switchText.states[state] ?? state}
    </StatusBadge>
  );
}

function Item({ exception: { kind, label } }: { exception: Exception }) {
  if (label === null) return switchText.deletedConnection;
  return kind === "number" ? <PhoneNumber e164={label} /> : switchText.connection(label);
}

function Values({ exception: { found, expected, state } }: { exception: Exception }) {
  const [held, wanted] = valuesOf(found, expected);
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-xs leading-5">
      <dt className="text-ink-3">{switchText.found}</dt>
      <dd className={`font-mono break-all ${state === "drifted" ? "text-bad" : ""}`}>{held}</dd>
      <dt className="text-ink-3">{switchText.expected}</dt>
      <dd className="font-mono break-all text-ink-2">{wanted}</dd>
    </dl>
  );
}

type Value = Exception["found"];

/** Both values as text, with their generations if nothing else differs. */
function valuesOf(found: Value, expected: Value): [string, string] {
  const [held, wanted] = [valueOf(found), valueOf(expected)];
  if (!found || !expected || held !== wanted) return [held, wanted];
  return [
    switchText.atGeneration(held, Number(found["generation"])),
    switchText.atGeneration(wanted, Number(expected["generation"])),
  ];
}

/** A destination, or the targets of a connection. */
function valueOf(value: Value): string {
  if (!value) return switchText.nothing;
  const { targets } = value as { targets?: { host: string; port: number; transport: string }[] };
  if (!targets) return targetsOf(value as unknown as RevisedRouting, []);
  return targets.map(({ host, port, transport }) => `${host}:${port} ${transport}`).join(", ");
}

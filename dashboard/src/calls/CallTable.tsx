import type { Connection } from "@dialplane/sdk";
import { Link } from "@tanstack/react-router";
import { type DataColumn, DataTable } from "../components/DataTable.tsx";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import { clockLength, secondsOf } from "./call-lengths.ts";
import { CALLER, RESULT, STARTED } from "./call-columns.tsx";
import { callerText, type FoundCall, WentTo } from "./CallParties.tsx";
import { CallStart, callStartText } from "./CallStart.tsx";
import { callsText } from "./calls-text.ts";

interface CallTableProps {
  place: OpenPlace;
  calls: readonly FoundCall[];
  connections: readonly Connection[];
  /** Labels by phone number. Without them, all calls are to one number and the column is left out. */
  labels?: ReadonlyMap<string, string> | undefined;
}

const { columns } = callsText;

/** Columns that do not depend on the list. */
const FIGURES: readonly DataColumn<FoundCall>[] = [
  {
    title: columns.ring,
    isRight: true,
    className: "text-ink-3 max-xl:hidden",
    cell: ({ ring_ms: ring }) => (ring === null ? "" : secondsOf(ring)),
  },
  {
    title: columns.talkTime,
    isRight: true,
    className: "max-lg:hidden lg:max-xl:pr-6!",
    cell: ({ result, talk_seconds: talk }) =>
      result === "answered" ? clockLength(talk) : <span className="text-ink-3">{callsText.absent}</span>,
  },
  {
    title: columns.code,
    isRight: true,
    className: "max-xl:hidden",
    cell: ({ code, result }) => (
      <span className={`font-mono text-xs ${result === "failed" ? "text-bad" : "text-ink-3"}`}>{code}</span>
    ),
  },
  {
    title: columns.switch,
    className: "whitespace-nowrap text-ink-2 max-xl:hidden",
    cell: (call) => call.switch,
  },
];

/** Calls in rows that link to the call. On narrow screens, a row has two lines. */
export function CallTable({ place, calls, connections, labels }: CallTableProps) {
  const all: (DataColumn<FoundCall> | undefined)[] = [
    { ...STARTED, cell: (call) => <Started place={place} call={call} /> },
    RESULT,
    CALLER,
    labels && {
      title: columns.number,
      className: "whitespace-nowrap max-lg:order-3 max-lg:truncate max-lg:text-xs max-lg:text-ink-2",
      cell: ({ e164 }) => (
        <>
          <span className="lg:hidden">{callsText.to} </span>
          <PhoneNumber e164={e164} />
          {labels.has(e164) && <span className="text-ink-3"> {labels.get(e164)}</span>}
        </>
      ),
    },
    {
      title: columns.target,
      className: `lg:w-full lg:max-w-0 lg:truncate ${labels ? "max-lg:hidden" : "max-lg:order-3 max-lg:truncate max-lg:text-xs"}`,
      cell: (call) => (
        <span title={call.target ?? undefined}>
          <WentTo call={call} connections={connections} />
        </span>
      ),
    },
    ...FIGURES,
  ];
  return (
    <DataTable
      label={callsText.caption}
      layout="stacked"
      columns={all.filter((column) => column !== undefined)}
      rows={calls}
      keyOf={({ id }) => id}
    />
  );
}

/** The link covers the row. Its name has the parties, which are other cells. */
function Started({
  place: { organisation, environment },
  call,
}: Pick<CallTableProps, "place"> & { call: FoundCall }) {
  const { started_at: at } = call;
  return (
    <Link
      to="/o/$organisation/$environment/calls/$call"
      params={{ organisation, environment, call: call.id }}
      aria-label={callsText.openCall(callStartText(at), callerText(call), call.e164)}
      className="rounded after:absolute after:inset-0"
    >
      <CallStart at={at} />
    </Link>
  );
}

import type { OperatorCallPage } from "@dialplane/sdk/operator";
import { Link } from "@tanstack/react-router";
import { type DataColumn, DataTable } from "../components/DataTable.tsx";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { clockLength } from "../calls/call-lengths.ts";
import { CALLER, RESULT, STARTED } from "../calls/call-columns.tsx";
import { callerText, WentTo } from "../calls/CallParties.tsx";
import { CallStart, callStartText } from "../calls/CallStart.tsx";
import { callsText } from "../calls/calls-text.ts";
import { operatorCallsText } from "./operator-calls-text.ts";

export type OperatorCall = OperatorCallPage["data"][number];

interface OperatorCallTableProps {
  calls: readonly OperatorCall[];
  /** Names of organisations by ID. */
  organisations: ReadonlyMap<string, string>;
}

/** Calls in rows that link to the call. On narrow screens, a row has two lines. */
export function OperatorCallTable({ calls, organisations }: OperatorCallTableProps) {
  const { columns } = callsText;
  const all: DataColumn<OperatorCall>[] = [
    { ...STARTED, cell: (call) => <Started call={call} /> },
    RESULT,
    CALLER,
    {
      title: columns.number,
      className: "max-lg:order-3 max-lg:truncate max-lg:text-xs max-lg:text-ink-2 lg:whitespace-nowrap",
      cell: (call) => <NumberCell call={call} organisation={nameOf(call, organisations)} />,
    },
    {
      title: operatorCallsText.organisation,
      className: "max-w-40 truncate text-ink-2 max-lg:hidden",
      cell: (call) => nameOf(call, organisations) ?? operatorCallsText.noNumber,
    },
    {
      title: columns.target,
      className: "max-lg:hidden lg:w-full lg:max-w-0 lg:truncate",
      cell: (call) => (
        <span title={call.target ?? undefined}>
          <WentTo call={call} connections={[]} />
        </span>
      ),
    },
    {
      title: columns.talkTime,
      isRight: true,
      className: "max-lg:hidden",
      cell: (call) => (call.result === "answered" ? clockLength(call.talk_seconds) : callsText.absent),
    },
    {
      title: columns.switch,
      className: "whitespace-nowrap text-ink-2 max-lg:hidden",
      cell: (call) => call.switch,
    },
  ];
  return (
    <DataTable label={callsText.caption} layout="stacked" columns={all} rows={calls} keyOf={({ id }) => id} />
  );
}

/** Short ID if the name is unknown. Undefined if the call matched no number. */
function nameOf(
  { organisation_id: id }: Pick<OperatorCall, "organisation_id">,
  organisations: ReadonlyMap<string, string>,
): string | undefined {
  return id === null ? undefined : (organisations.get(id) ?? id.slice(0, 8));
}

function NumberCell({ call, organisation }: { call: OperatorCall; organisation: string | undefined }) {
  return (
    <>
      <span className="lg:hidden">{callsText.to} </span>
      <Called call={call} />
      {organisation && <span className="lg:hidden">, {organisation}</span>}
    </>
  );
}

/** The held number, or the number in the INVITE if none matched. */
export function Called({ call: { e164, called } }: { call: Pick<OperatorCall, "e164" | "called"> }) {
  const number = e164 ?? called;
  if (number === null) return callsText.absent;
  return /^\+\d+$/.test(number) ? <PhoneNumber e164={number} /> : <span className="break-all">{number}</span>;
}

/** The link covers the row. Its name has the parties, which are other cells. */
function Started({ call }: { call: OperatorCall }) {
  const { id, started_at: at, e164, called } = call;
  return (
    <Link
      to="/operator/calls/$call"
      params={{ call: id }}
      aria-label={callsText.openCall(callStartText(at), callerText(call), e164 ?? called ?? callsText.absent)}
      className="rounded after:absolute after:inset-0"
    >
      <CallStart at={at} />
    </Link>
  );
}

import type { OperatorCallPage } from "@dialplane/sdk/operator";
import { Link } from "@tanstack/react-router";
import { clockOf, dayKeyOf, exactly, shortDayOf } from "../components/dates.ts";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { clockLength } from "../calls/call-lengths.ts";
import { Caller, callerText, WentTo } from "../calls/CallParties.tsx";
import { CallResult } from "../calls/CallResult.tsx";
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
  return (
    <table className="w-full border-y border-line text-sm">
      <caption className="sr-only">{callsText.caption}</caption>
      <thead className="text-left text-xs text-ink-2 max-lg:sr-only">
        <tr className="border-b border-line [&>th]:px-2 [&>th]:py-2 [&>th]:font-medium [&>th]:whitespace-nowrap">
          <th scope="col">{columns.started}</th>
          <th scope="col">{columns.result}</th>
          <th scope="col">{columns.caller}</th>
          <th scope="col">{columns.number}</th>
          <th scope="col">{operatorCallsText.organisation}</th>
          <th scope="col">{columns.target}</th>
          <th scope="col" className="text-right">
            {columns.talkTime}
          </th>
          <th scope="col">{columns.switch}</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {calls.map((call) => (
          <Row key={call.id} call={call} organisation={nameOf(call, organisations)} />
        ))}
      </tbody>
    </table>
  );
}

/** Short ID if the name is unknown. Undefined if the call matched no number. */
function nameOf(
  { organisation_id: id }: Pick<OperatorCall, "organisation_id">,
  organisations: ReadonlyMap<string, string>,
): string | undefined {
  return id === null ? undefined : (organisations.get(id) ?? id.slice(0, 8));
}

function Row({ call, organisation }: { call: OperatorCall; organisation: string | undefined }) {
  const isAnswered = call.result === "answered";
  return (
    <tr className="relative hover:bg-hover max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:py-2 lg:[&>td]:px-2 lg:[&>td]:py-1.5">
      <td className="whitespace-nowrap tabular-nums max-lg:order-4 max-lg:text-right max-lg:text-xs max-lg:text-ink-3">
        <Started call={call} />
      </td>
      <td className="whitespace-nowrap max-lg:order-2 max-lg:text-right">
        <CallResult call={call} />
      </td>
      <td className="max-lg:order-1 max-lg:truncate max-lg:font-name lg:whitespace-nowrap">
        <Caller call={call} />
      </td>
      <td className="max-lg:order-3 max-lg:truncate max-lg:text-xs max-lg:text-ink-2 lg:whitespace-nowrap">
        <span className="lg:hidden">{callsText.to} </span>
        <Called call={call} />
        {organisation && <span className="lg:hidden">, {organisation}</span>}
      </td>
      <td className="max-w-40 truncate text-ink-2 max-lg:hidden">
        {organisation ?? operatorCallsText.noNumber}
      </td>
      <td title={call.target ?? undefined} className="max-lg:hidden lg:w-full lg:max-w-0 lg:truncate">
        <WentTo call={call} connections={[]} />
      </td>
      <td className="text-right whitespace-nowrap tabular-nums max-lg:hidden">
        {isAnswered ? clockLength(call.talk_seconds) : callsText.absent}
      </td>
      <td className="whitespace-nowrap text-ink-2 max-lg:hidden">{call.switch}</td>
    </tr>
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
  const isToday = dayKeyOf(at) === dayKeyOf(Date.now());
  const time = clockOf(at);
  const shown = isToday ? time : `${shortDayOf(at)}, ${time}`;
  return (
    <Link
      to="/operator/calls/$call"
      params={{ call: id }}
      aria-label={callsText.openCall(shown, callerText(call), e164 ?? called ?? callsText.absent)}
      className="rounded after:absolute after:inset-0"
    >
      <time dateTime={at} title={exactly(at)}>
        {!isToday && <span className="text-ink-3">{shortDayOf(at)}, </span>}
        {time}
      </time>
    </Link>
  );
}

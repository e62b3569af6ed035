import type { Connection } from "@dialplane/sdk";
import { Link } from "@tanstack/react-router";
import { clockOf, dayKeyOf, exactly, shortDayOf } from "../components/dates.ts";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import { clockLength, secondsOf } from "./call-lengths.ts";
import { Caller, callerText, type FoundCall, WentTo } from "./CallParties.tsx";
import { CallResult } from "./CallResult.tsx";
import { callsText } from "./calls-text.ts";

interface CallTableProps {
  place: OpenPlace;
  calls: readonly FoundCall[];
  connections: readonly Connection[];
  /** Labels by phone number. Without them, all calls are to one number and the column is left out. */
  labels?: ReadonlyMap<string, string> | undefined;
}

const RIGHT = "text-right whitespace-nowrap tabular-nums";

/** Calls in rows that link to the call. On narrow screens, a row has two lines. */
export function CallTable({ place, calls, connections, labels }: CallTableProps) {
  const { columns } = callsText;
  return (
    <table className="w-full border-b border-line text-sm">
      <caption className="sr-only">{callsText.caption}</caption>
      <thead className="text-left text-xs text-ink-2 max-lg:sr-only">
        <tr className="border-b border-line [&>th]:px-2 [&>th]:py-2 [&>th]:font-medium [&>th]:whitespace-nowrap [&>th]:first:pl-4 [&>th]:last:pr-4 lg:[&>th]:first:pl-6 lg:[&>th]:last:pr-6">
          <th scope="col">{columns.started}</th>
          <th scope="col">{columns.result}</th>
          <th scope="col">{columns.caller}</th>
          {labels && <th scope="col">{columns.number}</th>}
          <th scope="col">{columns.target}</th>
          <th scope="col" className="text-right max-xl:hidden">
            {columns.ring}
          </th>
          <th scope="col" className="text-right lg:max-xl:pr-6!">
            {columns.talkTime}
          </th>
          <th scope="col" className="text-right max-xl:hidden">
            {columns.code}
          </th>
          <th scope="col" className="max-xl:hidden">
            {columns.switch}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {calls.map((call) => (
          <Row key={call.id} {...{ place, call, connections, labels }} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Omit<CallTableProps, "calls"> {
  call: FoundCall;
}

function Row({ place, call, connections, labels }: RowProps) {
  const { code, ring_ms: ring, result, talk_seconds: talk } = call;
  const isAnswered = result === "answered";
  const codeLook = result === "failed" ? "text-bad" : "text-ink-3";
  return (
    <tr className="relative hover:bg-hover max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:px-4 max-lg:py-2 lg:[&>td]:px-2 lg:[&>td]:py-1.5 lg:[&>td]:first:pl-6 lg:[&>td]:last:pr-6">
      <td className="whitespace-nowrap tabular-nums max-lg:order-4 max-lg:text-right max-lg:text-xs max-lg:text-ink-3">
        <Started place={place} call={call} />
      </td>
      <td className="whitespace-nowrap max-lg:order-2 max-lg:text-right">
        <CallResult call={call} />
      </td>
      <td className="max-lg:order-1 max-lg:truncate max-lg:font-name lg:whitespace-nowrap">
        <Caller call={call} />
      </td>
      {labels && (
        <td className="whitespace-nowrap max-lg:order-3 max-lg:truncate max-lg:text-xs max-lg:text-ink-2">
          <span className="lg:hidden">{callsText.to} </span>
          <PhoneNumber e164={call.e164} />
          {labels.has(call.e164) && <span className="text-ink-3"> {labels.get(call.e164)}</span>}
        </td>
      )}
      <td
        title={call.target ?? undefined}
        className={`lg:w-full lg:max-w-0 lg:truncate ${labels ? "max-lg:hidden" : "max-lg:order-3 max-lg:truncate max-lg:text-xs"}`}
      >
        <WentTo call={call} connections={connections} />
      </td>
      <td className={`${RIGHT} text-ink-3 max-xl:hidden`}>{ring === null ? "" : secondsOf(ring)}</td>
      <td className={`${RIGHT} max-lg:hidden lg:max-xl:pr-6! ${isAnswered ? "" : "text-ink-3"}`}>
        {isAnswered ? clockLength(talk) : callsText.absent}
      </td>
      <td className={`${RIGHT} font-mono text-xs max-xl:hidden ${codeLook}`}>{code}</td>
      <td className="whitespace-nowrap text-ink-2 max-xl:hidden">{call.switch}</td>
    </tr>
  );
}

/** The link covers the row. Its name has the parties, which are other cells. */
function Started({ place: { organisation, environment }, call }: Pick<RowProps, "place" | "call">) {
  const { started_at: at } = call;
  const isToday = dayKeyOf(at) === dayKeyOf(Date.now());
  const time = clockOf(at);
  const shown = isToday ? time : `${shortDayOf(at)}, ${time}`;
  return (
    <Link
      to="/o/$organisation/$environment/calls/$call"
      params={{ organisation, environment, call: call.id }}
      aria-label={callsText.openCall(shown, callerText(call), call.e164)}
      className="rounded after:absolute after:inset-0"
    >
      <time dateTime={at} title={exactly(at)}>
        {!isToday && <span className="text-ink-3">{shortDayOf(at)}, </span>}
        {time}
      </time>
    </Link>
  );
}

import type { CallPage } from "@dialplane/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Ban, type LucideIcon, PhoneIncoming, PhoneMissed, PhoneOff, TriangleAlert } from "lucide-react";
import { AsCode } from "../as-code/AsCode.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { SaveButton } from "../components/SaveButton.tsx";
import { Section } from "../components/Section.tsx";
import { momentOf } from "../components/dates.ts";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { talkTime } from "../usage/talk-time.ts";
import { callsText } from "./calls-text.ts";

type OneCall = CallPage["data"][number];

const PAGE_SIZE = 20;
const REFRESH_MS = 10_000;

const RESULTS: Record<string, { icon: LucideIcon; look: string; says: string }> = {
  answered: { icon: PhoneIncoming, look: "text-good", says: callsText.results.answered },
  busy: { icon: PhoneOff, look: "text-muted", says: callsText.results.busy },
  no_answer: { icon: PhoneMissed, look: "text-muted", says: callsText.results.no_answer },
  cancelled: { icon: PhoneMissed, look: "text-muted", says: callsText.results.cancelled },
  rejected: { icon: Ban, look: "text-warn", says: callsText.results.rejected },
  failed: { icon: TriangleAlert, look: "text-bad", says: callsText.results.failed },
};

const REASONS: Record<string, string> = callsText.reasons;

interface RecentCallsProps {
  place: OpenPlace;
  number: { id: string; e164: string };
}

/** Recent calls with their results, newest first, loaded page by page. */
export function RecentCalls({ place, number }: RecentCallsProps) {
  const { organisation, environment, client } = place;
  const list = useInfiniteQuery({
    queryKey: [organisation, environment, "number", number.id, "calls"],
    queryFn: ({ signal, pageParam }) =>
      withSession(() => client.calls.list(number.id, { limit: PAGE_SIZE, cursor: pageParam }, { signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
  });
  const calls = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Section
      title={callsText.title}
      aside={
        <div className="flex flex-wrap gap-2">
          <AsCode
            of={callsText.title}
            call={() => ({ operation: "listCalls", path: { id: number.id }, query: { limit: PAGE_SIZE } })}
          />
          {calls.length > 0 && (
            <SaveButton
              label={sharedText.saveCsv}
              fileName={callsText.fileName(number.e164)}
              content={() => client.calls.export(number.id, {})}
            />
          )}
        </div>
      }
    >
      {list.data && calls.length === 0 && (
        <p className="rounded-lg border border-line bg-surface px-4 py-6 text-center text-sm text-muted">
          {callsText.none}
        </p>
      )}
      {calls.length > 0 && <CallTable calls={calls} />}
      <MoreRows list={list} label={callsText.showOlder} />
    </Section>
  );
}

function CallTable({ calls }: { calls: readonly OneCall[] }) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full text-sm">
        <caption className="sr-only">{callsText.caption}</caption>
        <thead className="border-b border-line text-left text-xs text-muted max-sm:sr-only">
          <tr className="[&>th]:px-4 [&>th]:py-2 [&>th]:font-medium">
            <th scope="col">{callsText.columns.started}</th>
            <th scope="col">{callsText.columns.result}</th>
            <th scope="col">{callsText.columns.caller}</th>
            <th scope="col" className="max-md:hidden">
              {callsText.columns.target}
            </th>
            <th scope="col" className="text-right">
              {callsText.columns.talkTime}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {calls.map((call) => (
            <tr
              key={call.id}
              className="max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-3 max-sm:px-4 max-sm:py-2 sm:[&>td]:px-4 sm:[&>td]:py-2"
            >
              <td className="whitespace-nowrap text-muted tabular-nums">
                <time dateTime={call.started_at}>{momentOf(call.started_at)}</time>
              </td>
              <td className="max-sm:contents">
                <Result call={call} />
              </td>
              <td className="tabular-nums">
                {call.caller ?? call.caller_raw ?? (
                  <span className="text-muted">{callsText.callerExpired}</span>
                )}
              </td>
              <td
                className="max-w-48 truncate font-mono text-xs text-muted max-md:hidden"
                title={call.target ?? undefined}
              >
                {call.target ?? (call.mode ? wordFor(call.mode) : "–")}
              </td>
              <td className="text-right whitespace-nowrap tabular-nums">{talkTime(call.talk_seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The reason is left out where it only repeats the result. */
function Result({ call }: { call: OneCall }) {
  const { icon: Icon, look, says } = RESULTS[call.result] ?? RESULTS["failed"]!;
  return (
    <>
      <span
        className="inline-flex items-center gap-1.5 whitespace-nowrap"
        title={call.code ? callsText.sipCode(call.code) : undefined}
      >
        <Icon aria-hidden className={`size-3.5 ${look}`} />
        {RESULTS[call.result] ? says : wordFor(call.result)}
      </span>
      {call.reason && call.reason !== call.result && (
        <p className="text-xs text-muted max-sm:order-1 max-sm:col-span-2 sm:max-w-56">
          {REASONS[call.reason] ?? wordFor(call.reason)}
        </p>
      )}
    </>
  );
}

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { AsCode } from "../as-code/AsCode.tsx";
import { buttonClass } from "../components/Button.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { paging, rowsOf } from "../components/paging.ts";
import { SaveButton } from "../components/SaveButton.tsx";
import { Section } from "../components/Section.tsx";
import { sharedText } from "../components/shared-text.ts";
import { connectionsQuery } from "../numbers/routing-queries.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { callsText } from "./calls-text.ts";
import { CallTable } from "./CallTable.tsx";

const PAGE_SIZE = 20;
const REFRESH_MS = 10_000;

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
    ...paging,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
  });
  const connections = useQuery(connectionsQuery(place)).data ?? [];
  const calls = rowsOf(list.data);
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
            <>
              <SaveButton
                label={sharedText.saveCsv}
                fileName={callsText.fileName(number.e164)}
                content={() => client.calls.export(number.id, {})}
              />
              <Link
                to="/o/$organisation/$environment/calls"
                params={{ organisation, environment }}
                search={{ number: number.id }}
                className={buttonClass("plain", "small")}
              >
                {callsText.openLog}
              </Link>
            </>
          )}
        </div>
      }
    >
      {list.data && calls.length === 0 && (
        <p className="rounded-lg border border-line bg-surface px-4 py-6 text-center text-sm text-ink-2">
          {callsText.noneOfNumber}
        </p>
      )}
      {calls.length > 0 && (
        <div className="overflow-hidden rounded-lg border border-line [&>table]:border-b-0">
          <CallTable {...{ place, calls, connections }} />
        </div>
      )}
      <MoreRows list={list} label={callsText.showOlder} />
    </Section>
  );
}

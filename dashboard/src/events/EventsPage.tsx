import type { DialplaneEvent } from "@dialplane/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import { CopyButton } from "../components/CopyButton.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { Page } from "../components/Page.tsx";
import { paging, rowsOf } from "../components/paging.ts";
import { momentOf } from "../components/dates.ts";
import { withSession } from "../session/session.ts";
import { useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { eventsText } from "./events-text.ts";

const REFRESH_MS = 5_000;
const PAGE_SIZE = 50;

/** Events, newest first, as webhooks deliver them. */
export function EventsPage() {
  useTitle(eventsText.title);
  const { organisation, environment, client } = useOpenPlace();
  const list = useInfiniteQuery({
    queryKey: [organisation, environment, "events"],
    queryFn: ({ signal, pageParam }) =>
      withSession(() =>
        client.events.list({ order: "newest", limit: PAGE_SIZE, after: pageParam }, { signal }),
      ),
    ...paging,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
  });
  const events = rowsOf(list.data);
  return (
    <Page
      title={eventsText.title}
      asCode={() => ({ operation: "listEvents", query: { order: "newest", limit: PAGE_SIZE } })}
      says={
        <>
          {eventsText.about}{" "}
          <Link
            to="/o/$organisation/$environment/webhooks"
            params={{ organisation, environment }}
            className="rounded underline"
          >
            {eventsText.webhooks}
          </Link>
          .
        </>
      }
    >
      {list.data && events.length === 0 && (
        <EmptyState icon={Activity} title={eventsText.none}>
          {eventsText.noneHint}
        </EmptyState>
      )}
      {events.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {events.map((event) => (
            <Row key={event.id} event={event} />
          ))}
        </ul>
      )}
      <MoreRows list={list} label={eventsText.showOlder} />
    </Page>
  );
}

function Row({ event }: { event: DialplaneEvent }) {
  return (
    <li>
      <details>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-hover">
          <span className="min-w-0 grow basis-48">
            <code className="font-mono text-sm break-all">{event.type}</code>
            <span className="ml-2 text-xs text-ink-2">{Object.keys(event.data).join(", ")}</span>
          </span>
          <time dateTime={event.created_at} className="text-xs text-ink-2 tabular-nums">
            {momentOf(event.created_at)}
          </time>
        </summary>
        <div className="grid grid-cols-1 gap-2 px-4 pb-3">
          <p className="flex items-center gap-1 text-xs text-ink-2">
            <span className="truncate">
              {eventsText.event} <code className="font-mono">{event.id}</code>
            </span>
            <CopyButton text={event.id} label={eventsText.copyId} />
          </p>
          <pre className="overflow-x-auto rounded-md bg-canvas p-3 font-mono text-xs" tabIndex={0}>
            {JSON.stringify({ subject: event.subject, data: event.data }, null, 2)}
          </pre>
        </div>
      </details>
    </li>
  );
}

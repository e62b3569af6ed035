import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { EmptyState } from "../components/EmptyState.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { connectionsQuery } from "../numbers/routing-queries.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { bulkChangesText, bulkStatusWord, changeInWords } from "./bulk-changes-text.ts";
import { sharedText } from "../components/shared-text.ts";

const PAGE_SIZE = 50;

/** All plans, newest first. */
export function BulkChangeList({ place }: { place: OpenPlace }) {
  const { organisation, environment, client } = place;
  const connections = useQuery(connectionsQuery(place)).data ?? [];
  const list = useInfiniteQuery({
    queryKey: [organisation, environment, "bulk-changes"],
    queryFn: ({ signal, pageParam }) =>
      withSession(() => client.bulkChanges.list({ limit: PAGE_SIZE, cursor: pageParam }, { signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const changes = list.data?.pages.flatMap((page) => page.data) ?? [];
  if (list.data && changes.length === 0)
    return (
      <EmptyState icon={ListChecks} title={bulkChangesText.none}>
        {bulkChangesText.noneHint}
      </EmptyState>
    );
  return (
    <>
      {changes.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {changes.map(({ id, change, progress, status, created_at }) => (
            <li
              key={id}
              className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-hover"
            >
              <div className="grid min-w-0 grow basis-48">
                <Link
                  to="/o/$organisation/$environment/bulk-changes/$change"
                  params={{ organisation, environment, change: id }}
                  className="truncate rounded font-medium after:absolute after:inset-0"
                >
                  {changeInWords(change, connections)}
                </Link>
                <p className="text-xs text-ink-2">
                  {bulkChangesText.counts(
                    sharedText.countNumbers(progress.total),
                    progress.set,
                    progress.stale + progress.failed,
                  )}
                </p>
              </div>
              <span className="text-xs text-ink-2">
                <RelativeTime at={created_at} />
              </span>
              <span className="text-xs font-medium">{bulkStatusWord(status)}</span>
            </li>
          ))}
        </ul>
      )}
      <MoreRows list={list} />
    </>
  );
}

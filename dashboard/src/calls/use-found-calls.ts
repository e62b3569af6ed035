import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { paging, rowsOf } from "../components/paging.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import type { CallsFilter } from "./calls-search.ts";

export const PAGE_SIZE = 50;
const REFRESH_MS = 10_000;
/** A page scans 4,000 calls, so a rare match can be many empty pages away. */
const MOST_EMPTY_PAGES = 10;

/** Calls that match, newest first. Skips empty pages, up to a limit. */
export function useFoundCalls({ organisation, environment, client }: OpenPlace, filter: CallsFilter) {
  const list = useInfiniteQuery({
    queryKey: [organisation, environment, "calls", filter],
    queryFn: ({ signal, pageParam }) =>
      withSession(() => client.calls.search({ ...filter, limit: PAGE_SIZE, cursor: pageParam }, { signal })),
    ...paging,
    placeholderData: (before) => before,
    // A refetch of several pages would repeat every scan.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
  });
  const { data, hasNextPage, isFetching, isPlaceholderData, error, fetchNextPage } = list;
  const empty = emptyPagesAtEnd(data?.pages ?? []);
  const isSkipping = empty > 0 && empty < MOST_EMPTY_PAGES && hasNextPage && !isPlaceholderData && !error;
  useEffect(() => {
    if (isSkipping && !isFetching) void fetchNextPage();
  }, [isSkipping, isFetching, fetchNextPage]);
  return { list, calls: rowsOf(data), isSkipping };
}

function emptyPagesAtEnd(pages: readonly { data: readonly unknown[] }[]): number {
  return pages.length - 1 - pages.findLastIndex(({ data }) => data.length > 0);
}

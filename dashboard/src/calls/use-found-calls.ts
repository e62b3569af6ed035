import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { paging, rowsOf } from "../components/paging.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import type { CallsFilter } from "./calls-search.ts";

export const PAGE_SIZE = 50;
const REFRESH_MS = 10_000;
/** A page scans 4,000 calls, so a rare match can be many empty pages away. */
const MOST_EMPTY_PAGES = 10;

/** Calls of an organisation that match, newest first. */
export function useFoundCalls({ organisation, environment, client }: OpenPlace, filter: CallsFilter) {
  return useListedCalls({
    queryKey: [organisation, environment, "calls", filter],
    load: (page, signal) => client.calls.search({ ...filter, ...page }, { signal }),
  });
}

interface ListedCalls<Call> {
  data: Call[];
  next_cursor: string | null;
}

interface ListedCallsQuery<Call> {
  queryKey: QueryKey;
  load(
    page: { limit: number; cursor: string | undefined },
    signal: AbortSignal,
  ): PromiseLike<ListedCalls<Call>>;
  /** For the operator's pages: an error can be a password prompt that the user has cancelled. */
  stopsAfterError?: boolean;
}

/** A list of calls. Skips empty pages, up to a limit. */
export function useListedCalls<Call>({ queryKey, load, stopsAfterError = false }: ListedCallsQuery<Call>) {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      withSession(() => load({ limit: PAGE_SIZE, cursor: pageParam }, signal)),
    ...paging,
    placeholderData: (before) => before,
    // A refetch of several pages would repeat every scan.
    refetchInterval: ({ state }) =>
      (state.error && stopsAfterError) || (state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS,
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

import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { Operations } from "@dialplane/sdk";
import type { OpenPlace } from "../shell/use-place.ts";
import { numbersQuery } from "./numbers-query.ts";
import type { NumbersSearch } from "./numbers-search.ts";

const REFRESH_MS = 10_000;

type Fetched = InfiniteData<Operations["listNumbers"]["answer"], string | undefined>;

/** Filtered numbers, loaded as far as the user has scrolled. */
export function useNumbers(place: OpenPlace, search: NumbersSearch) {
  const queries = useQueryClient();
  const query = useMemo(() => numbersQuery(place, search), [place, search]);
  const { queryKey } = query;
  // On leaving, keeps only the first page, so that the list is not fetched to its old position.
  useEffect(
    () => () => void queries.setQueryData<Fetched>(queryKey, (fetched) => fetched && firstPageOf(fetched)),
    [queries, queryKey],
  );
  return useInfiniteQuery({
    ...query,
    // Keeps the current rows until the new ones arrive.
    placeholderData: (before) => before,
    // Long lists are not refetched while the user scrolls.
    refetchInterval: ({ state }) => (isLong(state.data) ? false : REFRESH_MS),
    refetchOnWindowFocus: ({ state }) => !isLong(state.data),
    refetchOnReconnect: ({ state }) => !isLong(state.data),
  });
}

function isLong(fetched: Fetched | undefined): boolean {
  return (fetched?.pages.length ?? 0) > 1;
}

function firstPageOf({ pages, pageParams }: Fetched): Fetched {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}

/** How the service's lists continue, for useInfiniteQuery. */
export const paging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor ?? undefined,
};

/** All that has been fetched of a list so far. */
export function rowsOf<Row>(data: { pages: { data: Row[] }[] } | undefined): Row[] {
  return data?.pages.flatMap((page) => page.data) ?? [];
}

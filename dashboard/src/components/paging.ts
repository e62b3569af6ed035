/** Cursor paging for useInfiniteQuery. */
export const paging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor ?? undefined,
};

/** All fetched rows of a list. */
export function rowsOf<Row>(data: { pages: { data: Row[] }[] } | undefined): Row[] {
  return data?.pages.flatMap((page) => page.data) ?? [];
}

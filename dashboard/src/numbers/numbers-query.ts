import type { Client } from "@dialplane/sdk";
import { infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import { paging } from "../components/paging.ts";
import { client } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import type { Place } from "../shell/last-place.ts";
import { type NumbersSearch, queryOf } from "./numbers-search.ts";

/** Filtered numbers of an organisation, page by page. */
export const numbersQuery = (
  { organisation, environment, client }: Place & { client: Client },
  search: NumbersSearch,
) =>
  infiniteQueryOptions({
    queryKey: [organisation, environment, "numbers", search],
    ...paging,
    async queryFn({ signal, pageParam }) {
      for (let cursor = pageParam; ;) {
        const page = await withSession(() => client.numbers.list({ ...queryOf(search), cursor }, { signal }));
        // The service scans a limited number of rows at a time: an empty page does not mean that there are no
        // matches.
        if (page.data.length > 0 || page.next_cursor === null) return page;
        cursor = page.next_cursor;
      }
    },
  });

/** Prefetches while the page's script loads. If it fails, the page fetches again and shows the error. */
export function askForNumbers(
  queries: QueryClient,
  { organisation, environment }: { organisation: string; environment: string },
  search: NumbersSearch,
): void {
  if (environment !== "live" && environment !== "test") return;
  const place = { organisation, environment } as const;
  queries
    .infiniteQuery(numbersQuery({ ...place, client: client.with(place) }, search))
    .catch(() => undefined);
}

import { queryOptions } from "@tanstack/react-query";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

/** Pages that have saved views. */
export type ViewPage = "numbers" | "calls" | "audit";

const MOST = 200;

export const viewsQuery = ({ organisation, environment, client }: OpenPlace, page: ViewPage) =>
  queryOptions({
    queryKey: [organisation, environment, "views", page],
    queryFn: ({ signal }) => withSession(() => client.views.list({ page, limit: MOST }, { signal })),
    staleTime: 60_000,
  });

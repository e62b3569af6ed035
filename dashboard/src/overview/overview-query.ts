import { queryOptions } from "@tanstack/react-query";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

const REFRESH_MS = 10_000;

/** The sidebar's counts and the overview. */
export const overviewQuery = ({ organisation, environment, client }: OpenPlace) =>
  queryOptions({
    queryKey: [organisation, environment, "overview"],
    queryFn: ({ signal }) => withSession(() => client.overview.get({ signal })),
    refetchInterval: REFRESH_MS,
  });

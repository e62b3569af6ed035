import { paging } from "../components/paging.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

const PAGE_SIZE = 100;

export const addressesQuery = ({ organisation, environment, client }: OpenPlace) => ({
  queryKey: [organisation, environment, "addresses"],
  queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | undefined }) =>
    withSession(() => client.addresses.list({ limit: PAGE_SIZE, cursor: pageParam }, { signal })),
  ...paging,
});

export const documentsQuery = ({ organisation, environment, client }: OpenPlace) => ({
  queryKey: [organisation, environment, "documents"],
  queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | undefined }) =>
    withSession(() => client.documents.list({ limit: PAGE_SIZE, cursor: pageParam }, { signal })),
  ...paging,
});

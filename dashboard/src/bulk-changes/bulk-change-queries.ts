import type { BulkChange, BulkChangeItem } from "@dialplane/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { csvTable } from "../components/csv-cells.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

const WATCHING_MS = 700;
const PAGE_SIZE = 100;

export type Outcome = "planned" | "set" | "unchanged" | "stale" | "failed";

/** Polled while it is being applied. */
export const bulkChangeQuery = ({ organisation, environment, client }: OpenPlace, id: string) =>
  queryOptions({
    queryKey: [organisation, environment, "bulk-change", id],
    queryFn: ({ signal }) => withSession(() => client.bulkChanges.get(id, { signal })),
    refetchInterval: ({ state }) => (state.data?.status === "applying" ? WATCHING_MS : false),
  });

export const bulkItemsQuery = (
  { organisation, environment, client }: OpenPlace,
  { id, status }: Pick<BulkChange, "id" | "status">,
  outcome: Outcome | undefined,
) =>
  infiniteQueryOptions({
    // Includes the status, so that items read during the change are not taken as final.
    queryKey: [organisation, environment, "bulk-change", id, "items", status, outcome ?? "all"],
    queryFn: ({ signal, pageParam }) =>
      withSession(() =>
        client.bulkChanges.listItems(id, { outcome, limit: PAGE_SIZE, cursor: pageParam }, { signal }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: (before) => before,
  });

/** Failed and skipped numbers as CSV. */
export async function failuresAsCsv({ client }: OpenPlace, id: string): Promise<string> {
  const rows = [["number", "number_id", "outcome", "code", "detail"]];
  for (const outcome of ["failed", "stale"] as const)
    for await (const item of client.bulkChanges.listItems(id, { outcome, limit: 1000 }))
      rows.push(cellsOf(item));
  return csvTable(rows);
}

function cellsOf({ e164, number_id, outcome, error }: BulkChangeItem): string[] {
  return [e164, number_id, outcome, error?.code ?? "", error?.detail ?? ""];
}

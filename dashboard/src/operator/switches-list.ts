import { queryOptions } from "@tanstack/react-query";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { operatorList } from "./operator-list.ts";

const REFRESH_MS = 3_000;

export const switchesList = operatorList("switches", operator.switches.list, REFRESH_MS);
export const switchGroupsList = operatorList("switch groups", operator.switchGroups.list);

/** Begins with the key of the list, so that a change refreshes both. */
export function switchQuery(id: string) {
  return queryOptions({
    queryKey: [...switchesList.queryKey, id],
    queryFn: ({ signal }) => withSession(() => operator.switches.get(id, { signal })),
    refetchInterval: ({ state }) => !state.error && REFRESH_MS,
  });
}

export function switchExceptionsList(id: string) {
  return operatorList(`exceptions of ${id}`, (query) => operator.switches.exceptions(id, query), REFRESH_MS);
}

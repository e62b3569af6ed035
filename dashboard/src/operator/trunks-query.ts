import { queryOptions } from "@tanstack/react-query";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { operatorList } from "./operator-list.ts";

const REFRESH_MS = 3_000;

/** Trunks of a switch group. Refreshed while switches apply them. */
export function trunksQuery(groupId: string) {
  return queryOptions({
    queryKey: ["operator", "trunks of group", groupId],
    queryFn: ({ signal }) => withSession(() => operator.trunks.get(groupId, { signal })),
    refetchInterval: ({ state }) => !state.error && REFRESH_MS,
  });
}

export function probeCallerQuery(groupId: string) {
  return queryOptions({
    queryKey: ["operator", "probe caller of group", groupId],
    queryFn: ({ signal }) => withSession(() => operator.trunks.probeCaller(groupId, { signal })),
  });
}

export function trunkRevisionsList(groupId: string) {
  return operatorList(`trunk revisions of ${groupId}`, (query) => operator.trunks.revisions(groupId, query));
}

/** Search of the page: the switch group. */
export interface TrunksSearch {
  group?: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function readTrunksSearch({ group }: Record<string, unknown>): TrunksSearch {
  return typeof group === "string" && UUID.test(group) ? { group } : {};
}

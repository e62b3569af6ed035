import { queryOptions } from "@tanstack/react-query";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { operatorList } from "./operator-list.ts";

/** While numbers are being suspended or resumed. */
export const FOLLOW_MS = 2_000;
/** Switches report their use every few seconds. */
const FORWARDING_MS = 3_000;

export const organisationsList = operatorList("organisations", operator.organisations.list);

/** Begins with the key of the list, so that a change refreshes both. */
export function organisationQuery(id: string) {
  return queryOptions({
    queryKey: [...organisationsList.queryKey, id],
    queryFn: ({ signal }) => withSession(() => operator.organisations.get(id, { signal })),
    refetchInterval: ({ state: { data, error } }) => !error && data?.numbers_pending && FOLLOW_MS,
  });
}

export function forwardingQuery(id: string) {
  return queryOptions({
    queryKey: ["operator", "forwarding", id],
    queryFn: ({ signal }) => withSession(() => operator.organisations.forwarding(id, { signal })),
    refetchInterval: ({ state }) => !state.error && FORWARDING_MS,
  });
}

export function probePolicyQuery(id: string) {
  return queryOptions({
    queryKey: ["operator", "probes of organisation", id],
    queryFn: ({ signal }) => withSession(() => operator.organisations.probes(id, { signal })),
  });
}

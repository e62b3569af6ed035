import type { Connection, PhoneNumber } from "@dialplane/sdk";
import { queryOptions } from "@tanstack/react-query";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

/** Polling interval during a change, and otherwise. */
const WATCHING_MS = 1_000;
const QUARANTINE_MS = 10_000;
/** While a number is being released or restored. */
const MOVING_MS = 2_000;

export const numberQuery = ({ organisation, environment, client }: OpenPlace, id: string) =>
  queryOptions({
    queryKey: [organisation, environment, "number", id],
    queryFn: ({ signal }) => withSession(() => client.numbers.get(id, { signal })),
    refetchInterval: ({ state }) => (isMoving(state.data) ? MOVING_MS : false),
  });

/** The number is being released or may be restored: its status changes without user action. */
function isMoving(number: PhoneNumber | undefined): boolean {
  return number?.status === "releasing" || number?.status === "quarantined";
}

/** Polled until the switches have confirmed. */
export const routingQuery = ({ organisation, environment, client }: OpenPlace, id: string) =>
  queryOptions({
    queryKey: [organisation, environment, "number", id, "routing"],
    queryFn: ({ signal }) => withSession(() => client.routing.get(id, { signal })),
    refetchInterval: ({ state }) => (state.data?.status === "in_sync" ? QUARANTINE_MS : WATCHING_MS),
  });

export const revisionsQuery = ({ organisation, environment, client }: OpenPlace, id: string) =>
  queryOptions({
    queryKey: [organisation, environment, "number", id, "revisions"],
    queryFn: ({ signal }) => withSession(() => client.routing.listRevisions(id, { limit: 50 }, { signal })),
  });

export const connectionsQuery = ({ organisation, environment, client }: OpenPlace) =>
  queryOptions({
    queryKey: [organisation, environment, "connections"],
    queryFn: async ({ signal }) => {
      const all: Connection[] = [];
      for await (const one of client.connections.list({ limit: 1000 }, { signal })) all.push(one);
      return all;
    },
    staleTime: 60_000,
  });

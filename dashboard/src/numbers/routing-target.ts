import type { Connection, RevisedRouting } from "@dialplane/sdk";
import { wordFor } from "./words.ts";

/** Where a routing leads, in one line; a connection by its name, where it is known. */
export function targetOf(routing: RevisedRouting, connections: readonly Connection[]): string {
  const { mode, sip_uri, connection_id, forward_to, webhook_url } = routing;
  const connection = connections.find(({ id }) => id === connection_id);
  return sip_uri ?? forward_to ?? webhook_url ?? connection?.name ?? connection_id ?? wordFor(mode);
}

export interface Difference {
  what: string;
  from: string;
  to: string;
}

/** What changes when one routing follows another, as people read it. */
export function differencesOf(
  before: RevisedRouting,
  after: RevisedRouting,
  connections: readonly Connection[],
): Difference[] {
  const lines = (routing: RevisedRouting): Record<string, string> => ({
    Mode: wordFor(routing.mode),
    Target: routing.mode === "unrouted" ? "–" : targetOf(routing, connections),
    "If the webhook fails":
      routing.mode === "webhook" ? targetOf(routing.fallback ?? { mode: "unrouted" }, connections) : "–",
  });
  const [from, to] = [lines(before), lines(after)];
  return Object.keys(from)
    .map((what) => ({ what, from: from[what]!, to: to[what]! }))
    .filter((line) => line.from !== line.to);
}

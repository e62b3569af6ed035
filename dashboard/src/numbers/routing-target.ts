import type { Connection, RevisedRouting } from "@dialplane/sdk";
import { wordFor } from "../components/shared-text.ts";
import { numbersText } from "./numbers-text.ts";

/** One-line target of a routing. A connection appears by name if it is known. */
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

/** Readable differences between two routings. */
export function differencesOf(
  before: RevisedRouting,
  after: RevisedRouting,
  connections: readonly Connection[],
): Difference[] {
  const words = numbersText.differences;
  const lines = (routing: RevisedRouting): Record<string, string> => ({
    [words.mode]: wordFor(routing.mode),
    [words.target]: routing.mode === "unrouted" ? "–" : targetOf(routing, connections),
    [words.fallback]:
      routing.mode === "webhook" ? targetOf(routing.fallback ?? { mode: "unrouted" }, connections) : "–",
  });
  const [from, to] = [lines(before), lines(after)];
  return Object.keys(from)
    .map((what) => ({ what, from: from[what]!, to: to[what]! }))
    .filter((line) => line.from !== line.to);
}

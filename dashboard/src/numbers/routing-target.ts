import type { Connection, RevisedRouting } from "@dialplane/sdk";
import type { Difference } from "../components/Differences.tsx";
import { wordFor } from "../components/shared-text.ts";
import { stepsOf } from "./routing-form.ts";
import { routingText } from "./routing-text.ts";

/** One-line target of a routing. A connection appears by name if it is known. */
export function targetOf(routing: RevisedRouting, connections: readonly Connection[]): string {
  const { mode, sip_uri, connection_id, forward_to, webhook_url } = routing;
  const connection = connections.find(({ id }) => id === connection_id);
  return sip_uri ?? forward_to ?? webhook_url ?? connection?.name ?? connection_id ?? wordFor(mode);
}

/** All destinations in one line, in the order in which a call tries them. */
export function targetsOf(routing: RevisedRouting, connections: readonly Connection[]): string {
  return stepsOf(routing)
    .map((step) => targetOf(step, connections))
    .join(routingText.nextTarget);
}

export interface ShownFallback {
  target: string;
  /** When it takes the call, as a phrase. */
  after: string;
}

export function fallbacksOf(routing: RevisedRouting, connections: readonly Connection[]): ShownFallback[] {
  const steps = stepsOf(routing);
  return steps.slice(1).map((step, at) => ({
    target: targetOf(step, connections),
    after: afterOf(steps[at]!.mode === "webhook", step.on ?? []),
  }));
}

function afterOf(isAfterWebhook: boolean, causes: readonly string[]): string {
  const words = [...(isAfterWebhook ? ["no decision"] : []), ...causes];
  return routingText.after(words.map((cause) => wordFor(cause).toLowerCase()));
}

/** Readable differences between two routings. */
export function differencesOf(
  before: RevisedRouting,
  after: RevisedRouting,
  connections: readonly Connection[],
): Difference[] {
  const words = routingText.differences;
  const lines = (routing: RevisedRouting): Record<string, string> => {
    const fallbacks = fallbacksOf(routing, connections);
    const rings = stepsOf(routing).map(({ ring_seconds: seconds }) => seconds);
    const fallback = (at: number): string =>
      fallbacks[at] ? `${fallbacks[at].target}, ${fallbacks[at].after}` : "–";
    return {
      [words.mode]: wordFor(routing.mode),
      [words.target]: routing.mode === "unrouted" ? "–" : targetOf(routing, connections),
      [words.fallback(1)]: fallback(0),
      [words.fallback(2)]: fallback(1),
      [words.ring]: rings.some(Boolean) ? rings.map((one) => routingText.seconds(one)).join(", ") : "–",
    };
  };
  const [from, to] = [lines(before), lines(after)];
  return Object.keys(from)
    .map((what) => ({ what, from: from[what]!, to: to[what]! }))
    .filter((line) => line.from !== line.to);
}

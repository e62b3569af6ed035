import type { ConnectionValue, TargetState } from "../control-plane.ts";

type Target = ConnectionValue["targets"][number];

/** One set: its URIs, each with its share of the calls. */
export type Destinations = Map<string, number>;

/** Sets by ID, in the order of their priorities. */
export type Tiers = Map<number, Destinations>;

export const MAX_WEIGHT = 100;

/** A set in the response of `dispatcher.list`. */
export interface ListedSet {
  ID: number;
  TARGETS?: { DEST: { URI: string; FLAGS: string; ATTRS?: { BODY?: string } } }[];
}

/**
 * A: active, T: trying, I: inactive, D: disabled. A trailing P means that probing is on. Without P there was
 * no probe yet. A trying destination has missed a probe and still gets calls, so it keeps its state.
 */
export function stateOf(flags: string, before: TargetState = "unknown"): TargetState {
  if (flags.startsWith("T")) return before;
  if (flags.startsWith("A")) return flags.endsWith("P") ? "up" : "unknown";
  return "down";
}

/** By a row's text of its sets. */
export function setsNamed(text: string): number[] {
  return text.split(";").map((entry) => Number.parseInt(entry, 10));
}

/** A set that is in two of them gets the destinations of both. */
export function setsIn(all: Iterable<Tiers>): Tiers {
  const sets: Tiers = new Map();
  for (const tiers of all)
    for (const [set, destinations] of tiers) {
      const before = sets.get(set);
      sets.set(set, before ? new Map([...destinations, ...before]) : destinations);
    }
  return sets;
}

/** A destination that the agent did not set, as a target. It appears in the connection's reported value. */
export function targetOf(uri: string, weight: number): Target {
  const parts = /^sips?:(?:[^@]*@)?(?:\[([^\]]+)\]|([^:;]+))(?::(\d+))?(?:.*;transport=(udp|tcp|tls))?/i.exec(
    uri,
  );
  return {
    host: parts?.[1] ?? parts?.[2] ?? "unknown",
    port: Number(parts?.[3] ?? 5060),
    transport: (parts?.[4] ?? "udp") as Target["transport"],
    priority: 1,
    weight: Math.min(MAX_WEIGHT, Math.max(1, weight)),
  };
}

/** Share of the calls, by a destination's attributes. */
export function weightIn(attributes: string): number {
  return Number(/rweight=(\d+)/.exec(attributes)?.[1] ?? 0);
}

import type { Position } from "@dialplane/switch-agent";

/** A version of a shard and the token that was assigned with it. */
export interface VersionToken {
  version: number;
  token: number;
}

/** Something that is not part of the history of this database. */
export interface Divergence {
  /** The epoch under which it was noticed. */
  epoch: string;
  /** The version that does not fit, and who presented it. */
  evidence: Record<string, unknown>;
}

/** Below every version: the agent loads the whole shard. */
export const FROM_NOTHING: VersionToken = { version: -1, token: 0 };

/** States in which a switch receives the feed. */
export const FED_STATES = ["active", "draining"] as const;
export type DesiredState = (typeof FED_STATES)[number];

export interface ShardRange {
  id: number;
  head: number;
  /** Token of the head. */
  token: number;
  floor: number;
  /** Head when the last restore began. */
  held: VersionToken;
}

/** How much of an agent's position the service can build on. */
export type Standing =
  /** The agent has this version of this history. */
  | ({ kind: "at" } & VersionToken)
  /** Nothing can be said: load the whole shard. */
  | { kind: "nothing" }
  /** Only the token of this version, which is below the head, can tell. */
  | ({ kind: "ask" } & VersionToken)
  /** The agent has a version that this history never assigned, or assigned to something else. */
  | { kind: "diverged" };

/** Judges a position by the head alone. Pure. A position of another epoch, or without tokens, counts for nothing. */
export function standingOf(
  position: Position,
  epoch: string,
  { id, head, token: headToken, floor }: ShardRange,
): Standing {
  const version = position.epoch === epoch ? position.versions[id] : undefined;
  const token = position.tokens?.[id];
  if (version === undefined || token === undefined) return { kind: "nothing" };
  if (version > head || (version === head && token !== headToken)) return { kind: "diverged" };
  if (version === head) return { kind: "at", version, token };
  return version < floor ? { kind: "nothing" } : { kind: "ask", version, token };
}

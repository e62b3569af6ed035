import type { Position } from "@dialplane/switch-agent";

/** Below every version: a shard is told from the beginning. */
export const FROM_NOTHING = -1;

/** States in which a switch is told anything at all. */
export const TOLD_STATES = ["active", "draining"] as const;
export type ToldState = (typeof TOLD_STATES)[number];

export interface ShardRange {
  id: number;
  head: number;
  floor: number;
}

/** A position of another epoch, below what is still known or above what ever was says nothing. */
export function startingVersion(position: Position, epoch: string, { id, head, floor }: ShardRange): number {
  const version = position.epoch === epoch ? position.versions[id] : undefined;
  return version === undefined || version < floor || version > head ? FROM_NOTHING : version;
}

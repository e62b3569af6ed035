import type { Actor } from "../../platform/http/access.ts";
import type { Destination } from "../routing/routing.ts";

/** The change to every number of a plan: exactly one of these. */
export type Change = { routing: Destination } | { tags: TagChange } | { release_lock: boolean };

export interface TagChange {
  add: string[];
  remove: string[];
}

export const MOST_TAGS = 20;

export function tagsAfter(before: readonly string[], { add, remove }: TagChange): string[] {
  const kept = before.filter((tag) => !remove.includes(tag));
  return [...kept, ...add.filter((tag) => !kept.includes(tag))];
}

export type StoredStatus = "planned" | "applying" | "finished";
export type Status = StoredStatus | "expired";

/** A plan is good for a while: what it found of the numbers grows old. */
export function statusAt(
  { status, expires_at }: { status: StoredStatus; expires_at: Date },
  now: Date,
): Status {
  return status === "planned" && expires_at.getTime() <= now.getTime() ? "expired" : status;
}

export const OUTCOMES = ["planned", "set", "unchanged", "stale", "failed"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/**
 * Beyond the modes a key may set, which routing decides:
 *
 * | change | people | keys |
 * |---|---|---|
 * | routing | all who plan | all who plan |
 * | tags | all who plan | none |
 * | release_lock | owners and admins | none |
 */
export function rejectedFor(
  { caller, role }: Pick<Actor, "caller" | "role">,
  change: "routing" | "tags" | "release_lock",
): "caller_kind_not_allowed" | "role_not_allowed" | undefined {
  if (change === "routing") return undefined;
  if (caller.kind !== "session") return "caller_kind_not_allowed";
  return change === "release_lock" && role !== "owner" && role !== "admin" ? "role_not_allowed" : undefined;
}

/**
 * How many numbers a chunk may have. A chunk holds locks that other requests wait for, so its size follows how long it
 * held them: half after a timeout or more than 100 ms, a quarter more after less than half of that.
 */
export const FIRST_CHUNK = 16;
const LARGEST_CHUNK = 200;
const MOST_HELD_MS = 100;

export function nextChunk(size: number, held: { heldMs: number } | "timed_out"): number {
  if (held === "timed_out" || held.heldMs > MOST_HELD_MS) return Math.max(1, Math.floor(size / 2));
  return held.heldMs < MOST_HELD_MS / 2 ? Math.min(LARGEST_CHUNK, Math.ceil(size * 1.25)) : size;
}

import type { BulkChange, BulkChangeDetail, BulkChangeItem, Connection } from "@dialplane/sdk";
import { targetOf } from "../numbers/routing-target.ts";
import { wordFor } from "../numbers/words.ts";

/** One-line summary of a bulk change. */
export function changeInWords(change: BulkChangeDetail, connections: readonly Connection[]): string {
  const { routing, tags, release_lock } = change;
  if (routing)
    return routing.mode === "unrouted"
      ? "Turn calls away"
      : `Send calls to ${wordFor(routing.mode)} ${targetOf(routing, connections)}`;
  if (tags)
    return [
      tags.add.length > 0 && `Tag with ${quoted(tags.add)}`,
      tags.remove.length > 0 && `Take off ${quoted(tags.remove)}`,
    ]
      .filter(Boolean)
      .join("; ");
  return release_lock ? "Lock against release" : "Unlock";
}

function quoted(tags: readonly string[]): string {
  return tags.map((tag) => `“${tag}”`).join(", ");
}

/** How a number was when the plan was created, as far as the change is about it. */
export function originInWords({ change }: Pick<BulkChange, "change">, { from }: BulkChangeItem): string {
  if (change.routing) return `${wordFor(from.mode)}, revision ${from.generation}`;
  if (change.tags) return from.tags.length > 0 ? from.tags.join(", ") : "no tags";
  return from.release_lock ? "locked" : "not locked";
}

const OUTCOMES: Record<string, string> = {
  planned: "Planned",
  set: "Changed",
  unchanged: "Was so already",
  stale: "Left alone",
  failed: "Failed",
};

export function outcomeWord(outcome: string): string {
  return OUTCOMES[outcome] ?? wordFor(outcome);
}

const STATUSES: Record<string, string> = {
  planned: "Planned, nothing changed yet",
  applying: "Being applied",
  finished: "Finished",
  expired: "Expired, nothing was changed",
};

export function bulkStatusWord(status: string): string {
  return STATUSES[status] ?? wordFor(status);
}

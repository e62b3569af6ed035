import type { BulkChange, BulkChangeDetail, BulkChangeItem, Connection } from "@dialplane/sdk";
import { wordFor } from "../components/shared-text.ts";
import { targetsOf } from "../numbers/routing-target.ts";

export const bulkChangesText = {
  title: "Bulk change",
  notFound: "Bulk change not found",
  none: "No bulk changes yet",
  noneHint: "Select numbers in the list and choose an action to create a plan.",
  counts: (numbers: string, changed: number, failed: number) =>
    `${numbers}: ${changed.toLocaleString()} changed, ${failed.toLocaleString()} not changed`,

  planTitles: {
    routing: "Set routing",
    tags: "Change tags",
    lock: "Lock against release",
    unlock: "Unlock for release",
  },
  planHint: "The plan shows the result for each number. Nothing changes until you apply it.",
  createPlan: "Create plan",
  lockHint: "The numbers cannot be released until you unlock them.",
  unlockHint: "Owners and admins can release the numbers again.",
  addTags: "Tags to add",
  tagsHint: "Separate tags with commas.",
  tagsRequired: "Enter a tag to add or to remove.",
  removeTags: "Tags to remove",

  change: "Change",
  plannedBy: (numbers: string, user: string) => `${numbers}, planned by ${user}`,
  quoted: (reason: string) => `: “${reason}”`,
  missing: (count: number) => `${count === 1 ? "1 number does" : `${count} numbers do`} not exist.`,
  failuresFile: (id: string) => `failures of bulk change ${id}.csv`,
  progress: ({ set, unchanged, stale, failed }: BulkChange["progress"]) =>
    `${set.toLocaleString()} changed, ${unchanged.toLocaleString()} unchanged, ${stale.toLocaleString()} skipped, ${failed.toLocaleString()} failed`,
  empty: "No numbers in this plan. There is nothing to apply.",
  apply: "Apply plan…",
  applyConfirm: (numbers: string) => `Change ${numbers}`,
  applyCode: "Apply",
  applyHint: (moment: string) =>
    `Numbers that change before you apply the plan are skipped. The plan expires ${moment}.`,

  items: "Results by number",
  outcome: "Result",
  noneWithOutcome: "No numbers with this result.",
  noNumbers: "No numbers in this plan.",
  before: (origin: string) => `before: ${origin}`,
  outcomes: {
    planned: "Planned",
    set: "Changed",
    unchanged: "Unchanged",
    stale: "Skipped: changed since the plan",
    failed: "Failed",
  },
  statuses: {
    planned: "Planned, not applied yet",
    applying: "Applying",
    finished: "Finished",
    expired: "Expired, nothing changed",
  },
  reject: "Reject calls",
  sendTo: (mode: string, target: string) => `Send calls to ${mode} ${target}`,
  addingTags: (tags: string) => `Add tags ${tags}`,
  removingTags: (tags: string) => `Remove tags ${tags}`,
  lock: "Lock against release",
  unlock: "Unlock for release",
  revision: (mode: string, generation: number) => `${mode}, revision ${generation}`,
  noTags: "no tags",
  locked: "locked",
  notLocked: "not locked",
} as const;

/** One-line summary of a bulk change. */
export function changeInWords(change: BulkChangeDetail, connections: readonly Connection[]): string {
  const { routing, tags, release_lock } = change;
  if (routing)
    return routing.mode === "unrouted"
      ? bulkChangesText.reject
      : bulkChangesText.sendTo(wordFor(routing.mode), targetsOf(routing, connections));
  if (tags)
    return [
      tags.add.length > 0 && bulkChangesText.addingTags(quoted(tags.add)),
      tags.remove.length > 0 && bulkChangesText.removingTags(quoted(tags.remove)),
    ]
      .filter(Boolean)
      .join(". ");
  return release_lock ? bulkChangesText.lock : bulkChangesText.unlock;
}

function quoted(tags: readonly string[]): string {
  return tags.map((tag) => `“${tag}”`).join(", ");
}

/** State of a number when the plan was created, limited to the fields that change. */
export function originInWords({ change }: Pick<BulkChange, "change">, { from }: BulkChangeItem): string {
  if (change.routing) return bulkChangesText.revision(wordFor(from.mode), from.generation);
  if (change.tags) return from.tags.length > 0 ? from.tags.join(", ") : bulkChangesText.noTags;
  return from.release_lock ? bulkChangesText.locked : bulkChangesText.notLocked;
}

export function outcomeWord(outcome: string): string {
  const words: Readonly<Record<string, string>> = bulkChangesText.outcomes;
  return words[outcome] ?? wordFor(outcome);
}

export function bulkStatusWord(status: string): string {
  const words: Readonly<Record<string, string>> = bulkChangesText.statuses;
  return words[status] ?? wordFor(status);
}

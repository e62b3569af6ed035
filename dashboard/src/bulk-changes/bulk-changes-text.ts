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
    routing: (numbers: string) => `Set routing of ${numbers}`,
    tags: (numbers: string) => `Change tags of ${numbers}`,
    lock: (numbers: string) => `Lock ${numbers} against release`,
    unlock: (numbers: string) => `Unlock ${numbers} for release`,
  },
  allMatching: "all matching numbers",
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
  revision: (target: string, generation: number) => `${target} (revision ${generation})`,
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

/** Values of a number before and after the change, limited to the fields that change. */
export function stepOf(
  { change: { routing, tags, release_lock } }: Pick<BulkChange, "change">,
  { from }: BulkChangeItem,
  connections: readonly Connection[],
): { from: string; to: string } {
  if (routing) {
    const before = from.desired ? targetsOf(from.desired, connections) : wordFor(from.mode);
    return {
      from: bulkChangesText.revision(before, from.generation),
      to: routing.mode === "unrouted" ? bulkChangesText.reject : targetsOf(routing, connections),
    };
  }
  if (tags) {
    const kept = from.tags.filter((tag) => !tags.remove.includes(tag));
    return { from: tagsInWords(from.tags), to: tagsInWords([...new Set([...kept, ...tags.add])]) };
  }
  return { from: lockInWords(from.release_lock), to: lockInWords(release_lock === true) };
}

const lockInWords = (isLocked: boolean): string =>
  isLocked ? bulkChangesText.locked : bulkChangesText.notLocked;

function tagsInWords(tags: readonly string[]): string {
  return tags.length > 0 ? tags.join(", ") : bulkChangesText.noTags;
}

export function outcomeWord(outcome: string): string {
  const words: Readonly<Record<string, string>> = bulkChangesText.outcomes;
  return words[outcome] ?? wordFor(outcome);
}

export function bulkStatusWord(status: string): string {
  const words: Readonly<Record<string, string>> = bulkChangesText.statuses;
  return words[status] ?? wordFor(status);
}

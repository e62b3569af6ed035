import { type HeldItem, isSameItem, type ItemName, keyOf, type DesiredItem } from "./held-item.ts";

/** One thing to do: what the switch should hold, and what it answered it holds. */
export interface Difference extends ItemName {
  want: DesiredItem | null;
  found: HeldItem | null;
}

/** Changes that bring a shard on the switch to its desired items. Pure. */
export function planShard(told: DesiredItem[], held: HeldItem[]): Difference[] {
  const found = new Map(held.map((item) => [keyOf(item), item]));
  const differences: Difference[] = [];
  for (const want of told) {
    const key = keyOf(want);
    const item = found.get(key) ?? null;
    found.delete(key);
    if (!isSameItem(want, item)) differences.push({ kind: want.kind, id: want.id, want, found: item });
  }
  for (const item of found.values())
    differences.push({ kind: item.kind, id: item.id, want: null, found: item });
  return inOrder(differences);
}

/** Connections come before the routes that need them and go after them. */
export function inOrder<Step extends { kind: ItemName["kind"]; want: unknown }>(steps: Step[]): Step[] {
  return steps.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ kind, want }: { kind: ItemName["kind"]; want: unknown }): number {
  if (kind === "route") return 1;
  return want === null ? 2 : 0;
}

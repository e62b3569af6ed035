import type { BulkSelection } from "@dialplane/sdk";
import { filterOf, type NumbersSearch } from "./numbers-search.ts";

/** Selected numbers: ticked ones, or all that match the filters. */
export type NumbersSelection = { kind: "ticked"; ids: ReadonlySet<string> } | { kind: "matching" };

export const NOTHING_SELECTED: NumbersSelection = { kind: "ticked", ids: new Set() };

export function isSelected(selection: NumbersSelection, id: string): boolean {
  return selection.kind === "matching" || selection.ids.has(id);
}

/** Unticking one keeps the other shown numbers. */
export function toggled(
  selection: NumbersSelection,
  id: string,
  shown: readonly { id: string }[],
): NumbersSelection {
  const ids = new Set(selection.kind === "matching" ? shown.map((one) => one.id) : selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { kind: "ticked", ids };
}

/** Selection as in the API, without the sort order. */
export function bulkSelectionOf(selection: NumbersSelection, search: NumbersSearch): BulkSelection {
  if (selection.kind === "ticked") return { ids: [...selection.ids] };
  return { filter: filterOf(search) };
}

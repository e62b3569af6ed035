import { createStore } from "../store.ts";
import { type NumbersSearch, readNumbersSearch } from "./numbers-search.ts";

/** Named filters and columns. Stored in this browser, separately for each organisation. */
export interface SavedView {
  name: string;
  search: NumbersSearch;
  hidden: readonly string[];
}

const keyOf = (organisation: string): string => `numbers-views:${organisation}`;

/** Changes with each update, so that all components re-render. */
export const viewsChanged = createStore(0);

/** Ignores entries that were edited by hand or come from an older version. */
export function readViews(organisation: string): SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(organisation)) ?? "[]");
    return Array.isArray(kept) ? kept.flatMap(viewOf) : [];
  } catch {
    return [];
  }
}

function viewOf(kept: unknown): SavedView[] {
  const { name, search, hidden } = (kept ?? {}) as Record<string, unknown>;
  if (typeof name !== "string" || !name) return [];
  const columns = Array.isArray(hidden) ? hidden.filter((one) => typeof one === "string") : [];
  return [{ name, search: readNumbersSearch((search ?? {}) as Record<string, unknown>), hidden: columns }];
}

/** Replaces a view of the same name. */
export function saveView(organisation: string, view: SavedView): void {
  const others = readViews(organisation).filter(({ name }) => name !== view.name);
  write(organisation, [...others, view]);
}

export function dropView(organisation: string, name: string): void {
  write(
    organisation,
    readViews(organisation).filter((view) => view.name !== name),
  );
}

function write(organisation: string, views: readonly SavedView[]): void {
  localStorage.setItem(keyOf(organisation), JSON.stringify(views));
  viewsChanged.set(viewsChanged.get() + 1);
}

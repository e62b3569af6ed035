import MiniSearch, { type SearchResult } from "minisearch";
import { SEARCH_OPTIONS, type SearchEntry } from "./search-options.ts";

declare global {
  interface Window {
    dialplaneSearchIndex?: string;
  }
}

const MOST_RESULTS = 10;

/** Fetches the index at the first search. */
export function startSearch(root: string): void {
  const form = document.querySelector<HTMLFormElement>("form.search")!;
  const input = form.querySelector("input")!;
  const list = form.querySelector("ol")!;
  const status = form.querySelector<HTMLElement>("[role=status]")!;
  let loading: Promise<MiniSearch<SearchEntry>> | undefined;

  const search = async (): Promise<void> => {
    const words = input.value.trim();
    const index = await (loading ??= loadIndex(root));
    if (words !== input.value.trim()) return;
    const results = words === "" ? [] : index.search(words).slice(0, MOST_RESULTS);
    list.replaceChildren(...results.map((result) => entryFor(root, result)));
    list.hidden = results.length === 0;
    if (words === "") status.textContent = "";
    else status.textContent = results.length === 0 ? "Nothing found" : `${results.length} found`;
    form.classList.toggle("nothing", words !== "" && results.length === 0);
  };

  input.addEventListener("focus", () => void (loading ??= loadIndex(root)));
  input.addEventListener("input", () => void search());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  form.addEventListener("keydown", (event) => moveThrough(event, input, list));
  document.addEventListener("click", (event) => {
    if (!form.contains(event.target as Node)) list.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = (event.target as Element).closest("input, textarea, select") !== null;
    if (event.key !== "/" || isTyping) return;
    event.preventDefault();
    input.focus();
  });
  form.hidden = false;
}

function moveThrough(event: KeyboardEvent, input: HTMLInputElement, list: HTMLOListElement): void {
  if (event.key === "Escape") {
    list.hidden = true;
    input.focus();
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops = [input, ...list.querySelectorAll("a")];
  const at = stops.indexOf(document.activeElement as HTMLInputElement);
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function entryFor(root: string, { id, title, page }: SearchResult): HTMLLIElement {
  const entry = document.createElement("li");
  const link = document.createElement("a");
  const where = document.createElement("span");
  link.href = `${root}${String(id)}`;
  link.textContent = String(title);
  where.textContent = title === page ? "" : String(page);
  link.append(where);
  entry.append(link);
  return entry;
}

function loadIndex(root: string): Promise<MiniSearch<SearchEntry>> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${root}search-index.js`;
    script.addEventListener("load", () =>
      resolve(MiniSearch.loadJSON<SearchEntry>(window.dialplaneSearchIndex!, SEARCH_OPTIONS)),
    );
    script.addEventListener("error", () => reject(new Error("The search index cannot be loaded.")));
    document.head.append(script);
  });
}

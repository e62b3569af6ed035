import MiniSearch from "minisearch";
import { Marked } from "marked";
import { SEARCH_OPTIONS, type SearchEntry } from "./browser/search-options.ts";
import { unescapeHtml } from "./site-html.ts";
import type { Heading } from "./site-markdown.ts";
import type { SitePage } from "./site-pages.ts";

/** One entry for each heading, with the text up to the next: a hit leads to the place, not to the page. */
export function searchEntries(page: SitePage, headings: readonly Heading[]): SearchEntry[] {
  let at = -1;
  const texts: string[][] = headings.map(() => []);
  for (const token of new Marked().lexer(page.markdown)) {
    if (token.type === "heading") at += 1;
    else if (at >= 0 && !isTableOfReference(page, token.type)) texts[at]!.push(token.raw);
  }
  return headings.map(({ text, slug }, index) => ({
    id: `${page.address}.html${index === 0 ? "" : `#${slug}`}`,
    title: text,
    page: page.title,
    text: plain(texts[index]!.join(" ")),
  }));
}

/** All operations list the same errors. Words that occur on every page are useless for search. */
function isTableOfReference({ section }: SitePage, type: string): boolean {
  return section === "Reference" && type === "table";
}

/** A script, not JSON: a page opened from a disk may load scripts and nothing else. */
export function searchIndexScript(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  index.addAll(entries);
  return `window.dialplaneSearchIndex = ${JSON.stringify(JSON.stringify(index))};\n`;
}

function plain(markdown: string): string {
  return unescapeHtml(
    markdown
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/^[ |:-]+$/gm, " ")
      .replace(/[*`|>#]|```\w*/g, " ")
      .replace(/\s+/g, " "),
  ).trim();
}

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ADDRESSES, SECTIONS, SHORT_TITLES, UNLISTED } from "./site-navigation.ts";
import { referencePages } from "./site-reference.ts";

export const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

export interface SitePage {
  /** Its path in the repository, or where it would be; links are followed from there. */
  source: string;
  /** Its path in the site, without an ending: there is an .html and an .md. */
  address: string;
  title: string;
  /** Name in the navigation. */
  name: string;
  section: string;
  isListed: boolean;
  markdown: string;
}

/** All pages in reading order. */
export function readPages(root = REPOSITORY): SitePage[] {
  const found = [
    ...globSync(["docs/*.md", "docs/recipes/*.md", "docs/decisions/*.md"], { cwd: root }),
  ].sort();
  const named = SECTIONS.flatMap(({ title, sources }) => sources.map((source) => ({ source, title })));
  const placed = new Set(named.map(({ source }) => source));
  const rest = found.filter((source) => !placed.has(source));
  const pages = [
    ...named.flatMap(({ source, title }) => [
      readPage(root, source, title),
      ...(source === "docs/decisions/README.md"
        ? rest.filter((other) => UNLISTED.test(other)).map((other) => readPage(root, other, title))
        : []),
    ]),
    ...rest.filter((other) => !UNLISTED.test(other)).map((other) => readPage(root, other, "More")),
  ];
  const reference = referencePages(root).map((page) => ({
    ...page,
    section: "Reference",
    isListed: true,
  }));
  const before = pages.findIndex(({ section }) => section === "Reference");
  return before === -1 ? [...pages, ...reference] : pages.toSpliced(before, 0, ...reference);
}

function readPage(root: string, source: string, section: string): SitePage {
  const markdown = readFileSync(join(root, source), "utf8").replace(/^<!--.*-->\n+/, "");
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  if (!title) throw new Error(`${source} has no title.`);
  return {
    source,
    address: ADDRESSES[source] ?? source.replace(/^docs\//, "").replace(/\.md$/, ""),
    title: title.replaceAll("`", ""),
    name: SHORT_TITLES[source] ?? title.replaceAll("`", ""),
    section,
    isListed: !UNLISTED.test(source),
    markdown,
  };
}

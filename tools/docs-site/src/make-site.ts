import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { layOut } from "./site-layout.ts";
import { findDeadLinks, makeLinkReader } from "./site-links.ts";
import { type RenderedPage, renderMarkdown } from "./site-markdown.ts";
import { readPages, REPOSITORY, type SitePage } from "./site-pages.ts";
import { operationPlaces } from "./site-reference.ts";
import { searchEntries, searchIndexScript } from "./site-search.ts";
import { overviewText, pageText, wholeText } from "./site-texts.ts";

export interface Site {
  pages: SitePage[];
  /** Every file by its path in the site. */
  files: Map<string, string | Buffer>;
  /** Broken links. */
  faults: string[];
}

export async function makeSite(root = REPOSITORY): Promise<Site> {
  const pages = readPages(root);
  const readLink = makeLinkReader(root, pages);
  const explained = explainedWords(root, pages);
  const rendered = new Map(pages.map((page) => [page, renderMarkdown(page, readLink, explained)]));
  const texts = pages.map((page) => ({ address: page.address, text: pageText(page, readLink) }));
  const links = [...rendered.values()].flatMap((page) => page.links);
  const files = new Map<string, string | Buffer>([
    ...pages.map((page): [string, string] => [
      `${page.address}.html`,
      layOut(page, rendered.get(page)!, pages),
    ]),
    ...texts.map(({ address, text }): [string, string] => [`${address}.md`, text]),
    ["llms.txt", overviewText(pages)],
    ["llms-full.txt", wholeText(texts)],
    ["search-index.js", searchIndexScript(entriesOf(rendered))],
    ["site.css", readFileSync(new URL("site.css", import.meta.url), "utf8")],
    ["icon.svg", readFileSync(new URL("icon.svg", import.meta.url), "utf8")],
    ["site.js", await bundleScript("browser/page-script.ts")],
    ["theme.js", await bundleScript("browser/chosen-theme.ts")],
  ]);
  for (const { to } of links)
    if (to && "file" in to) files.set(`files/${to.file}`, readFileSync(join(root, to.file)));
  return { pages, files, faults: findDeadLinks(links, anchorsOf(rendered)) };
}

export function writeSite({ files }: Pick<Site, "files">, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Operations and codes of errors: wherever a document names one, the site leads to its entry. */
function explainedWords(root: string, pages: readonly SitePage[]): Map<string, string> {
  const errors = pages.find(({ source }) => source === "docs/errors.md")?.markdown ?? "";
  const codes = [...errors.matchAll(/^### (\w+)$/gm)].map(([, code]): [string, string] => [
    code!,
    `docs/errors.md#${code}`,
  ]);
  return new Map([...operationPlaces(root), ...codes]);
}

function anchorsOf(rendered: ReadonlyMap<SitePage, RenderedPage>): Map<string, Set<string>> {
  return new Map(
    [...rendered].map(([{ source }, { headings }]) => [source, new Set(headings.map(({ slug }) => slug))]),
  );
}

function entriesOf(rendered: ReadonlyMap<SitePage, RenderedPage>) {
  return [...rendered].flatMap(([page, { headings }]) => searchEntries(page, headings));
}

/** A classic script: a page opened from a disk may not load modules. */
async function bundleScript(path: string): Promise<string> {
  const input = fileURLToPath(new URL(path, import.meta.url));
  const build = await rolldown({ input, treeshake: true });
  const { output } = await build.generate({ format: "iife", minify: true });
  await build.close();
  return output[0].code;
}

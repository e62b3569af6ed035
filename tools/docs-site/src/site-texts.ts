import { hrefOf, type LinkReader } from "./site-links.ts";
import { describe } from "./site-layout.ts";
import type { SitePage } from "./site-pages.ts";

/** The page as Markdown, its links leading to the Markdown of other pages. */
export function pageText(page: SitePage, readLink: LinkReader): string {
  let isFenced = false;
  return page.markdown
    .split("\n")
    .map((line) => {
      if (/^ *(```|~~~)/.test(line)) isFenced = !isFenced;
      return isFenced ? line : rewriteLinks(line, (written) => hrefOf(readLink(page, written), "md"));
    })
    .join("\n");
}

/** Code between backticks is left alone. */
function rewriteLinks(line: string, follow: (written: string) => string): string {
  return line.replace(/`[^`]*`(?!\]\()|\]\(([^)\s]+)\)/g, (whole: string, written?: string) =>
    written === undefined ? whole : `](${follow(written)})`,
  );
}

/** llms.txt: what there is, a line for each page (https://llmstxt.org). */
export function overviewText(pages: readonly SitePage[]): string {
  const [home] = pages;
  const sections = [...Map.groupBy(pages, ({ section }) => section)].map(([section, those]) => {
    const lines = those.map((page) => `- [${page.title}](${page.address}.md): ${describe(page)}`);
    return `## ${section}\n\n${lines.join("\n")}`;
  });
  const summary = home!.markdown
    .split("\n")
    .slice(1)
    .find((line) => line !== "");
  return `# Dialplane\n\n> ${summary}\n\nEverything in one file: [llms-full.txt](llms-full.txt)\n\n${sections.join("\n\n")}\n`;
}

export function wholeText(texts: readonly { address: string; text: string }[]): string {
  return texts.map(({ address, text }) => `<!-- ${address}.md -->\n\n${text.trim()}\n`).join("\n\n");
}

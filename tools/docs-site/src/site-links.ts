import { existsSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import type { SitePage } from "./site-pages.ts";

/** A link of a page, as it was written and as it leads on in the site. */
export interface SiteLink {
  from: SitePage;
  written: string;
  /** Undefined for another site. */
  to?: { page: SitePage; anchor: string } | { file: string };
  isDead: boolean;
}

export type LinkReader = (from: SitePage, written: string) => SiteLink;

export function makeLinkReader(root: string, pages: readonly SitePage[]): LinkReader {
  const bySource = new Map(pages.map((page) => [page.source, page]));
  return (from, written) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(written)) return { from, written, isDead: false };
    const [path = "", anchor = ""] = written.split("#");
    const source = path === "" ? from.source : posix.join(dirname(from.source), decodeURIComponent(path));
    const page = bySource.get(source);
    if (page) return { from, written, to: { page, anchor: decodeURIComponent(anchor) }, isDead: false };
    const isFile =
      !written.startsWith("/") && existsSync(join(root, source)) && statSync(join(root, source)).isFile();
    return isFile ? { from, written, to: { file: source }, isDead: false } : { from, written, isDead: true };
  };
}

/** The address to write on the page: relative, so that the site works in any folder and from a disk. */
export function hrefOf({ from, written, to }: SiteLink, ending: "html" | "md"): string {
  if (!to) return written;
  if ("file" in to) return relative(from, `files/${to.file}`);
  const anchor = to.anchor === "" ? "" : `#${to.anchor}`;
  return to.page === from && anchor !== "" ? anchor : relative(from, `${to.page.address}.${ending}`) + anchor;
}

/** From a page to any file of the site. */
export function relative(from: Pick<SitePage, "address">, target: string): string {
  return posix.relative(posix.dirname(from.address), target);
}

/** Links to pages, files or headings that are not there. */
export function findDeadLinks(
  links: readonly SiteLink[],
  anchors: ReadonlyMap<string, Set<string>>,
): string[] {
  return links
    .filter(({ isDead, to }) => {
      if (isDead) return true;
      return to && "page" in to && to.anchor !== "" && !anchors.get(to.page.source)?.has(to.anchor);
    })
    .map(({ from, written }) => `${from.source}: ${written} leads nowhere`);
}

import { Marked, type RendererObject, type Tokens } from "marked";
import { colourCode } from "./site-code.ts";
import { escapeHtml, unescapeHtml } from "./site-html.ts";
import { hrefOf, type LinkReader, type SiteLink } from "./site-links.ts";
import type { SitePage } from "./site-pages.ts";
import { makeSlugs } from "./site-slugs.ts";

export interface Heading {
  depth: number;
  text: string;
  slug: string;
}

export interface RenderedPage {
  html: string;
  headings: Heading[];
  links: SiteLink[];
}

/** Known words in code, such as `GET /v1/me` or an error's code, and where they are explained. */
export type Explained = ReadonlyMap<string, string>;

export function renderMarkdown(page: SitePage, readLink: LinkReader, explained: Explained): RenderedPage {
  const headings: Heading[] = [];
  const links: SiteLink[] = [];
  const follow = (written: string): Followed => {
    const link = readLink(page, written);
    links.push(link);
    return { href: hrefOf(link, "html"), name: link.to && "page" in link.to ? link.to.page.name : undefined };
  };
  const explain = (text: string): string | undefined => {
    const place = explained.get(text.replace(/\?.*$/, ""));
    if (place === undefined) return undefined;
    const link = readLink({ ...page, source: "README.md" }, place);
    return hrefOf({ ...link, from: page }, "html");
  };
  const renderer = { ...makeHeadings(headings), ...makeInline(follow, explain), ...BLOCKS };
  const html = new Marked({ renderer }).parse(page.markdown, { async: false });
  return { html, headings, links };
}

function makeHeadings(headings: Heading[]): RendererObject {
  const slugFor = makeSlugs();
  return {
    heading({ depth, tokens }) {
      const html = this.parser.parseInline(tokens);
      const text = unescapeHtml(html.replace(/<[^>]+>/g, ""));
      const slug = slugFor(text);
      headings.push({ depth, text, slug });
      if (depth === 1) return `<h1 id="${slug}">${html}</h1>\n`;
      const label = escapeHtml(`Link to “${text}”`);
      return `<h${depth} id="${slug}">${html}<a class="anchor" href="#${slug}" aria-label="${label}">#</a></h${depth}>\n`;
    },
  };
}

interface Followed {
  href: string;
  /** Name of the linked page. */
  name: string | undefined;
}

function makeInline(
  follow: (written: string) => Followed,
  explain: (text: string) => string | undefined,
): RendererObject {
  // Inside a link, code is not made another link.
  let isInLink = false;
  return {
    link({ href, title, tokens }) {
      isInLink = true;
      const written = this.parser.parseInline(tokens);
      isInLink = false;
      const { href: target, name } = follow(href);
      // On GitHub readers look for the file, here for the page.
      const text = name !== undefined && /^[\w/-]+\.md$/.test(written) ? escapeHtml(name) : written;
      const hint = title ? ` title="${escapeHtml(title)}"` : "";
      return `<a href="${escapeHtml(target)}"${hint}>${text}</a>`;
    },
    image({ href, text }) {
      return `<img src="${escapeHtml(follow(href).href)}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
    codespan({ text }) {
      const code = `<code>${escapeHtml(text)}</code>`;
      const place = isInLink ? undefined : explain(text);
      return place === undefined ? code : `<a class="explained" href="${escapeHtml(place)}">${code}</a>`;
    },
  };
}

const BLOCKS: RendererObject = {
  code({ text, lang = "" }) {
    const [name = ""] = lang.split(" ");
    return `<div class="code"><pre tabindex="0"><code>${colourCode(text, name)}
</code></pre></div>
`;
  },
  // Only a wide table scrolls sideways, by keyboard too, and not the whole page.
  table({ header, rows }) {
    const cellsOf = (cells: Tokens.TableCell[], tag: "th" | "td"): string =>
      cells
        .map(({ tokens }) => this.parser.parseInline(tokens))
        .map((html) => (html === "" || tag === "td" ? `<td>${html}</td>` : `<th scope="col">${html}</th>`))
        .join("");
    const body = rows.map((row) => `<tr>${cellsOf(row, "td")}</tr>`).join("\n");
    return `<div class="table" tabindex="0"><table><thead><tr>${cellsOf(header, "th")}</tr></thead><tbody>${body}</tbody></table></div>\n`;
  },
};

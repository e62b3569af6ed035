import { escapeHtml } from "./site-html.ts";
import { relative } from "./site-links.ts";
import type { RenderedPage } from "./site-markdown.ts";
import type { SitePage } from "./site-pages.ts";

/** A whole page. It loads nothing from other origins, and without scripts only the search is missing. */
export function layOut(page: SitePage, rendered: RenderedPage, pages: readonly SitePage[]): string {
  const to = (target: string): string => escapeHtml(relative(page, target));
  const isHome = page.address === "index";
  const title = isHome ? "Dialplane: documentation" : `${page.title} – Dialplane`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(describe(page))}">
<link rel="icon" href="${to("icon.svg")}">
<link rel="stylesheet" href="${to("site.css")}">
<link rel="alternate" type="text/markdown" href="${to(`${page.address}.md`)}">
<script src="${to("theme.js")}"></script>
<script src="${to("site.js")}" defer data-root="${to("index.html").replace(/index\.html$/, "")}"></script>
</head>
<body id="top">
<a class="skip" href="#content">To the content</a>
<header class="bar">
<a class="brand" href="${to("index.html")}"><img src="${to("icon.svg")}" alt="" width="24" height="24">Dialplane</a>
<form class="search" role="search" hidden>
<label for="search" class="unseen">Search the documentation</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" aria-describedby="search-status">
<p id="search-status" class="unseen" role="status"></p>
<ol id="search-results" hidden></ol>
</form>
<button class="theme" type="button" hidden>Dark</button>
<a class="menu" href="#navigation">Menu</a>
</header>
<div class="columns">
<main id="content">
<p class="where">${escapeHtml(page.section)}</p>
<article>
${rendered.html}</article>
${neighbours(page, pages)}
<footer><p><a href="${to(`${page.address}.md`)}">This page as Markdown</a> · <a href="${to("llms.txt")}">For language models</a></p></footer>
</main>
${contents(rendered)}
${navigation(page, pages)}
</div>
</body>
</html>
`;
}

function navigation(page: SitePage, pages: readonly SitePage[]): string {
  const sections = Map.groupBy(
    pages.filter(({ isListed }) => isListed),
    ({ section }) => section,
  );
  const entries = [...sections].map(([section, listed]) => {
    const links = listed.map((other) => {
      const current = other === page ? ' aria-current="page"' : "";
      const href = escapeHtml(relative(page, `${other.address}.html`));
      return `<li><a href="${href}"${current}>${escapeHtml(other.name)}</a></li>`;
    });
    const isOpen = section !== "Reference" || page.section === section;
    return `<li><details${isOpen ? " open" : ""}><summary>${escapeHtml(section)}</summary><ul>${links.join("")}</ul></details></li>`;
  });
  return `<nav id="navigation" aria-label="All pages"><a class="close" href="#top">Close</a><ul>${entries.join("\n")}</ul></nav>`;
}

function contents({ headings }: RenderedPage): string {
  const parts = headings.filter(({ depth }) => depth === 2);
  if (parts.length < 2) return "";
  const links = parts.map(({ slug, text }) => `<li><a href="#${slug}">${escapeHtml(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${links.join("")}</ul></nav>`;
}

function neighbours(page: SitePage, pages: readonly SitePage[]): string {
  const at = pages.indexOf(page);
  const link = (other: SitePage | undefined, words: string): string =>
    other
      ? `<a href="${escapeHtml(relative(page, `${other.address}.html`))}"><span>${words}</span> ${escapeHtml(other.name)}</a>`
      : "<span></span>";
  return `<nav class="neighbours" aria-label="Before and after">${link(pages[at - 1], "Before")}${link(pages[at + 1], "Next")}</nav>`;
}

/** The first sentence below the title. */
export function describe({ markdown, title }: SitePage): string {
  const lines = markdown.split("\n").slice(1);
  const first = lines.find((line) => /^[A-Z*[`]/.test(line)) ?? title;
  const plain = first.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*`]/g, "");
  return (/^.*?[.:?](?= |$)/.exec(plain)?.[0] ?? plain).replace(/:$/, ".");
}

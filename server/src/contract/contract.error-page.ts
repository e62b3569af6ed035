import { STATUS_CODES } from "node:http";
import { ERRORS } from "../platform/error-catalogue.ts";

/** Page behind the `type` of a problem: each code has an anchor. */
export function errorPage(): string {
  const byStatus = [...Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status)];
  return htmlPage({
    title: "Errors – Dialplane",
    head: '<link rel="stylesheet" href="/docs/pages.css">',
    body: `
<header>
  <p class="home"><a href="/docs">Dialplane API</a></p>
  <h1>Errors</h1>
  <p>A refusal is a problem document (<a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a>) whose
  <code>code</code> is one of those below. Decide by the code: it is stable, and the wording is not. When you ask for
  help, quote the <code>request_id</code>.</p>
</header>
<div class="columns">
<nav aria-label="Codes">
${byStatus
  .map(([status, entries]) =>
    navigationGroup(
      status,
      entries.map(([code]) => code),
    ),
  )
  .join("\n")}
</nav>
<main>
${byStatus.map(([status, entries]) => chapter(status, entries)).join("\n")}
</main>
</div>`,
  });
}

interface HtmlPage {
  title: string;
  head: string;
  body: string;
}

export function htmlPage({ title, head, body }: HtmlPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head}
</head>
<body>${body}
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function navigationGroup(status: number, codes: string[]): string {
  const links = codes
    .map((code) => `<li><a href="#${code}">${code.replaceAll("_", "_<wbr>")}</a></li>`)
    .join("");
  return `<section><h2><a href="#status-${status}">${status}</a></h2><ul>${links}</ul></section>`;
}

type Entry = [code: string, entry: (typeof ERRORS)[keyof typeof ERRORS]];

function chapter(status: number, entries: Entry[]): string {
  return `<section class="status">
<h2 id="status-${status}"><span class="number">${status}</span> ${STATUS_CODES[status]}</h2>
${entries.map(article).join("\n")}
</section>`;
}

function article([code, { title, retryable, remedy }]: Entry): string {
  return `<article id="${code}">
<h3><a href="#${code}"><code>${code}</code></a>${retryable ? ' <span class="retryable">retryable</span>' : ""}</h3>
<p class="title">${escapeHtml(title)}</p>
<p>${escapeHtml(remedy)}</p>
</article>`;
}

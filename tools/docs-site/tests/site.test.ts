import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { findDeadLinks, hrefOf, makeLinkReader } from "../src/site-links.ts";
import { renderMarkdown } from "../src/site-markdown.ts";
import { REPOSITORY, type SitePage } from "../src/site-pages.ts";
import { makeSite, type Site } from "../src/make-site.ts";
import { pageText } from "../src/site-texts.ts";

interface Contract {
  paths: Record<string, Record<string, { operationId: string }>>;
}

let site: Site;

beforeAll(async () => {
  site = await makeSite();
});

test("every link of the documentation leads to a page and a heading that are there", () => {
  expect(site.faults).toEqual([]);
  const links = htmlFiles().flatMap(([path, html]) => linksOf(html).map((href) => ({ path, href })));
  expect(links.length).toBeGreaterThan(1_000);
  const dead = links.filter(({ path, href }) => !isThere(path, href));
  expect(dead).toEqual([]);
});

test("publishes the Markdown of every page, listed in both overviews", () => {
  const overview = textOf("llms.txt");
  const whole = textOf("llms-full.txt");
  for (const { address, title } of site.pages) {
    expect(textOf(`${address}.md`), address).toContain("# ");
    expect(overview).toContain(`- [${title}](${address}.md): `);
    expect(whole).toContain(`<!-- ${address}.md -->`);
  }
});

test("the links of the Markdown lead to Markdown", () => {
  const { address } = site.pages.find(({ source }) => source === "docs/decisions/README.md")!;
  const text = textOf(`${address}.md`);
  expect(text).toContain("](0001-postgresql-is-the-only-engine.md)");
  const start = textOf("architecture.md");
  expect(start).toContain("](decisions/0003-doors-into-the-database.md)");
});

test("loads nothing from another site", () => {
  for (const [path, html] of htmlFiles()) {
    const loaded = [...html.matchAll(/<(?:script|img|link)\b[^>]*?(?:src|href)="([^"]*)"/g)];
    expect(
      loaded.map(([, href]) => href).filter((href) => /^([a-z]+:)?\/\//.test(href!)),
      path,
    ).toEqual([]);
  }
  expect(textOf("site.css")).not.toMatch(/url\(|@import/);
});

test("every operation of the contracts has an entry, and documents lead to it", () => {
  const operations = [
    "openapi.json",
    "openapi.operator.json",
    "openapi.switch.json",
    "openapi.carrier.json",
  ].flatMap((file) => {
    const { paths } = JSON.parse(readFileSync(join(REPOSITORY, file), "utf8")) as Contract;
    return Object.values(paths).flatMap((methods) => Object.values(methods));
  });
  const reference = htmlFiles()
    .filter(([path]) => path.startsWith("reference/"))
    .map(([, html]) => html)
    .join("\n");
  expect(operations.length).toBeGreaterThan(100);
  for (const { operationId } of operations) expect(reference).toContain(`<code>${operationId}</code>`);
  expect(textOf("routing.html")).toMatch(/href="reference\/routing\.html#[^"]+"><code>GET \/v1/);
  expect(textOf("switches.html")).toContain('<a class="explained" href="reference/operator-switches.html#');
  expect(textOf("routing.html")).toContain('href="errors.html#destination_not_allowed"');
});

function plant(source: string, markdown: string): SitePage {
  const address = source.replace(/^docs\/|\.md$/g, "");
  return { source, address, title: address, name: address, section: "S", isListed: true, markdown };
}

test("a dead link is found, whatever it leads to", () => {
  const there = plant("docs/there.md", "# There\n\n## A heading\n\n## A heading\n");
  const links = "[1](gone.md) [2](there.md#gone) [3](#gone) [4](/docs) [5](../gone.json) [6](decisions)";
  const sound = "[7](there.md#a-heading-1) [8](https://example.com/gone) [9](../package.json) [10](#here)";
  const here = plant("docs/here.md", `# Here\n\n${links} ${sound} \`[11](gone.md)\`\n`);
  const readLink = makeLinkReader(REPOSITORY, [there, here]);
  const rendered = [there, here].map((page) => ({ page, ...renderMarkdown(page, readLink, new Map()) }));
  const anchors = new Map(
    rendered.map(({ page, headings }) => [page.source, new Set(headings.map(({ slug }) => slug))]),
  );
  const dead = findDeadLinks(
    rendered.flatMap((page) => page.links),
    anchors,
  );
  const written = ["gone.md", "there.md#gone", "#gone", "/docs", "../gone.json", "decisions"];
  expect(dead).toEqual(written.map((link) => `docs/here.md: ${link} leads nowhere`));
});

test("a link is relative to its page, and code that looks like one is left alone", () => {
  const far = plant("docs/decisions/far.md", "# Far\n");
  const near = plant(
    "docs/near.md",
    "# Near\n\n[far](decisions/far.md) `[far](x.md)`\n\n```\n[far](y.md)\n```\n",
  );
  const readLink = makeLinkReader(REPOSITORY, [far, near]);
  expect(hrefOf(readLink(far, "../near.md#x"), "html")).toBe("../near.html#x");
  expect(hrefOf(readLink(far, "../../package.json"), "html")).toBe("../files/package.json");
  expect(pageText(near, readLink)).toBe(near.markdown);
});

function textOf(path: string): string {
  return String(site.files.get(path) ?? "");
}

function htmlFiles(): [string, string][] {
  return [...site.files.keys()].filter((path) => path.endsWith(".html")).map((path) => [path, textOf(path)]);
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*?href="([^"]*)"/g)].map(([, href]) => href!.replaceAll("&amp;", "&"));
}

function isThere(path: string, href: string): boolean {
  if (/^[a-z]+:/.test(href)) return true;
  const { pathname, hash } = new URL(href, `file:///${path}`);
  const target = site.files.get(pathname.slice(1));
  if (target === undefined || hash === "") return target !== undefined;
  return target.includes(`id="${decodeURIComponent(hash.slice(1))}"`);
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../../../dashboard/tests/visit.ts";
import { makeSite, writeSite } from "../src/make-site.ts";

/** One of each kind: the start, a guide with tables and code, a long table, an operation, a decision. */
const KINDS = [
  "index.html",
  "routing.html",
  "configuration.html",
  "reference/connections.html",
  "decisions/0003-doors-into-the-database.html",
];
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

/** Opened from the disk: where that works, any web server does. */
const folder = mkdtempSync(join(tmpdir(), "dialplane-docs-"));
let browser: Browser;

beforeAll(async () => {
  writeSite(await makeSite(), folder);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ["light", DESKTOP],
  ["dark", PHONE],
] as const)("pages are accessible and not wider than the window: %s, %o", async (colorScheme, viewport) => {
  await using visit = await open({ colorScheme, viewport });
  const { page, faults } = visit;
  for (const kind of KINDS) {
    await page.goto(addressOf(kind));
    expect(await violationsOf(page), kind).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), kind).toBe(0);
  }
  expect(faults).toEqual([]);
});

test("the search leads to the heading, by keyboard and without a network", async () => {
  await using visit = await open({ viewport: DESKTOP });
  const { page, faults } = visit;
  await page.goto(addressOf("decisions/0003-doors-into-the-database.html"));
  await page.keyboard.press("/");
  await page.keyboard.type("allowed destinations");
  await page
    .getByRole("link", { name: /Allowed destinations/ })
    .first()
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/routing\.html#allowed-destinations$/);
  await page.getByRole("searchbox").fill("xyzzyx");
  await page.getByRole("status").getByText("Nothing found").waitFor({ state: "attached" });
  expect(faults).toEqual([]);
});

test("on a phone the menu covers the page and leads on; the theme is kept", async () => {
  await using visit = await open({ viewport: PHONE, colorScheme: "light" });
  const { page, faults } = visit;
  await page.goto(addressOf("index.html"));
  await page.getByRole("button", { name: "Dark" }).click();
  await page.getByRole("link", { name: "Menu" }).click();
  const navigation = page.getByRole("navigation", { name: "All pages" });
  expect(await navigation.boundingBox()).toEqual({ x: 0, y: 0, ...PHONE });
  // The last link of the menu can be reached, too.
  await navigation.getByRole("link").last().scrollIntoViewIfNeeded();
  await expect.poll(() => navigation.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
  await navigation.getByRole("link", { name: "Webhooks", exact: true }).first().click();
  await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Light" }).waitFor();
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  expect(faults).toEqual([]);
});

interface Visit extends AsyncDisposable {
  page: Page;
  /** Thrown errors, complaints of the console and requests that leave the folder. */
  faults: string[];
}

async function open(options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext({ ...options, locale: "en-GB", reducedMotion: "reduce" });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(pathToFileURL(folder).href)) faults.push(`foreign: ${request.url()}`);
  });
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

function addressOf(path: string): string {
  return pathToFileURL(join(folder, path)).href;
}

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** Without a look into style sheets, which a page from a disk may not read. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<Violation[]>(
    "axe.run({ preload: false }).then((result) => result.violations)",
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
  );
}

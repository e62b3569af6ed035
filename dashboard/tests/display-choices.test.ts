import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../server/src/seed.ts";
import { type Person, type Service, startService } from "../../server/testing/service.ts";
import { openBrowser, visit } from "./visit.ts";

const STALE_MS = 31_000;

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;
let operator: Person;
beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
  operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  await seedNumbers(service.app, organisation, "live", 3);
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

const heightOf = async (page: Page): Promise<number> =>
  (await page.getByRole("row").nth(1).boundingBox())!.height;

test("makes rows compact, and keeps the choice", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers`);
  await page.getByRole("row").nth(1).waitFor();
  expect(await heightOf(page)).toBe(40);
  await page.getByRole("button", { name: /Your account/ }).click();
  await page.getByRole("menuitemradio", { name: "Compact" }).click();
  await expect.poll(() => heightOf(page)).toBe(32);
  await page.reload();
  await page.getByRole("row").nth(1).waitFor();
  expect(await heightOf(page)).toBe(32);
  expect(faults).toEqual([]);
});

test("greys values that could not be refreshed, until a refresh succeeds", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page } = visitor;
  await page.clock.install();
  await page.goto(`/o/${organisation}/live/overview`);
  await page
    .getByText(/^Updated/)
    .first()
    .waitFor();
  const retry = page.getByRole("button", { name: "Retry now" });
  const isGrey = () =>
    page.evaluate("getComputedStyle(document.querySelector('main header ~ *')).filter === 'grayscale(1)'");
  expect(await isGrey()).toBe(false);
  await page.route("**/v1/**", (route) => route.abort());
  for (let passed = 0; passed < 4; passed++) await page.clock.fastForward(STALE_MS);
  await retry.waitFor();
  expect(await isGrey()).toBe(true);
  await page.unroute("**/v1/**");
  await retry.click();
  await retry.waitFor({ state: "detached" });
  expect(await isGrey()).toBe(false);
});

test.each(["calls", "audit"])("saves a view of the page %s", async (path) => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/${path}?q=berlin`);
  await page.getByRole("button", { name: "Save view" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(`Berlin ${path}`);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByRole("button", { name: "All", exact: true }).click();
  await page.waitForURL((url) => url.search === "");
  await views.getByRole("button", { name: `Berlin ${path}`, exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get("q") === "berlin");
  expect(faults).toEqual([]);
});

test("sets how many probes an organisation may place, and checks the count first", async () => {
  await using visitor = await visit(browser, service, { as: operator });
  const { page, faults } = visitor;
  await page.goto(`/operator/organisations/${organisation}`);
  await page.getByText("The organisation cannot place probes.").waitFor();
  await page.getByRole("button", { name: "Change probe limit" }).click();
  const dialog = page.getByRole("dialog", { name: "Probe limit of Northwind" });
  await dialog.getByLabel("Probes per day (UTC)").fill("many");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Enter a whole number from 0 to 100,000.").waitFor();
  await dialog.getByLabel("Probes per day (UTC)").fill("500");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("500 per day, 0 placed today (UTC)").waitFor();
  expect(faults).toEqual([]);
});

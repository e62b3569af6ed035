import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../server/src/seed.ts";
import { type Person, type Service, startService } from "../../server/src/testing/service.ts";
import { openBrowser, visit } from "./visit.ts";

/** Three pages of the list, and a bit. */
const MANY = 650;

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;

beforeAll(async () => {
  service = await startService({ worker: true });
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
  const all = Array.from({ length: MANY }, (_, at) => `+49301${String(1_000_000 + at)}`);
  for (let from = 0; from < MANY; from += 130)
    await seedNumbers(service.app, organisation, "live", all.slice(from, from + 130));
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

test("filters are asked of the service and stand in the address: a link shows the same", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers`);
  await page.getByRole("row").nth(5).waitFor();

  await page.getByRole("searchbox").fill("1000042");
  await page.getByRole("cell", { name: "+493011000042" }).waitFor();
  await expect.poll(() => page.getByRole("table").getAttribute("aria-rowcount")).toBe("2");
  expect(page.url()).toContain("q=");

  await using second = await visit(browser, service, { as: owner });
  await second.page.goto(page.url().slice(service.url.length));
  await second.page.getByRole("cell", { name: "+493011000042" }).waitFor();
  expect(await second.page.getByRole("table").getAttribute("aria-rowcount")).toBe("2");

  await page.getByRole("combobox", { name: "Routing" }).selectOption("forward");
  await page.getByText("No number matches").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await page.getByRole("cell", { name: "+493011000000" }).waitFor();
  expect(new URL(page.url()).search).toBe("");
  expect(faults).toEqual([]);
});

test("a long list is scrolled to its end with only the rows in sight in the page, and no row is missing", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers?sort=e164`);
  await page.getByRole("cell", { name: "+493011000000" }).waitFor();
  const table = page.getByRole("table");

  await expect
    .poll(async () => {
      await page.evaluate("document.querySelector('[role=table]').scrollTo(0, 1e9)");
      return page.getByRole("cell", { name: `+49301${1_000_000 + MANY - 1}` }).count();
    })
    .toBe(1);
  expect(await table.getAttribute("aria-rowcount")).toBe(String(MANY + 1));
  expect(await page.getByRole("row").count()).toBeLessThan(80);
  expect(faults).toEqual([]);
});

test("whether the switches have it is told by a word and a shape, not by colour alone", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/test/numbers`);
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.getByRole("row").nth(2).waitFor();
        return (await page.getByRole("table").textContent())!;
      },
      { timeout: 90_000 },
    )
    .toMatch(/In sync/);
  const badge = page.getByRole("cell").getByText("In sync").first();
  expect(await badge.locator("svg").count()).toBe(1);
  expect(faults).toEqual([]);
});

test("a plain member sees the numbers and nothing of routing", async () => {
  const member = await service.person({ [organisation]: "member" });
  await using visitor = await visit(browser, service, { as: member });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers`);
  await page.getByRole("row").nth(5).waitFor();
  expect(await page.getByRole("columnheader").allTextContents()).toEqual([
    "Number",
    "Label",
    "State",
    "Kind",
    "Tags",
    "Held since",
  ]);
  expect(await page.getByRole("combobox").count()).toBe(1);
  expect(faults).toEqual([]);
});

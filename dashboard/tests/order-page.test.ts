import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, type Service, startService } from "../../server/testing/service.ts";
import { openBrowser, visit } from "./visit.ts";

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;

beforeAll(async () => {
  service = await startService({ worker: true, settings: { INVENTORY: "pool" } });
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

test("an order by list is followed through a reload to its end, number by number", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/test/order?by=list`);
  const place = page.getByRole("button", { name: "Place the order" });
  await place.click();
  await page.getByText("Enter at least one number.").waitFor();
  // One takes five seconds, one is rejected.
  await page.getByLabel("Numbers").fill("+1 (212) 555-0111\n+1 212 555 0112, +1 212 555 0150");
  await page.getByLabel("Label").fill("Front desk");
  await place.focus();
  await page.keyboard.press("Enter");

  await page.getByRole("heading", { name: "Order", exact: true }).waitFor();
  await page.getByText("The carrier has taken it and is at it.").waitFor();
  await page.reload();
  await page.getByText("2 of 3 could be had").waitFor();
  await expect.poll(() => page.getByText("Could not be had").count()).toBe(1);
  await page.getByRole("link", { name: "+12125550111" }).click();
  await page.getByText("Front desk", { exact: true }).waitFor();

  await page.goto(`/o/${organisation}/test/jobs`);
  await page.getByRole("link", { name: "Order of 3 numbers" }).click();
  await page.getByText("Partly done").waitFor();
  expect(faults).toEqual([]);
});

test("numbers from the inventory are held back with a countdown, also through a reload, and then ordered", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/test/order`);
  await page.getByText("From the inventory").click();
  await page.getByLabel("Digits in it").fill("303555");
  await ticks(page, /^\+1303555/)
    .nth(1)
    .check();
  await ticks(page, /^\+1303555/)
    .nth(2)
    .focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Reserve 2 for 30 minutes" }).click();
  await page
    .getByRole("timer")
    .getByText(/^(30:00|29:\d\d)$/)
    .waitFor();
  await page.reload();
  await page.getByRole("timer").waitFor();
  await expect
    .poll(() => page.getByRole("region", { name: "Reserved" }).getByRole("listitem").count())
    .toBe(2);

  await page.getByRole("button", { name: "Place the order" }).click();
  await page.getByText("Everything is done.").waitFor();
  await expect.poll(() => page.getByText("Yours", { exact: true }).count()).toBe(2);
  expect(faults).toEqual([]);
});

test("a reservation can be given back, and one whose time is over says so", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/test/order?by=inventory`);
  for (const ending of ["again", "over"]) {
    await page.getByLabel("Digits in it").fill("404555");
    await ticks(page, /^\+1404555/)
      .first()
      .check();
    await page.getByRole("button", { name: "Reserve 1 for 30 minutes" }).click();
    await page.getByRole("timer").waitFor();
    if (ending === "again") await page.getByRole("button", { name: "Give them back" }).click();
  }
  service.clock.advance(31 * 60_000);
  await page.reload();
  await page.getByText("The half hour is over").waitFor();
  await page.getByRole("button", { name: "Choose anew" }).click();
  await page.getByLabel("Digits in it").waitFor();
  expect(faults).toEqual([]);
});

test("who may not order is told who may", async () => {
  const developer = await service.person({ [organisation]: "developer" });
  await using visitor = await visit(browser, service, { as: developer });
  await visitor.page.goto(`/o/${organisation}/test/order`);
  await visitor.page.getByText("Owners and admins order numbers").waitFor();
  expect(visitor.faults).toEqual([]);
});

function ticks(page: Page, name: RegExp) {
  return page.getByRole("checkbox", { name });
}

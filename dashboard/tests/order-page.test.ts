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

test("follows an order by list through a reload to its end", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/test/order?by=list`);
  const place = page.getByRole("button", { name: "Place order" });
  await place.click();
  await page.getByText("Enter at least one number.").waitFor();
  // One takes five seconds, one is rejected.
  await page.getByLabel("Numbers").fill("+1 (212) 555-0111\n+1 212 555 0112, +1 212 555 0150");
  await page.getByLabel("Label").fill("Front desk");
  await place.focus();
  await page.keyboard.press("Enter");

  await page.getByRole("heading", { name: "Order", exact: true }).waitFor();
  await page.getByText("The carrier is processing the request.").waitFor();
  await page.reload();
  await page.getByText("2 of 3 numbers succeeded").waitFor();
  await expect.poll(() => page.getByText("Not available", { exact: true }).count()).toBe(1);
  await page.getByRole("link", { name: "+12125550111" }).click();
  await page.getByText("Front desk", { exact: true }).first().waitFor();

  await page.goto(`/o/${organisation}/test/jobs`);
  await page.getByRole("link", { name: "Order of 3 numbers" }).click();
  await page.getByText("Partly done").waitFor();
  expect(faults).toEqual([]);
});

test("reserves numbers with a countdown through a reload, then orders them", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/test/order`);
  await page.getByText("From inventory").click();
  await page.getByLabel("Contains digits").fill("303555");
  await ticks(page, /^\+1303555/)
    .nth(1)
    .check();
  await ticks(page, /^\+1303555/)
    .nth(2)
    .focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Reserve 2 numbers for up to 30 minutes" }).click();
  await page
    .getByRole("timer")
    .getByText(/^(30:00|29:\d\d)$/)
    .waitFor();
  await page.reload();
  await page.getByRole("timer").waitFor();
  await expect
    .poll(() => page.getByRole("region", { name: "Reservation" }).getByRole("listitem").count())
    .toBe(2);

  await page.getByRole("button", { name: "Place order" }).click();
  await page.getByText("All numbers succeeded.").waitFor();
  await expect.poll(() => page.getByText("Delivered", { exact: true }).count()).toBe(2);
  expect(faults).toEqual([]);
});

test("cancels a reservation and shows an expired one", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/test/order?by=inventory`);
  for (const ending of ["cancelled", "expired"]) {
    await page.getByLabel("Contains digits").fill("404555");
    await ticks(page, /^\+1404555/)
      .first()
      .check();
    await page.getByRole("button", { name: "Reserve 1 number for up to 30 minutes" }).click();
    await page.getByRole("timer").waitFor();
    if (ending === "cancelled") await page.getByRole("button", { name: "Cancel reservation" }).click();
  }
  service.clock.advance(31 * 60_000);
  await page.reload();
  await page.getByText("The reservation has expired.").waitFor();
  await page.getByRole("button", { name: "Start over" }).click();
  await page.getByLabel("Contains digits").waitFor();
  expect(faults).toEqual([]);
});

test("shows which roles can order to other members", async () => {
  const developer = await service.person({ [organisation]: "developer" });
  await using visitor = await visit(browser, service, { as: developer });
  await visitor.page.goto(`/o/${organisation}/test/order`);
  await visitor.page.getByText("Owners and admins can order numbers").waitFor();
  expect(visitor.faults).toEqual([]);
});

function ticks(page: Page, name: RegExp) {
  return page.getByRole("checkbox", { name });
}

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, type Service, startService } from "../../server/src/testing/service.ts";
import { openBrowser, visit } from "./visit.ts";

/** On the test side a simulated switch applies what is wanted. */
const NUMBER = "+12025550100";

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;

beforeAll(async () => {
  service = await startService({ worker: true, settings: { FORWARD_PREFIXES: "+49" } });
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

test("a routing is changed by keyboard, shows what changes before it is saved, and is followed until the switch has it", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await openNumber(page);
  await page.getByRole("button", { name: "Change routing" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change routing" });
  await dialog.getByText("Nothing changes yet.").waitFor();
  await dialog.getByRole("radio", { name: "Forward" }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("+49 30 5550100");
  await dialog.getByText("+49305550100").waitFor();
  await page.keyboard.press("Enter");

  await dialog.waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Desired" }).getByText("+49305550100").waitFor();
  await page.getByRole("region", { name: "Applied" }).getByText("+49305550100").waitFor();
  await page.getByText("In sync").waitFor();

  await page.getByRole("button", { name: "Go back to this" }).last().click();
  await page.getByRole("dialog").getByRole("button", { name: "Go back" }).click();
  await expect
    .poll(() => page.getByRole("region", { name: "Applied" }).textContent())
    .not.toContain("+49305550100");
  expect(faults).toEqual([]);
});

test("two people change the same routing: the second is told, loses nothing, and sees theirs before saving", async () => {
  const admin = await service.person({ [organisation]: "admin" });
  await using first = await visit(browser, service, { as: owner });
  await using second = await visit(browser, service, { as: admin });
  await openNumber(first.page);
  await openNumber(second.page);
  await typeForward(first.page, "+49305550111");
  await typeForward(second.page, "+49305550222");

  await first.page.getByRole("button", { name: "Save" }).click();
  await first.page.getByRole("dialog").waitFor({ state: "detached" });
  await second.page.getByRole("button", { name: "Save" }).click();
  await second.page.getByText("Somebody changed this routing meanwhile.").waitFor();
  expect(await second.page.getByLabel("Telephone number").inputValue()).toBe("+49305550222");

  await second.page.getByRole("button", { name: "Compare with theirs" }).click();
  await second.page.getByRole("deletion").getByText("+49305550111").waitFor();
  await second.page.getByRole("button", { name: "Save" }).click();
  await second.page.getByRole("dialog").waitFor({ state: "detached" });
  await second.page.getByRole("region", { name: "Desired" }).getByText("+49305550222").waitFor();
  expect([...first.faults, ...second.faults]).toEqual([]);
});

test("a refusal stands beside what was typed, with its request id", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page } = visitor;
  await openNumber(page);
  await typeForward(page, "12");
  await page.getByRole("button", { name: "Save" }).click();
  await page
    .getByRole("alert")
    .getByText(/Request [0-9a-f-]{36}/)
    .waitFor();
  expect(await page.getByLabel("Telephone number").inputValue()).toBe("12");
});

async function openNumber(page: Page): Promise<void> {
  await page.goto(`/o/${organisation}/test/numbers`);
  await page.getByRole("link", { name: NUMBER }).click();
  await page.getByRole("heading", { name: "History" }).waitFor();
}

async function typeForward(page: Page, to: string): Promise<void> {
  await page.getByRole("button", { name: "Change routing" }).click();
  await page.getByRole("dialog").getByText("Forward", { exact: true }).click();
  await page.getByLabel("Telephone number").fill(to);
}

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../server/src/seed.ts";
import { type Person, type Service, startService } from "../../server/testing/service.ts";
import { focused, loseSession, openBrowser, SEED_PASSWORD, visit } from "./visit.ts";

let service: Service;
let browser: Browser;
let north: string;
let lumen: string;
let person: Person;

beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  north = await service.organisation("Northwind");
  lumen = await service.organisation("Lumen");
  person = await service.person({ [north]: "owner", [lumen]: "developer" });
  await seedNumbers(service.app, north, "live", ["+4930123456", "+4930123457"]);
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

test("changes organisation and environment by keyboard and remembers them", async () => {
  await using visitor = await visit(browser, service, { as: person });
  const { page, faults } = visitor;
  await page.goto(`/o/${north}/live/numbers`);
  await page.getByText("+4930123456").waitFor();

  await page.getByRole("button", { name: "Organisation: Northwind" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitemradio", { name: "Lumen" }).waitFor();
  await page.keyboard.press("l");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Organisation: Lumen" }).waitFor();
  await page.getByRole("heading", { name: "No numbers yet" }).waitFor();
  await page.getByRole("group", { name: "Environment" }).getByRole("link", { name: "Test" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Test environment:").waitFor();
  expect(page.url()).toBe(`${service.url}/o/${lumen}/test/overview`);

  await page.goto("/");
  await page.getByText("Test environment:").waitFor();
  expect(page.url()).toBe(`${service.url}/o/${lumen}/test/overview`);
  expect(faults).toEqual([]);
});

test("finds numbers and organisations in the palette and closes it with Escape", async () => {
  await using visitor = await visit(browser, service, { as: person });
  const { page, faults } = visitor;
  await page.goto(`/o/${north}/live/numbers`);
  await page.getByText("+4930123457").waitFor();

  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Search pages/).waitFor();
  await page.keyboard.type("23457");
  await page.getByRole("option", { name: "+4930123457" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "+4930123457" }).waitFor();

  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Search pages/).waitFor();
  await page.keyboard.type("Go to Lumen");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Organisation: Lumen" }).waitFor();

  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Search pages/).waitFor();
  await page.keyboard.press("Escape");
  await page.getByPlaceholder(/Search pages/).waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("/"); // the overview has no search field
  await page.getByPlaceholder(/Search pages/).waitFor();
  await page.keyboard.press("Escape");
  await page.getByPlaceholder(/Search pages/).waitFor({ state: "detached" });
  await page.keyboard.type("gn");
  await page.getByRole("heading", { name: "Numbers", exact: true }).waitFor();
  await page.keyboard.press("/");
  expect(await focused(page)).toBe("Number, label or destination");
  expect(faults).toEqual([]);
});

test("applies the chosen theme before the first paint and keeps it after signing out", async () => {
  await using visitor = await visit(browser, service, { colorScheme: "light" });
  const { page, faults } = visitor;
  const leaving = await service.person({ [north]: "owner" });
  await page.goto("/sign-in");
  await signIn(page, leaving.email);
  const light = await backgroundOf(page);
  await page.getByRole("button", { name: /Your account/ }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect.poll(() => backgroundOf(page)).not.toBe(light);
  const dark = await backgroundOf(page);

  await page.getByRole("button", { name: /Your account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.reload();
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  expect(await backgroundOf(page)).toBe(dark);
  expect((await service.send("GET", "/v1/me")).status).toBe(401);
  expect(faults).toEqual([]);
});

test("renews an ended session on the page, keeps the input and continues", async () => {
  const returning = await service.person({ [north]: "owner" });
  await using visitor = await visit(browser, service, { as: returning });
  const { page, faults } = visitor;
  await page.goto(`/o/${north}/live/numbers`);
  await page.getByText("+4930123456").waitFor();

  await loseSession(page);
  await page.getByRole("searchbox", { name: "Number, label or destination" }).fill("123457");
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.waitFor();
  expect(await dialog.getByLabel("Email address").inputValue()).toBe(returning.email);
  await expect.poll(() => focused(page)).toBe("Password");
  await page.keyboard.type(SEED_PASSWORD);
  await page.keyboard.press("Enter");

  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => page.getByRole("link", { name: "+4930123456" }).count()).toBe(0);
  await page.getByRole("link", { name: "+4930123457" }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("123457");
  expect(faults).toEqual([]);
});

test("shows a link back on unknown pages and foreign organisations", async () => {
  const stranger = await service.organisation("Stranger");
  await using visitor = await visit(browser, service, { as: person });
  const { page, faults } = visitor;
  for (const path of ["/nowhere", `/o/${stranger}/live/numbers`, `/o/${north}/staging/numbers`]) {
    await page.goto(path);
    await page.getByText("Page not found").waitFor();
    await page.getByRole("link", { name: "Go to the overview" }).click();
    await page.getByRole("heading", { name: /number/ }).waitFor();
  }
  expect(faults).toEqual([]);
});

test("opens the sidebar by button on a narrow screen without overflow", async () => {
  await using visitor = await visit(browser, service, { as: person, viewport: { width: 360, height: 740 } });
  const { page, faults } = visitor;
  await page.goto(`/o/${north}/live/numbers`);
  await page.getByText("+4930123456").waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await page.getByRole("button", { name: "Open navigation" }).click();
  await page.getByRole("link", { name: "Test", exact: true }).click();
  await page.getByText("Test environment:").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(faults).toEqual([]);
});

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(SEED_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("region", { name: "Overview" }).waitFor();
}

function backgroundOf(page: Page): Promise<string> {
  return page.evaluate("getComputedStyle(document.body).backgroundColor");
}

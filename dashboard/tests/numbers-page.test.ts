import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../server/src/seed.ts";
import {
  browser as asBrowser,
  type Person,
  type Service,
  startService,
} from "../../server/testing/service.ts";
import { openBrowser, visit } from "./visit.ts";

/** Three pages of the list, and a bit. */
const MANY = 650;

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;

beforeAll(async () => {
  service = await startService({ worker: true, settings: { FORWARD_PREFIXES: "+49" } });
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

test("filters on the server and keeps the filters in the URL", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers`);
  await page.getByRole("row").nth(5).waitFor();

  await page.getByRole("searchbox").fill("1000042");
  await page.getByRole("link", { name: "+493011000042" }).waitFor();
  await expect.poll(() => page.getByRole("table").getAttribute("aria-rowcount")).toBe("2");
  expect(page.url()).toContain("q=");

  await using second = await visit(browser, service, { as: owner });
  await second.page.goto(page.url().slice(service.url.length));
  await second.page.getByRole("link", { name: "+493011000042" }).waitFor();
  expect(await second.page.getByRole("table").getAttribute("aria-rowcount")).toBe("2");

  await page.getByRole("combobox", { name: "Routing" }).selectOption("forward");
  await page.getByText("No matching numbers").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await page.getByRole("link", { name: "+493011000000" }).waitFor();
  expect(new URL(page.url()).search).toBe("");
  expect(faults).toEqual([]);
});

test("scrolls a long list to its end and renders only visible rows", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers?sort=e164`);
  await page.getByRole("link", { name: "+493011000000" }).waitFor();
  const table = page.getByRole("table");

  await expect
    .poll(async () => {
      await page.evaluate("document.querySelector('[role=table]').scrollTo(0, 1e9)");
      return page.getByRole("link", { name: `+49301${1_000_000 + MANY - 1}` }).count();
    })
    .toBe(1);
  expect(await table.getAttribute("aria-rowcount")).toBe(String(MANY + 1));
  expect(await page.getByRole("row").count()).toBeLessThan(80);
  expect(faults).toEqual([]);
});

test("shows the routing status by word and icon, not by colour alone", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/test/numbers`);
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByRole("row").nth(2).waitFor();
      return (await page.getByRole("table").textContent())!;
    })
    .toMatch(/In sync/);
  const badge = page.getByRole("cell").getByText("In sync").first();
  await expect.poll(() => badge.locator("svg").count()).toBe(1);
  expect(faults).toEqual([]);
});

test("plans and applies a bulk change through a reload, with failures as CSV", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers?q=100000&sort=e164`);
  await page.getByRole("checkbox", { name: "Select +493011000003" }).check();
  await page.getByRole("checkbox", { name: "Select +493011000004" }).focus();
  await page.keyboard.press("Space");
  const bar = page.getByRole("region", { name: "Selection" });
  await bar.getByText("2 selected").waitFor();
  await bar.getByRole("button", { name: "Change tags…" }).click();
  await page.getByRole("dialog", { name: "Change tags of 2 numbers" }).waitFor();
  await page.getByLabel("Tags to add").fill("berlin");
  await page.getByRole("button", { name: "Create plan" }).click();

  await page.getByText("Add tags “berlin”").waitFor();
  await page.getByText("Planned, not applied yet").waitFor();
  await expect.poll(() => page.getByText("no tags").count()).toBe(2);
  await touched("+493011000004");
  await page.reload();
  await page.getByRole("button", { name: "Apply plan…" }).click();
  await page.getByRole("button", { name: "Change 2 numbers" }).click();
  await page.getByText("Finished").waitFor();
  await page.getByText(/1 changed, 0 unchanged, 1 skipped/).waitFor();
  await page.getByText("Skipped: changed since the plan", { exact: true }).last().waitFor();

  await page.reload();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save failures as CSV" }).click();
  const lines = (await readFile(await (await saving).path(), "utf8")).trimEnd().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^\+493011000004,/);
  expect(faults).toEqual([]);
});

test("plans a change of all matching numbers, and clears the selection with the filters", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers?sort=e164`);
  await page.getByRole("checkbox", { name: "Select all shown numbers" }).check();
  const bar = page.getByRole("region", { name: "Selection" });
  await bar.getByText("200 selected").waitFor();
  await page.getByRole("searchbox").fill("10000");
  await bar.waitFor({ state: "detached" });

  await expect.poll(() => page.getByRole("table").getAttribute("aria-rowcount")).toBe("101");
  await page.getByRole("checkbox", { name: "Select all shown numbers" }).check();
  await bar.getByRole("button", { name: "Select all matching numbers" }).click();
  await bar.getByText("All matching numbers selected").waitFor();
  await bar.getByRole("button", { name: "Lock…", exact: true }).click();
  await page.getByRole("button", { name: "Create plan" }).click();
  await page.getByText("100 numbers, planned by").waitFor();
  await page.getByText("Lock against release").waitFor();
  expect(faults).toEqual([]);
});

test("saves all filtered numbers as CSV", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers?q=49301100&sort=-e164`);
  await page.getByRole("row").nth(5).waitFor();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const lines = (await readFile(await (await saving).path(), "utf8")).trimEnd().split("\r\n");
  expect(lines).toHaveLength(MANY + 1);
  expect(lines[1]).toContain(`+49301${1_000_000 + MANY - 1}`);
  expect(faults).toEqual([]);
});

test("saves and opens a named view of the organisation", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers?status=active&sort=e164`);
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByLabel("Name").fill("Mine");
  await page.getByLabel("Share with the organisation").check();
  await page.keyboard.press("Enter");
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByRole("button", { name: "Mine", exact: true }).waitFor();
  await page.goto(`/o/${organisation}/live/numbers`);
  await views.getByRole("button", { name: "Mine", exact: true }).click();
  await expect.poll(() => new URL(page.url()).search).toBe("?status=active&sort=e164");

  const colleague = await service.person({ [organisation]: "member" });
  await using other = await visit(browser, service, { as: colleague });
  await other.page.goto(`/o/${organisation}/live/numbers`);
  await other.page.getByRole("button", { name: "Mine", exact: true }).waitFor();
  await other.page.goto(`/o/${organisation}/test/numbers`);
  await other.page.getByRole("row").nth(2).waitFor();
  expect(await other.page.getByRole("button", { name: "Mine", exact: true }).count()).toBe(0);

  await page.getByRole("button", { name: "Change view Mine" }).click();
  await page.getByRole("menuitem", { name: "Delete view" }).click();
  await page.getByText("“Mine” deleted").waitFor();
  await views.getByRole("button", { name: "Mine", exact: true }).waitFor({ state: "detached" });
  expect([...faults, ...other.faults]).toEqual([]);
});

test("counts numbers with routing problems and links to them", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await routed("+12025550102"); // its switch rejects everything
  await page.goto(`/o/${organisation}/test/numbers`);
  await page.getByRole("button", { name: "Failed 1" }).click();
  await expect.poll(() => page.getByRole("table").getAttribute("aria-rowcount")).toBe("2");
  await page.getByRole("link", { name: "+12025550102" }).waitFor();
  expect(faults).toEqual([]);
});

test("shows numbers without routing to members", async () => {
  const member = await service.person({ [organisation]: "member" });
  await using visitor = await visit(browser, service, { as: member });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers`);
  await page.getByRole("row").nth(5).waitFor();
  expect(await page.getByRole("columnheader").allTextContents()).toEqual([
    "Number",
    "Label",
    "Tags",
    "Calls, 24 h",
    "Last call",
  ]);
  await expect.poll(() => page.getByRole("search").getByRole("combobox").count()).toBe(1);
  expect(faults).toEqual([]);
});

/** Simulates a change by another client. */
async function touched(e164: string): Promise<void> {
  const { id, headers } = await found(e164, "live");
  const { status } = await service.send("PATCH", `/v1/numbers/${id}`, { headers, body: { tags: ["other"] } });
  expect(status).toBe(200);
}

async function routed(e164: string): Promise<void> {
  const { id, headers } = await found(e164, "test");
  const body = { mode: "forward", forward_to: "+49305550100" };
  const { status, text } = await service.send("PUT", `/v1/numbers/${id}/routing`, {
    headers: { ...headers, "idempotency-key": `route ${id}` },
    body,
  });
  expect([status, text]).toEqual([200, expect.any(String)]);
}

async function found(e164: string, environment: "live" | "test") {
  const headers = {
    ...asBrowser(owner.cookie),
    "x-service-org": organisation,
    "x-service-environment": environment,
  };
  const { body } = await service.send("GET", `/v1/numbers?q=${e164.slice(1)}`, { headers });
  return { id: (body as { data: { id: string }[] }).data[0]!.id, headers };
}

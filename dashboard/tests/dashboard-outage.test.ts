import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, type Person, type Service, startService, until } from "../../server/src/testing/service.ts";
import { type ServerProcess, startProcess } from "../../server/src/testing/server-process.ts";
import { openBrowser, type Visit, visit } from "./visit.ts";

const FORWARDING = { FORWARD_PREFIXES: "+49" };

/** The worker and the test's own way in; pages are served by a process that is killed. */
let service: Service;
let api: ServerProcess;
let browser: Browser;
let organisation: string;
let owner: Person;

beforeAll(async () => {
  service = await startService({ worker: true, settings: FORWARDING });
  api = await startProcess({ databaseUrl: service.database.url, settings: FORWARDING });
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(async () => {
  await browser?.close();
  await api?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

test("a routing that is saved while the service is away is saved once when it is back, and nothing typed is lost", async () => {
  await using visitor = await enter();
  const { page } = visitor;
  await page.goto(`/o/${organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550100" }).click();
  await page.getByRole("button", { name: "Change routing" }).click();
  await page.getByRole("dialog").getByText("Forward", { exact: true }).click();
  await page.getByLabel("Telephone number").fill("+49305550144");
  await away(page, async () => {
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saysSilent(page);
    expect(await page.getByLabel("Telephone number").inputValue()).toBe("+49305550144");
  });
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Applied" }).getByText("+49305550144").waitFor();
  await page.getByText(/^heard/).waitFor();
  const history = page.getByRole("region", { name: "History" }).getByRole("listitem");
  await expect.poll(() => history.count()).toBe(2);
});

test("a search that is typed while the service is away is answered when it is back", async () => {
  await using visitor = await enter();
  const { page } = visitor;
  await page.goto(`/o/${organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550101" }).waitFor();
  await away(page, async () => {
    await page.getByRole("searchbox").fill("5550103");
    await saysSilent(page);
    expect(await page.getByRole("link", { name: "+12025550101" }).count()).toBe(1);
  });
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await page.getByRole("link", { name: "+12025550103" }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("5550103");
  await page.getByText("The service does not answer").waitFor({ state: "detached" });
});

test("a plan for many that is applied while the service is away is applied once", async () => {
  await using visitor = await enter();
  const { page } = visitor;
  await page.goto(`/o/${organisation}/test/numbers`);
  await page.getByRole("checkbox", { name: "Select +12025550104" }).check();
  await page.getByRole("button", { name: "Tag…" }).click();
  await page.getByLabel("Tags to add").fill("kept");
  await page.getByRole("button", { name: "Make the plan" }).click();
  await page.getByRole("button", { name: "Apply…" }).click();
  await away(page, async () => {
    await page.getByRole("button", { name: "Yes, change 1 number" }).click();
    await saysSilent(page);
  });
  await page.getByText("Finished").waitFor();
  expect(await countOf("/v1/numbers/bulk")).toBe(1);
});

test("an order that is placed while the service is away is placed once", async () => {
  await using visitor = await enter();
  const { page } = visitor;
  await page.goto(`/o/${organisation}/test/order?by=list`);
  await page.getByLabel("Numbers").fill("+12125550150");
  await page.getByLabel("Label").fill("Bought in a storm");
  await away(page, async () => {
    await page.getByRole("button", { name: "Place the order" }).click();
    await saysSilent(page);
    expect(await page.getByLabel("Label").inputValue()).toBe("Bought in a storm");
  });
  await page.getByText("Everything is done.").waitFor();
  expect(await countOf("/v1/numbers/orders")).toBe(1);
});

test("a release that is confirmed while the service is away happens when it is back", async () => {
  await using visitor = await enter();
  const { page } = visitor;
  await page.goto(`/o/${organisation}/test/numbers`);
  await page.getByRole("link", { name: "+12025550105" }).click();
  await page.getByRole("button", { name: "Release…" }).click();
  await page.getByLabel(/last 4 digits/).fill("0105");
  await away(page, async () => {
    await page.getByRole("dialog").getByRole("button", { name: "Release" }).click();
    await saysSilent(page);
  });
  await page.getByText("Released, and resting").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

function enter(): Promise<Visit> {
  return visit(browser, { ...service, url: api.url }, { as: owner });
}

/** Killed as the kernel would, and started again at the same place; the page is never reloaded. */
async function away(page: Page, meanwhile: () => Promise<void>): Promise<void> {
  const port = Number(new URL(api.url).port);
  await page.evaluate("window.isSamePage = true");
  await api.kill();
  await meanwhile();
  api = await startProcess({ databaseUrl: service.database.url, port, settings: FORWARDING });
  expect(await page.evaluate("window.isSamePage")).toBe(true);
}

async function saysSilent(page: Page): Promise<void> {
  await page.getByText("The service does not answer").waitFor();
}

async function countOf(path: string): Promise<number> {
  const headers = { ...bearer(owner.token), "x-service-environment": "test" };
  const { body } = await until(async () => {
    const sent = await service.send("GET", path, { headers });
    return sent.status === 200 && sent;
  });
  return (body as { data: unknown[] }).data.length;
}

import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../server/src/seed.ts";
import { callRecord, momentOf } from "../../server/testing/call-record.ts";
import { LiveSwitch } from "../../server/testing/live-switch.ts";
import { bearer, type Person, type Service, startService } from "../../server/testing/service.ts";
import { focused, openBrowser, visit } from "./visit.ts";

/** In the test environment a simulated switch applies what is wanted. */
const NUMBER = "+12025550100";
/** There each change takes three seconds. */
const SLOW_NUMBER = "+12025550101";
const HOUR_MS = 3_600_000;

let service: Service;
let browser: Browser;
let organisation: string;
let owner: Person;
/** A live number with calls, and the switch that reports them. */
let called: string;
let wire: LiveSwitch;

beforeAll(async () => {
  service = await startService({ worker: true, settings: { FORWARD_PREFIXES: "+49" } });
  browser = await openBrowser();
  organisation = await service.organisation("Northwind");
  owner = await service.person({ [organisation]: "owner" });
  const [number] = await seedNumbers(service.app, organisation, "live", 1);
  called = number!.id;
  wire = await LiveSwitch.add(service);
  await wire.tell({ [called]: 0 });
  await reportCalls();
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

test("changes a routing by keyboard, previews it and follows it until it is applied", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await openNumber(page);
  await page.getByRole("button", { name: "Change routing" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change routing" });
  await dialog.getByText("No changes yet.").waitFor();
  await dialog.getByRole("radio", { name: "Forward" }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("+49 30 5550100");
  await dialog.getByText("+49305550100").waitFor();
  await page.keyboard.press("Enter");

  const progress = page.getByRole("dialog", { name: /^Applied on 1 switch in / });
  await progress.getByRole("listitem").filter({ hasText: "read back, matches" }).waitFor();
  await progress.getByText("New calls go to +49305550100").waitFor();
  await expect.poll(() => focused(page)).toBe("Done");
  await page.keyboard.press("Enter");
  await progress.waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Desired" }).getByText("+49305550100").waitFor();
  await page.getByRole("region", { name: "Applied" }).getByText("+49305550100").waitFor();
  await page.getByText("In sync").waitFor();

  await page
    .getByRole("button", { name: /^Go back to revision/ })
    .last()
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back routing" }).click();
  await expect
    .poll(() => page.getByRole("region", { name: "Applied" }).textContent())
    .not.toContain("+49305550100");
  expect(faults).toEqual([]);
});

test("adds fallbacks, shows them desired and applied, and removes them", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await openNumber(page);
  await typeForward(page, "+49305550100");
  const dialog = page.getByRole("dialog", { name: "Change routing" });
  await dialog.getByRole("button", { name: "Add fallback" }).click();
  await dialog.getByLabel("Ring for (seconds)").fill("20");
  const second = dialog.getByRole("region", { name: "Fallback", exact: true });
  await second.getByRole("textbox", { name: "SIP URI" }).fill("sip:desk@pbx.example.com");
  await second.getByRole("checkbox", { name: "Busy" }).check();
  await dialog.getByRole("button", { name: "Add fallback" }).click();
  const third = dialog.getByRole("region", { name: "Second fallback" });
  await third.getByRole("textbox", { name: "SIP URI" }).fill("sip:night@pbx.example.com");
  await third.getByRole("checkbox", { name: "Unreachable" }).uncheck();
  await third.getByRole("checkbox", { name: "No answer" }).uncheck();
  const save = dialog.getByRole("button", { name: "Change routing" });
  await save.click();
  await third.getByText("Choose at least one.").waitFor();
  await third.getByRole("checkbox", { name: "Rejected" }).check();
  await save.click();
  await finish(page);

  const desired = page.getByRole("region", { name: "Desired" });
  const steps = desired.getByRole("listitem");
  await steps.nth(1).getByText("If unreachable or unanswered or busy").waitFor();
  await steps.nth(1).getByText("sip:desk@pbx.example.com").waitFor();
  await steps.nth(2).getByText("If rejected").waitFor();
  await steps.nth(2).getByText("sip:night@pbx.example.com").waitFor();
  await page
    .getByRole("region", { name: "Applied" })
    .getByText("then sip:desk@pbx.example.com, then sip:night@pbx.example.com")
    .waitFor();
  await page.getByRole("button", { name: "Change routing" }).click();
  await dialog.getByRole("button", { name: "Remove fallback" }).click();
  await dialog.getByRole("button", { name: "Remove fallback" }).click();
  await dialog.getByRole("deletion").getByText("sip:desk@pbx.example.com").waitFor();
  await save.click();
  await finish(page);
  const applied = page.getByRole("region", { name: "Applied" });
  await expect.poll(() => applied.textContent()).not.toContain("sip:desk@pbx.example.com");
  expect(faults).toEqual([]);
});

test("shows a concurrent routing change to the second user and keeps the input", async () => {
  const admin = await service.person({ [organisation]: "admin" });
  await using first = await visit(browser, service, { as: owner });
  await using second = await visit(browser, service, { as: admin });
  await openNumber(first.page);
  await openNumber(second.page);
  await typeForward(first.page, "+49305550111");
  await typeForward(second.page, "+49305550222");

  await saveRouting(first.page);
  await finish(first.page);
  await saveRouting(second.page);
  await second.page.getByText("This routing was changed by another user.").waitFor();
  expect(await second.page.getByLabel("Phone number").inputValue()).toBe("+49305550222");

  await second.page.getByRole("button", { name: "Compare changes" }).click();
  await second.page.getByRole("deletion").getByText("+49305550111").waitFor();
  await saveRouting(second.page);
  await finish(second.page);
  await second.page.getByRole("region", { name: "Desired" }).getByText("+49305550222").waitFor();
  expect([...first.faults, ...second.faults]).toEqual([]);
});

test("shows a rejection with its request ID next to the input", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page } = visitor;
  await openNumber(page);
  await typeForward(page, "+1 999 000 0000");
  await saveRouting(page);
  await page
    .getByRole("alert")
    .getByText(/Request [0-9a-f-]{36}/)
    .waitFor();
  expect(await page.getByLabel("Phone number").inputValue()).toBe("+1 999 000 0000");
});

test("shows usage as chart and table for a period, with its completeness", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers/${called}`);
  const usage = page.getByRole("region", { name: "Usage" });
  await usage.getByText("Answered", { exact: true }).last().waitFor();
  await usage.locator("svg[data-chart=usage]").waitFor();
  expect(await usage.locator("dd").allTextContents()).toEqual(["30", "97 %", "14 min 30 s"]);

  await usage.getByRole("radio", { name: "7 d" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => usage.locator("dd").first().textContent()).toBe("31");
  await usage.getByText("Table").click();
  const rows = usage.getByRole("table", { name: "Calls, 30 d" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(31);
  await usage.getByText(/switch has not reported yet|Complete through/).waitFor();
  expect(faults).toEqual([]);
});

test("counts active calls, and lists ended calls by page and as CSV", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers/${called}`);
  const now = page.getByRole("region", { name: "Active calls" });
  await now.getByText(/^reported/).waitFor();
  await wire.tell({ [called]: 3 });
  await expect.poll(() => now.locator("dd").first().textContent()).toBe("3");
  await wire.tell({ [called]: 0 });
  await expect.poll(() => now.locator("dd").first().textContent()).toBe("0");

  const list = page.getByRole("region", { name: "Calls", exact: true });
  await expect.poll(() => list.getByRole("row").count()).toBe(21);
  await list.getByRole("button", { name: "Show older calls" }).click();
  await expect.poll(() => list.getByRole("row").count()).toBe(32);
  await expect.poll(() => list.getByText("Busy").count()).toBe(1);
  await list.getByText("Limit of concurrent forwarded calls reached").waitFor();
  const saving = page.waitForEvent("download");
  await list.getByRole("button", { name: "Save as CSV" }).click();
  const text = await readFile(await (await saving).path(), "utf8");
  expect(text.trimEnd().split("\r\n")).toHaveLength(32);
  expect(faults).toEqual([]);
});

test("edits label, tags and lock, and prevents the release of a locked number", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await page.goto(`/o/${organisation}/live/numbers/${called}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Label").fill("Reception");
  await page.getByLabel("Tags").fill("berlin, desk, berlin");
  await page.getByLabel("Locked against release").check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("On. The number cannot be released.").waitFor();
  await page.getByText("Reception", { exact: true }).first().waitFor();
  await expect.poll(() => page.getByText("berlin", { exact: true }).count()).toBe(1);
  expect(await page.getByRole("button", { name: "Release…" }).isDisabled()).toBe(true);
  expect(faults).toEqual([]);
});

test("releases a number after confirmation, follows it through a reload and restores it", async () => {
  await using visitor = await visit(browser, service, { as: owner });
  const { page, faults } = visitor;
  await openNumber(page, SLOW_NUMBER);
  await typeForward(page, "+49305550133");
  await saveRouting(page);
  await finish(page);
  await page.getByText("In sync").waitFor();

  await page.getByRole("button", { name: "Release…" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Release ${SLOW_NUMBER}?` });
  await dialog.getByText("stop immediately").waitFor();
  await dialog.getByLabel(/last 4 digits/).focus();
  await page.keyboard.type("0100");
  expect(await dialog.getByRole("button", { name: "Release number" }).isDisabled()).toBe(true);
  await dialog.getByLabel(/last 4 digits/).fill("0101");
  await page.keyboard.press("Enter");

  await page.getByRole("status", { name: "Releasing" }).waitFor();
  await page.reload();
  await page.getByRole("status", { name: "Releasing" }).waitFor();
  await page.getByRole("status", { name: "Quarantined" }).waitFor();
  await page.getByRole("button", { name: "Restore number" }).click();
  await page.getByRole("status", { name: "Quarantined" }).waitFor({ state: "detached" });
  await expect.poll(() => page.getByRole("button", { name: "Release…" }).count()).toBe(1);
  await page.getByRole("region", { name: "Desired" }).getByText("+49305550133").waitFor();
  expect(faults).toEqual([]);
});

async function openNumber(page: Page, number = NUMBER): Promise<void> {
  await page.goto(`/o/${organisation}/test/numbers`);
  await page.getByRole("link", { name: number }).click();
  await page.getByRole("heading", { name: "Timeline" }).waitFor();
}

async function saveRouting(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: "Change routing" }).click();
}

/** Closes the dialog when every switch has confirmed the change. */
async function finish(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

async function typeForward(page: Page, to: string): Promise<void> {
  await page.getByRole("button", { name: "Change routing" }).click();
  await page.getByRole("dialog").getByText("Forward", { exact: true }).click();
  await page.getByLabel("Phone number").fill(to);
}

/** Thirty within the last hours, one of them above a limit, and one of the week before. */
async function reportCalls(): Promise<void> {
  const startedAt = Array.from({ length: 30 }, (_, at) => Date.now() - (at + 1) * 0.5 * HOUR_MS);
  const records = [...startedAt, Date.now() - 10 * 24 * HOUR_MS].map((at, index) =>
    callRecord({
      number_id: called,
      started_at: momentOf(at),
      answered_at: index === 0 ? null : momentOf(at + 1_000),
      ended_at: momentOf(at + 31_000),
      ...(index === 0 && { ending: "refused", code: 486, why: "organisation_full", target: null }),
    }),
  );
  const { status } = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(wire.own.credential),
    body: { records },
  });
  expect(status).toBe(200);
}
